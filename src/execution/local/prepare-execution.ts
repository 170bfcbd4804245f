// Runs before the first task: ends the commands that a lost server has left running, and collects warnings about this
// machine.
import { mkdir } from "node:fs/promises";
import { OrchError } from "../../domain/errors.ts";
import type { Sandbox } from "./containment/choose-sandbox.ts";
import { endOrphanedNamespaces } from "./containment/orphaned-namespaces.ts";
import { AFTER_KILL_MS } from "./containment/process-group.ts";
import { findMachineWarnings } from "./machine-warnings.ts";
import { endLeftoverGroups, endLeftoverRunners } from "./runner/leftovers.ts";

type Preparation = Parameters<typeof findMachineWarnings>[0] & {
  readonly sandbox: Sandbox;
  /** The directory with the records of running groups; created when it is missing. */
  readonly running_dir: string;
};

type LogEntry = { readonly message: string } & Readonly<Record<string, unknown>>;

const GRACE_MS = 5_000;

/** Sentences for the log, each with its facts. */
export async function prepareExecution({ running_dir, ...machine }: Preparation): Promise<LogEntry[]> {
  await mkdir(running_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const message = `The directory ${running_dir} cannot be created (${error.code}).`;
    throw new OrchError("config_invalid", message, { fix: "Set ORCH_DATA_DIR to one that can.", cause: error });
  });
  const leftovers = await endLeftoverGroups(running_dir, GRACE_MS);
  // It waits for its commands itself: those in namespaces are not among the groups.
  const runners = await endLeftoverRunners(running_dir, GRACE_MS + AFTER_KILL_MS);
  await endOrphanedNamespaces();
  const left = runners.filter(({ ended }) => !ended).map((runner) => ({ ...runner, message: RUNNER_NOT_ENDED }));
  const entries = leftovers.map((leftover) => ({ ...leftover, message: leftover.ended ? ENDED : NOT_ENDED }));
  return [...entries, ...left, ...(await findMachineWarnings(machine))];
}

const RUNNER_NOT_ENDED = "the process that ran the commands of a lost server could not be ended; end it by hand.";

const ENDED = "a command that a lost server had left running was ended; check what it may have half done.";

const NOT_ENDED = "a command that a lost server had left running could not be ended; end it by hand.";
