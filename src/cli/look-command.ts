// Runs the command of `orch verify --command` on this machine, with the rights of the user, and keeps of it what fits into the
// evidence: the beginning and the end of what it writes, without secrets, cut between two characters (D-306).
import { type ChildProcess, spawn } from "node:child_process";
import { beginningOf, endingOf, type GivenEvidence, MAX_EVIDENCE } from "../domain/verification.ts";
import { createKeptOutput } from "./kept-output.ts";

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
