// Runs the control of a check, in an empty world and, where it is green there, in a bare one, and says what its end means. A world is made and
// left within an empty machine by the scripts beside this file. Their lists are in a private directory, which is removed afterwards.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readPipes } from "../../../proof/proof.ts";
import { programIn, rightsWith } from "../../sandbox/programs.ts";
import { emptyMachine, PLAIN_STEP, type Sandbox } from "../../sandbox/sandbox.ts";
import { baseEnvironment } from "../environment.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import {
  type ControlCheck,
  type ControlLook,
  type ControlWorld,
  planBareWorld,
  planEmptyWorld,
  type RunControl,
  readShownMachine,
  type ShownMachine,
  type WorldPlan,
} from "./world.ts";

const LIMIT_MS = 5_000;
/** A red check that took no longer runs once more: chance may have decided. */
const CHEAP_MS = 400;
const LEAST_MS = 500;

type ControlMeans = {
  readonly runCommand: RunCommand;
  /** Paths that no world shows: the checkout and the data of orch. */
  readonly hidden?: readonly string[];
  /** What a plain step runs in, and so the empty machine. */
  readonly plain?: Sandbox;
  readonly limit_ms?: number;
  readonly cheap_ms?: number;
};

export function createControl(means: ControlMeans): RunControl {
  const { runCommand, hidden = [], plain = PLAIN_STEP, limit_ms = LIMIT_MS, cheap_ms = CHEAP_MS } = means;
  const sandbox = emptyMachine(plain);
  let machine: Promise<ShownMachine> | undefined;
  let bareFiles: Promise<string[] | string> | undefined;

  const within = (
    check: ControlCheck,
    world: "empty" | "bare",
    given: { readonly limit_ms: number; readonly abort: AbortSignal },
  ) =>
    inPrivateDirectory(async (directory): Promise<WorldEnd> => {
      machine ??= readShownMachine();
      const facts = { machine: await machine, check, hidden, directory };
      const plan = await planFor(world, facts);
      if (typeof plan === "string") return { kind: "fault", reason: plan };
      const { limit_ms: limit } = given;
      const run = { runCommand, sandbox, plan, check, first: facts.machine.first, directory, limit_ms: limit };
      return runWorld(run, given.abort);
    });

  const planFor = async (
    world: "empty" | "bare",
    facts: Parameters<typeof planEmptyWorld>[0],
  ): Promise<WorldPlan | string> => {
    if (world === "empty") return planEmptyWorld(facts);
    bareFiles ??= bareProgramFiles(runCommand, new AbortController().signal);
    const files = await bareFiles;
    return typeof files === "string" ? files : planBareWorld(facts, files);
  };

  const look = async (check: ControlCheck, abort: AbortSignal): Promise<ControlLook> => {
    const start = performance.now();
    const left = () => Math.max(LEAST_MS, limit_ms - (performance.now() - start));
    const first = await within(check, "empty", { limit_ms, abort });
    const spent = performance.now() - start;
    const empty = lookOf(first, "empty", limit_ms);
    if (empty.answer === "red" && spent < cheap_ms && !empty.wrote) {
      const again = await within(check, "empty", { limit_ms: left(), abort });
      return differs(again) ? { ...empty, answer: "cannot_tell", reason: CHANCE } : empty;
    }
    if (empty.answer !== "green") return empty;
    const bare = await within(check, "bare", { limit_ms: left(), abort });
    // Programs may have been exchanged since they were listed.
    if (bare.kind === "fault") bareFiles = undefined;
    if (bare.kind !== "ended") return empty;
    return { ...lookOf(bare, "bare", limit_ms), wrote: empty.wrote };
  };

  return async (check, abort) => look(check, abort).catch(notMade);
}

const CHANCE = "it was red in one run and green in another in the same empty world";

const differs = (end: WorldEnd): boolean => end.kind === "ended" && end.exit_code === 0;

function lookOf(end: WorldEnd, world: "empty" | "bare", limit_ms: number): ControlLook {
  const answer = answerOf(end, world);
  const code = end.kind === "ended" ? end.exit_code : null;
  const wrote = end.kind === "ended" && end.wrote;
  return { answer, world, exit_code: code, wrote, reason: sentenceOf(end, answer, limit_ms) };
}

const notMade = (error: unknown): ControlLook => ({
  answer: "not_possible",
  world: "empty",
  exit_code: null,
  wrote: false,
  reason: `no empty world can be made here: ${error instanceof Error ? error.message : String(error)}`,
});

const PROBE = { env: {}, directory: "/srv", masked: [], programs: [] };

/** Why no control is possible here, null when it is. The answer is kept. */
export function createControlProbe(runControl: RunControl): () => Promise<string | null> {
  let fault: Promise<string | null> | undefined;
  const ask = async () => {
    const { answer, reason } = await runControl({ ...PROBE, script: "exit 1" }, new AbortController().signal);
    return answer === "red" ? null : (reason ?? `a check that fails was ${answer}`);
  };
  return () => {
    fault ??= ask();
    return fault;
  };
}

