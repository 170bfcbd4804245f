// Runs the probes of a check (D-193): its control in an empty world, and the check on this machine with a decoy in the place of
// its target.
import { createHash } from "node:crypto";
import { constants, lchown, mkdir, readdir, realpath, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import PQueue from "p-queue";
import type { TaskContract } from "../../../domain/contract.ts";
import type { Look } from "../../../domain/proof.ts";
import { isRed } from "../../../domain/step-run.ts";
import { type Probes, readPipes } from "../../../proof/proof.ts";
import { programIn } from "../../sandbox/programs.ts";
import type { Sandbox, StepAccount } from "../../sandbox/sandbox.ts";
import { baseEnvironment, isAllowed, type UserAccount } from "../environment.ts";
import type { InNetwork } from "../network/agent-networks.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import { CLOCK_START, jumpingClock, PERL_MODULE } from "./clock.ts";
import { createControl, inPrivateDirectory } from "./control.ts";

const DECOY_MS = 5_000;

const OTHER_LINES = 10_000;

const LONG_AGO = new Date("2001-01-01");

type Means = {
  readonly account: UserAccount;
  readonly runCommand: RunCommand;
  /** No world shows these: the checkout and the data of orch. */
  readonly hidden: readonly string[];
  readonly textAt: Probes["textAt"];
  /** Of a plain step, and of what an agent writes. */
  readonly plain: Sandbox;
  readonly agent: Sandbox;
  readonly inNetwork: InNetwork;
};

const NOT_ABORTED = new AbortController().signal;

/** `by_agent`: the contract of the agent whose check it is: its decoy runs as its commands do. Null for a check of a procedure. */
export type ProbesOf = (by_agent: TaskContract | null) => Probes;

export function createCheckProbes({ account, runCommand, hidden, textAt, plain, agent, inNetwork }: Means): ProbesOf {
  const base = baseEnvironment(account);
  const runControl = createControl({ runCommand, hidden, plain });
  // Looks have a time limit: more of them at once would take it from one another.
  const queue = new PQueue({ concurrency: Math.max(2, availableParallelism()) });
  return (by_agent) => ({
    control: async ({ script, env, directory, masked, programs }) => {
      const check = {
        script,
        env: { ...base, ...env },
        directory: directory ?? account.home,
        masked,
        programs,
      };
      return queue.add(() => runControl(check, NOT_ABORTED));
    },
    decoy: (scriptIn) =>
      queue.add(() =>
        inPrivateDirectory((directory) =>
          inPrivateDirectory(async (clockDirectory) => {
            await furnish(directory);
            const { script, env } = await scriptIn(directory);
            const all = { ...base, ...env };
            const path = all["PATH"] ?? "";
            const clock = await makeDecoyClock(clockDirectory, path);
            const command = {
              // The text is an argument of bash, as it is in a step: a check that finds itself there has to find itself here.
              script: `${clock.begin}${script}`,
              strict: false,
              ...(readPipes(script, { strict: false }).last_part_decides && { last_part_decides: true as const }),
              cwd: directory,
              env: { ...all, PATH: `${clock.programs}:${path}`, ...(by_agent !== null && { TMPDIR: clockDirectory }) },
              ...(by_agent !== null && { sandbox: { ...agent, writable: [directory, clockDirectory] } }),
            };
            if (by_agent !== null) await handOver([directory, clockDirectory], agent.account);
            const run = by_agent === null ? runCommand : inNetwork(runCommand, by_agent);
            const end = await run({ ...command, limit_ms: DECOY_MS, grace_ms: 0 }, NOT_ABORTED);
            return lookOf(end);
          }),
        ),
      ),
    fingerprint: async (programs) => {
      const found = await Promise.all(programs.map((program) => identityOf(program, base["PATH"] ?? "")));
      return createHash("sha256").update(JSON.stringify(found)).digest("hex");
    },
    textAt,
  });
}

/** A directory of something else: that there is anything in it says nothing of the target. */
async function furnish(directory: string): Promise<void> {
  await mkdir(join(directory, "other"));
  const text = "other\n".repeat(OTHER_LINES);
  await Promise.all([join("other", "other"), "other-file"].map((name) => writeFile(join(directory, name), text)));
  // All of it is new in the empty world and old here: a check that only asks for an age is green in one of them.
  for (const name of [join("other", "other"), "other-file", "other", ""])
    await utimes(join(directory, name), LONG_AGO, LONG_AGO);
}

async function handOver(directories: readonly string[], account: StepAccount | null): Promise<void> {
  if (account === null) return;
  for (const directory of directories) {
    const below = await readdir(directory, { recursive: true });
    for (const name of ["", ...below]) await lchown(join(directory, name), account.uid, account.gid);
  }
}

function lookOf(end: CommandEnd): Look {
  if (!end.ran) return { answer: "cannot_tell", exit_code: null, reason: end.reason };
  const { exit_code, stopped } = end;
  if (stopped !== null) return { answer: "cannot_tell", exit_code, reason: "it reached the time limit of the look" };
  if (exit_code === 0) return { answer: "green", exit_code, reason: null };
  if (exit_code !== null && isRed(exit_code)) return { answer: "red", exit_code, reason: null };
  return { answer: "cannot_tell", exit_code, reason: `it could not be run: exit code ${exit_code ?? "none"}` };
}

/** The file that has the name on PATH, with what changes when it is replaced. Null for none. */
async function identityOf(program: string, path: string): Promise<readonly unknown[]> {
  const found = program.includes("/")
    ? await firstWith(constants.R_OK, [program])
    : await firstWith(constants.X_OK, filesIn(path.split(delimiter), program));
  if (found === null) return [program, null];
  const file = await realpath(found);
  const { size, mtimeMs } = await stat(file);
  return [program, file, size, mtimeMs];
}

const filesIn = (directories: readonly string[], name: string): string[] =>
  directories.map((directory) => join(directory, name));

async function firstWith(right: number, files: readonly string[]): Promise<string | null> {
  for (const file of files) if (await isAllowed(file, right)) return file;
  return null;
}

type DecoyClock = {
  /** To be put before the text. */
  readonly begin: string;
  /** Before the PATH of the check. */
  readonly programs: string;
};

const DECOY_PRELUDE = programIn(import.meta.dirname, "decoy-prelude.sh");
const REAL = ["sleep", "date", "timeout", "curl", "mkfifo"];

/** `directory`: private, empty, with a plain path. */
async function makeDecoyClock(directory: string, path: string): Promise<DecoyClock> {
  const at = (name: string) => join(directory, name);
  const [prelude, programs, real] = [at("prelude"), at("programs"), at("real")] as const;
  const modules = at("modules");
  const clock = jumpingClock({
    clock: at("clock"),
    prelude,
    fifo: at("fifo"),
    programs: real,
    python: modules,
    perl: modules,
    begin: DECOY_PRELUDE,
  });
  await Promise.all([programs, real, modules].map((one) => mkdir(one)));
  const places = path.split(delimiter).filter((one) => one.startsWith("/"));
  const found = await Promise.all(
    REAL.map(async (name) => [name, await firstWith(constants.X_OK, filesIn(places, name))] as const),
  );
  const there = new Map(found.flatMap(([name, file]) => (file === null ? [] : [[name, file]])));
  const doubles = Object.entries({ ...clock.timers, curl: clock.retryingCurl }).filter(([name]) => there.has(name));
  await Promise.all([
    writeFile(prelude, clock.prelude),
    writeFile(at("clock"), CLOCK_START),
    writeFile(join(modules, "sitecustomize.py"), clock.python),
    writeFile(join(modules, `${PERL_MODULE}.pm`), clock.perl),
    ...doubles.map(([name, text]) => writeFile(join(programs, name), text, { mode: 0o755 })),
    ...[...there].map(([name, file]) => symlink(file, join(real, name))),
  ]);
  return { begin: `. ${prelude}\n`, programs };
}
