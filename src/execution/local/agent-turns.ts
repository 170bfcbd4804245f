// Keeps apart what runs at the same time where an agent can write: what is looked at before a command starts (links, what git
// would run) is what it then meets, because no command of another agent changes it in between (D-277). It waits for the other's
// end.
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { writableIn } from "../../domain/step-run.ts";
import { placesNear } from "./agent-places.ts";
import { isWithinAny, underAllNames } from "./confinement/mount-table.ts";
import type { RunCommand, ShellCommand } from "./run-command.ts";

/** A command that runs or wants to. */
type Use = {
  readonly task_id: string;
  /** What it can write as an agent's, by all names: a file system may be mounted more than once. */
  readonly writes: readonly string[];
  readonly given: readonly string[];
  /** Of a step: it may work near a directory, or name it. An agent's command has what it was given, and sees no more. */
  readonly step: ShellCommand | null;
};

/** `shared`: what commands of all agents can write. */
export function createTurns(shared: readonly string[]) {
  const running = new Set<Use>();
  const waiting = new Set<() => void>();

  const inTurn = async (use: Use, abort: AbortSignal, run: () => ReturnType<RunCommand>): ReturnType<RunCommand> => {
    while ([...running].some((other) => areInTheWay(use, other))) {
      if (abort.aborted) return { ran: false, reason: "stopped while a command of an agent ran there" };
      await released(abort);
    }
    running.add(use);
    try {
      return await run();
    } finally {
      running.delete(use);
      for (const wake of waiting) wake();
    }
  };
  const released = (abort: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    abort.addEventListener("abort", () => resolve(), { once: true });
    return promise.finally(() => waiting.delete(resolve));
  };

  const runInTurn =
    (useOf: (contract: TaskContract, command: ShellCommand) => Omit<Use, "task_id">) =>
    (runCommand: RunCommand, contract: TaskContract): RunCommand =>
    (command, abort) => {
      const use = { task_id: contract.task_id, ...useOf(contract, command) };
      return inTurn(use, abort, () => runCommand(command, abort));
    };

  return {
    ofAgents: runInTurn((contract) => {
      const given = namedIn(contract);
      return { writes: underAllNames([...given, ...shared].map(realPath)), given, step: null };
    }),
    ofSteps: runInTurn((contract, step) => ({ writes: [], given: directoryOf(contract), step })),
  };
}

const directoryOf = ({ target: { compose_dir } }: Pick<TaskContract, "target">): string[] =>
  compose_dir === undefined ? [] : [compose_dir];

/** The directories that the commands of an agent may write by the contract. */
export const namedIn = (contract: Pick<TaskContract, "target" | "constraints">): string[] => [
  ...directoryOf(contract),
  ...writableIn(contract),
];

const areInTheWay = (one: Use, other: Use): boolean =>
  one.task_id !== other.task_id && (reaches(one, other) || reaches(other, one));

/** Looks at nothing where no agent is in it: every step asks. */
const reaches = ({ writes }: Use, { given, step }: Use): boolean =>
  writes.length > 0 &&
  (waysTo(given).some((way) => isWithinAny(way, writes)) || (step !== null && placesNear(step, writes).length > 0));

/** After all links. A component of a path may be a link now, and a directory when it is followed. */
const waysTo = (paths: readonly string[]): string[] => [...new Set(paths.flatMap(directoriesAbove))].map(realPath);

function directoriesAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...directoriesAbove(above)];
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
