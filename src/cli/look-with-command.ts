// Runs the command of `orch verify --command` on this machine, with the rights of the user, and keeps of it what fits into
// the evidence: the beginning and the end of what it writes, without secrets, cut between two characters (D-306).
import { type ChildProcess, spawn } from "node:child_process";
import { beginningOf, endingOf, type GivenEvidence, MAX_EVIDENCE } from "../domain/verification.ts";

type CommandLook = NonNullable<GivenEvidence["command"]>;

type Place = {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly redact: (text: string) => string;
  readonly limit_ms: number;
  /** Ends the command. */
  readonly signal: AbortSignal;
};

type End = { readonly ok: true; readonly look: CommandLook } | { readonly ok: false; readonly reason: string };

/** What still holds the output open after the command has ended is not waited for any longer. */
const LEFTOVER_MS = 1_000;

export async function lookWith(command: string, place: Place): Promise<End> {
  const { cwd, environment, redact, limit_ms, signal } = place;
  const output = createKeptOutput();
  // A group of its own, so that everything that it starts ends with it.
  const child = spawn("bash", ["-c", command], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child.stdout.on("data", output.push);
  child.stderr.on("data", output.push);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    kill(child);
  }, limit_ms);
  const abort = () => kill(child);
  signal.addEventListener("abort", abort);
  const end = await ended(child);
  clearTimeout(limit);
  signal.removeEventListener("abort", abort);
  if (typeof end === "string") return { ok: false, reason: `The command could not be started: ${end}.` };
  if (late) return { ok: false, reason: `The command did not end within ${limit_ms / 1000} s, and was killed.` };
  const shown = { command: redact(command), output: shownOf(output.read(), redact) };
  const { exit_code } = end;
  return { ok: true, look: { ...shown, ...(exit_code !== null && { exit_code }) } };
}

function ended(child: ChildProcess): Promise<{ readonly exit_code: number | null } | string> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", () => {
      const leftover = setTimeout(() => {
        kill(child);
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LEFTOVER_MS);
      child.once("close", () => clearTimeout(leftover));
    });
    child.once("close", (exit_code) => resolve({ exit_code }));
  });
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}

const HEAD = 4_096;
const GAP = 64;

/** Redacts before it cuts, so that no half of a secret remains. */
function shownOf(
  { head, tail, left_out }: ReturnType<ReturnType<typeof createKeptOutput>["read"]>,
  redact: Place["redact"],
) {
  const begin = redact(head);
  if (left_out === 0 && begin.length <= MAX_EVIDENCE) return begin;
  const first = beginningOf(begin, HEAD);
  const last = endingOf(left_out === 0 ? begin : redact(tail), MAX_EVIDENCE - HEAD - GAP);
  return `${first}\n[... the middle is left out ...]\n${last}`;
}

const KEPT = 128 * 1024;

/** `head` is everything where nothing was left out. Without NUL, which no database of orch keeps as text. */
type KeptOutput = { readonly head: string; readonly tail: string; readonly left_out: number };

export function createKeptOutput(kept = KEPT) {
  const first: Buffer[] = [];
  let rest: Buffer[] = [];
  let [in_first, in_rest, bytes] = [0, 0, 0];

  const push = (chunk: Buffer): void => {
    bytes += chunk.length;
    const begin = chunk.subarray(0, kept - in_first);
    if (begin.length > 0) first.push(begin);
    in_first += begin.length;
    const more = chunk.subarray(begin.length);
    if (more.length > 0) rest.push(more);
    in_rest += more.length;
    // Now and then, so that many small chunks cost no more than a few large ones.
    if (in_rest > 2 * kept) {
      rest = [Buffer.concat(rest).subarray(-kept)];
      in_rest = kept;
    }
  };

  const read = (): KeptOutput => {
    const end = Buffer.concat(rest).subarray(-kept);
    const left_out = bytes - in_first - end.length;
    const text = (parts: readonly Buffer[]) => Buffer.concat(parts).toString("utf8").replaceAll("\0", "");
    return left_out === 0
      ? { head: text([...first, end]), tail: "", left_out }
      : { head: text(first), tail: text([end]), left_out };
  };

  return { push, read };
}