const PROGRAMS = `bash sh dash env setpriv setsid umount pivot_root rm
  [ test true false echo printf cat head tail cut paste join sort uniq comm tac rev nl wc tr fold fmt column expand unexpand
  od xxd base32 base64 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum seq expr factor numfmt bc dc shuf
  split csplit tee xargs basename dirname mktemp touch mkdir cp mv ln rmdir cmp diff grep egrep fgrep sed awk mawk gawk
  nawk jq yes getopt`;
const BARE_PROGRAMS_LIMIT_MS = 20_000;
const SCRIPT = `for name in $NAMES; do type -P "$name" || :; done | sort -u >&1
type -P $NAMES | sort -u | xargs -r ldd 2>/dev/null | sed -nE 's/.*=> (\\/[^ ]+) .*/\\1/p; s/^[[:space:]]+(\\/[^ ]+) \\(.*/\\1/p' | sort -u || :`;

/**
 * The programs of the bare world: those that only compute, with the libraries that they load. Paths of files, or the reason why
 * there are none.
 */
async function bareProgramFiles(runCommand: RunCommand, abort: AbortSignal): Promise<string[] | string> {
  const env = { ...baseEnvironment({ home: "/" }), NAMES: PROGRAMS.trim().split(/\s+/).join(" ") };
  const command = { script: SCRIPT, strict: false, cwd: "/", env, limit_ms: BARE_PROGRAMS_LIMIT_MS, grace_ms: 0 };
  const end = await runCommand(command, abort);
  if (!end.ran) return end.reason;
  const paths = end.stdout.text.split("\n").filter((path) => path.startsWith("/"));
  return paths.includes("/usr/bin/bash") || paths.includes("/bin/bash") ? [...new Set(paths)] : "bash was not found";
}

/** A shell's exit codes for a program that could not be run or was ended by a signal. 255 is that of ssh. */
const isBroken = (code: number | null): boolean =>
  code !== null && (code === 126 || code === 127 || (code > 128 && code <= 192));

/** What the end of a check in a world says: red, green, or that the check itself could not run there. */
export function answerOf(end: WorldEnd, world: ControlWorld): ControlLook["answer"] {
  if (end.kind === "fault") return "not_possible";
  if (end.kind !== "ended") return "cannot_tell";
  // What the bare world lacks is what the check depends on.
  if (world === "bare") return end.exit_code === 0 ? "green" : "red";
  if (end.missing !== null || isBroken(end.exit_code)) return "cannot_tell";
  if (end.exit_code === 0) return "green";
  return end.absent.length === 0 ? "red" : "cannot_tell";
}

/** Null when there is an answer. */
export function sentenceOf(end: WorldEnd, answer: ControlLook["answer"], limit_ms: number): string | null {
  if (answer === "red" || answer === "green") return null;
  if (end.kind === "fault") return `no empty world can be made here: ${end.reason}`;
  if (end.kind === "stopped") return `it did not end within ${limit_ms / 1000} s`;
  if (end.kind === "lost") return "the world ended before the check did";
  const names = [...new Set([...(end.missing ?? []), ...end.absent])];
  if (names.length > 0) return `not found in the empty world: ${names.join(", ")}`;
  if (end.missing !== null) return "a program was not found in the empty world";
  return `it ended with ${end.exit_code}, as a program does that cannot run or that a signal ends`;
}

// Makes one world, runs the check in it, and says what was seen.

/** `absent`: programs of the check that the world has not; `missing`: names that the shell did not find while it ran. */
export type WorldEnd =
  | {
      readonly kind: "ended" /** Null: it waited for longer than its own time limit. */;
      readonly exit_code: number | null;
      readonly wrote: boolean;
      readonly absent: readonly string[];
      readonly missing: readonly string[] | null;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "lost" }
  | { readonly kind: "fault"; readonly reason: string };

type WorldRun = {
  readonly runCommand: RunCommand;
  readonly sandbox: Sandbox;
  readonly plan: WorldPlan;
  readonly check: ControlCheck;
  readonly first: string;
  /** Private and empty. */
  readonly directory: string;
  readonly limit_ms: number;
};

export async function inPrivateDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "w-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runWorld(run: WorldRun, abort: AbortSignal): Promise<WorldEnd> {
  await writeWorld(run);
  const env = { ...baseEnvironment({ home: "/" }), W: run.directory };
  const { runCommand, sandbox, limit_ms } = run;
  const end = await runCommand({ script: WORLD, strict: true, cwd: "/", env, limit_ms, grace_ms: 0, sandbox }, abort);
  return readEnd(end);
}

