// The looks at a check that run something (D-193): its control in an empty world, and on this machine with a decoy in the place of
// its target.
import { createHash } from "node:crypto";
import { access, constants, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isRed, type Look } from "../../domain/proof.ts";
import type { CheckLooks } from "../../proof/examiner.ts";
import type { Confinement } from "./containment/containment.ts";
import { createControl } from "./control/control.ts";
import { baseEnvironment, type UserAccount } from "./environment.ts";
import type { CommandEnd, RunCommand } from "./run-command.ts";

const DECOY_MS = 5_000;

type Means = {
  readonly account: UserAccount;
  readonly runCommand: RunCommand;
  /** No world shows these: the checkout and the data of orch. */
  readonly hidden: readonly string[];
  /** Of what an agent writes. */
  readonly confinement: Confinement;
};

const NOT_ABORTED = new AbortController().signal;

export function createCheckLooks({ account, runCommand, hidden, confinement }: Means): CheckLooks {
  const base = baseEnvironment(account);
  const runControl = createControl({ runCommand, hidden });
  return {
    control: async ({ env, directory, ...given }) => {
      const check = { ...given, env: { ...base, ...env }, directory: directory ?? account.home };
      return runControl(check, NOT_ABORTED);
    },
    decoy: async (scriptIn, by_agent) => {
      const directory = await mkdtemp(join(tmpdir(), "w-"));
      try {
        const { script, env } = scriptIn(directory);
        const command = {
          script,
          strict: false,
          cwd: directory,
          env: { ...base, ...env },
          ...(by_agent && { confinement }),
        };
        return lookOf(await runCommand({ ...command, limit_ms: DECOY_MS, grace_ms: 0 }, NOT_ABORTED));
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    fingerprint: async (programs) => {
      const found = await Promise.all(programs.map((program) => identityOf(program, base["PATH"] ?? "")));
      return createHash("sha256").update(JSON.stringify(found)).digest("hex");
    },
  };
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
  const candidates = program.includes("/")
    ? [program]
    : path.split(delimiter).map((directory) => join(directory, program));
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    const file = await realpath(candidate);
    const { size, mtimeMs } = await stat(file);
    return [program, file, size, mtimeMs];
  }
  return [program, null];
}
