// Keeps apart what runs at the same time where an agent can write: what is looked at before a command starts (links, what git would
// run) is what it then meets, because no command of another agent changes it in between (D-277). It waits for the other's end.
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { writableIn } from "../../domain/step-run.ts";
import { isWithin, isWithinAny } from "./confinement/mount-table.ts";
import type { RunCommand } from "./run-command.ts";

/** A command that runs or wants to. */
type Use = {
  readonly task_id: string;
  /** What it can write as an agent's. */
  readonly writes: readonly string[];
  /** All on the way to the directories that it is given, after all links. */
  readonly ways: readonly string[];
  /** Whether it may work in one of the directories, or names it. An agent's has what it was given, and sees no more. */
  readonly isNear: (places: readonly string[]) => boolean;
};

export type Turns = {
  readonly ofAgents: (runCommand: RunCommand, contract: TaskContract) => RunCommand;
  readonly ofSteps: (runCommand: RunCommand, contract: TaskContract) => RunCommand;
};

export function createTurns(): Turns {
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

  return {
    ofAgents: (runCommand, contract) => async (command, abort) => {
      const { task_id, target } = contract;
      const { compose_dir } = target;
      const given = [...(compose_dir === undefined ? [] : [compose_dir]), ...writableIn(contract)];
      const writes = await Promise.all(given.map((path) => realpath(path).catch(() => path)));
      const use = { task_id, writes, ways: await waysTo(given), isNear: () => false };
      return inTurn(use, abort, () => runCommand(command, abort));
    },
    ofSteps: (runCommand, contract) => async (command, abort) => {
      const words = [command.script, ...Object.values(command.env)].join("\n");
      const { task_id, target } = contract;
      const { compose_dir } = target;
      const isNear = (places: readonly string[]) =>
        places.some((place) => isWithin(command.cwd, place) || isWithin(place, command.cwd) || words.includes(place));
      const use = { task_id, writes: [], ways: await waysTo([compose_dir ?? command.cwd]), isNear };
      return inTurn(use, abort, () => runCommand(command, abort));
    },
  };
}

const areInTheWay = (one: Use, other: Use): boolean =>
  one.task_id !== other.task_id && (reaches(one, other) || reaches(other, one));

const reaches = ({ writes }: Use, other: Use): boolean =>
  writes.length > 0 && (other.ways.some((way) => isWithinAny(way, writes)) || other.isNear(writes));

/** A component of a path may be a link now, and a directory when it is followed. */
async function waysTo(paths: readonly string[]): Promise<string[]> {
  const above = paths.flatMap(directoriesAbove);
  return Promise.all([...new Set(above)].map((path) => realpath(path).catch(() => path)));
}

function directoriesAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...directoriesAbove(above)];
}