async function writeWorld({ plan, check, first, directory }: WorldRun): Promise<void> {
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(directory, name), text, { mode });
  const list = (name: string, items: readonly string[]) => put(name, items.map((item) => `${item}\0`).join(""));
  // Root may also give rights to files, which end with the world.
  const rights = rightsWith("setfcap");
  const env = Object.entries(check.env).map(([name, value]) => `${name}=${value}`);
  await Promise.all([
    ...SCRIPTS.map(([name, text]) => put(name, text)),
    ...[put("base", plan.base), put("world", plan.world), put("first", first), put("text", textOf(check))],
    ...[put("mounts", `${plan.mounts}\n`), put("inner", `${plan.inner}\n`), put("exempt", exemptions(check))],
    list("directories", plan.directories),
    list(
      "copied",
      plan.copied.map((path) => `.${path}`),
    ),
    list("whiteouts", plan.whiteouts),
    list("clock", [plan.clock.directory, ...plan.clock.programs]),
    list(
      "scanned",
      plan.covered.map((path) => `root${path}`),
    ),
    list("check", [
      ...[check.directory, rights, String(env.length), ...env],
      ...[String(check.programs.length), ...check.programs, ...plan.lent],
    ]),
    writeTree(join(directory, "tree"), plan),
  ]);
}

async function writeTree(tree: string, { files, programs, links }: WorldPlan): Promise<void> {
  const paths = [...Object.keys(files), ...Object.keys(programs), ...links.map(([path]) => `root${path}`)];
  const above = new Set([".", ...paths.map(dirname)]);
  for (const path of above) await mkdir(join(tree, path), { recursive: true, mode: 0o755 });
  await Promise.all([
    ...Object.entries(files).map(([path, text]) => writeFile(join(tree, path), text, { mode: 0o644 })),
    ...Object.entries(programs).map(async ([path, text]) => {
      await writeFile(join(tree, path), text, { mode: 0o755 });
      await chmod(join(tree, path), 0o755);
    }),
    ...links.map(([path, target]) => symlink(target, join(tree, "root", path))),
  ]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Read once and closed before the check runs: its text is in no argument, and in no file of the world. */
function textOf({ script }: ControlCheck): string {
  const pipes = readPipes(script, { strict: false }).last_part_decides ? "; set +o pipefail" : "";
  return `. /etc/bash.bashrc\nREPLY=${quoted(`unset REPLY${pipes}\n${script}`)}\nexec 8<&-\n`;
}

/** Lines of the list of changes that are no sign of a write: the clock, devices, files for a moment, names of mktemp. */
function exemptions({ env, script }: ControlCheck): string {
  const literal = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const home = literal(env["HOME"] ?? "/root");
  const temporary = env["TMPDIR"];
  const lines = [
    ...["^root/proc", "^root/dev\t", "^root/dev/([^s]|st)", "^root/dev/shm\t", "^root/sys"],
    ...["^root/run/(adjtime|motd\\.dynamic|initctl)\t", "^root(/var)?/tmp\t"],
    ...[`^root${home}(/\\.ssh)?\t`],
    ...(temporary === undefined ? [] : [`^root${literal(temporary)}(/|\t)`]),
    ...(script.includes("tmp.") ? [] : ["^root/tmp/tmp\\.[A-Za-z0-9]{10}(/|\t)"]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function readEnd(end: CommandEnd): WorldEnd {
  if (!end.ran) return { kind: "fault", reason: end.reason };
  if (end.stopped !== null) return { kind: "stopped" };
  const lines = end.stdout.text.split("\n");
  if (lines[0] !== "began")
    return { kind: "fault", reason: end.stderr.text.trim() || `the set-up ended with ${end.signal ?? end.exit_code}` };
  const [, code, missing] = /^ended (\d+) ([01])$/m.exec(end.stdout.text) ?? [];
  if (code === undefined) return { kind: "lost" };
  return {
    kind: "ended",
    exit_code: Number(code),
    wrote: lines.includes("wrote"),
    absent: wordsAfter("absent", lines),
    missing: missing === "1" ? wordsAfter("names", lines) : null,
  };
}

/** The check may have written the names. */
function wordsAfter(name: string, lines: readonly string[]): string[] {
  const line = lines.find((one) => one.startsWith(name)) ?? name;
  const words = line.slice(name.length).split(" ");
  return [...new Set(words.filter((word) => /^[\w.+-]{1,64}$/.test(word)))];
}

/** The first process: everything else is in its namespaces, which end with it. */
const WORLD = programIn(import.meta.dirname, "world.sh");

const SCRIPTS = [
  ["snapshot", programIn(import.meta.dirname, "snapshot.sh")],
  ["enter", programIn(import.meta.dirname, "enter-world.sh")],
  ["init", programIn(import.meta.dirname, "world-init.sh")],
] as const;
