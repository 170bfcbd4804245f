// Keeps a command in its own process group. A process that moves to another session (setsid) leaves it and is not ended.
import { setTimeout as sleep } from "node:timers/promises";
import type { Contained, Containment, Ending, NeverBegan, ProcessContext } from "./containment.ts";
import { livingProcesses, processesMoved } from "./left-processes.ts";
import { signalGroup, stopGroup } from "./process-group.ts";
import { type Running, runningChild } from "./running.ts";
import { type Argv, spawnDetached } from "./spawn-detached.ts";

const NODE_NOTICE_MS = 100;
const UNKNOWN: Ending = { exit_code: null, signal: null };

/** Records a group while it runs; the returned function removes the record. */
export type NoteGroup = (pid: number) => () => void;

export type SpawnGroup = {
  readonly spawn: (argv: Argv, place: ProcessContext) => Promise<Running | NeverBegan>;
  /** It waits at its gate. Null where none can be started so. */
  readonly spawnAtGate?: (argv: Argv, place: ProcessContext) => Promise<Running | NeverBegan | null>;
};

/** As a child of this process. */
export async function spawnChild(argv: Argv, place: ProcessContext, gate?: "at_gate"): Promise<Running | NeverBegan> {
  const started = await spawnDetached(argv, place, [
    "ignore",
    "pipe",
    "pipe",
    ...(gate === undefined ? [] : ["pipe" as const]),
  ]);
  return "fault" in started ? started : runningChild(started.child, started.pid, gate);
}

const asChild: SpawnGroup = {
  spawn: spawnChild,
  spawnAtGate: (argv, place) => spawnChild(argv, place, "at_gate"),
};

export function createGroupContainment(
  noteGroup: NoteGroup = () => () => {},
  { spawn, spawnAtGate }: SpawnGroup = asChild,
): Containment {
  const contained = ({ pid, stdout, stderr, ended, kill, unref }: Running, { env }: ProcessContext): Contained => {
    const strikeOut = noteGroup(pid);
    const { ORCH_TASK_ID: task_id } = env;
    return {
      stdout,
      stderr,
      ended,
      left: async () => {
        const members = signalGroup(pid, 0) ? ((await livingProcesses()) ?? []) : [];
        const moved = task_id === undefined ? [] : await processesMoved(pid, task_id);
        return [...members.filter(({ group }) => group === pid), ...moved];
      },
      stop: async (grace_ms) => {
        await stopGroup(pid, grace_ms);
        strikeOut();
        // The kernel may know of the end a moment before orch does.
        const ending = await Promise.race([ended, sleep(NODE_NOTICE_MS, UNKNOWN, { ref: false })]);
        // What waits for the command is in another group (D-311), and the command may have stopped it (SIGSTOP).
        kill();
        // Only a process that survives SIGKILL is left, and this server must be able to exit before it.
        unref();
        return "fault" in ending ? UNKNOWN : ending;
      },
      clear: async () => {
        signalGroup(pid, "SIGKILL");
        strikeOut();
      },
    };
  };
  return {
    name: "process_group",
    start: async (argv, place) => {
      const started = await spawn(argv, place);
      return "fault" in started ? started : contained(started, place);
    },
    hold: async (argv, place) => {
      const started = (await spawnAtGate?.(argv, place)) ?? null;
      if (started === null || "fault" in started || started.gate === null) return null;
      return { contained: contained(started, place), gate: started.gate };
    },
  };
}
