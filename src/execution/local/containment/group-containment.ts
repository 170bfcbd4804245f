// Keeps a command in its own process group. A process that moves to another session (setsid) leaves it and is not ended.
import { setTimeout as sleep } from "node:timers/promises";
import type { Contained, Containment, Ending, NeverBegan, ProcessContext } from "./containment.ts";
import { LAUNCH_GROUP, type Launched, launch, SHELL } from "./launcher.ts";
import { livingProcesses, processesMoved } from "./left-processes.ts";
import { AFTER_KILL_MS, signalGroup, signalProcess, stopGroup } from "./process-group.ts";
import type { Argv } from "./spawn-detached.ts";

const NOTICE_MS = 1_000;
const UNKNOWN: Ending = { exit_code: null, signal: null };

/** Records a group while it runs; the returned function removes the record. Its command begins once it is recorded. */
export type NoteGroup = (pid: number) => (() => void) | Promise<() => void>;

export type LaunchGroup = (argv: Argv, place: ProcessContext) => Promise<Launched | NeverBegan>;

export const launchGroup: LaunchGroup = (argv, place) => launch([...SHELL, LAUNCH_GROUP, "orch"], argv, place);

export function createGroupContainment(
  noteGroup: NoteGroup = () => () => {},
  start: LaunchGroup = launchGroup,
): Containment {
  return {
    name: "process_group",
    start: async (argv, place) => {
      const launched = await start(argv, place);
      return "fault" in launched ? launched : contained(launched, place, noteGroup);
    },
  };
}

function contained(launched: Launched, { env }: ProcessContext, noteGroup: NoteGroup): Contained {
  const { child, stdout, stderr, group, begin, ended, ending, letGo } = launched;
  const { ORCH_TASK_ID: task_id } = env;
  let strikeOut = () => {};
  const known = () => Promise.race([group, sleep(AFTER_KILL_MS, null, { ref: false })]);
  return {
    stdout,
    stderr,
    begin: () =>
      void group.then(async (pid) => {
        if (pid === null) return;
        strikeOut = await noteGroup(pid);
        if (child.killed) strikeOut();
        else begin();
      }),
    ended,
    left: async () => {
      const pid = await known();
      if (pid === null) return [];
      const members = signalGroup(pid, 0) ? ((await livingProcesses()) ?? []) : [];
      const moved = task_id === undefined ? [] : await processesMoved(pid, task_id);
      return [...members.filter((one) => one.group === pid), ...moved];
    },
    stop: async (grace_ms) => {
      const pid = await known();
      if (pid !== null) {
        // In its first moment it leads no group yet.
        if (ending() === null && !signalGroup(pid, 0)) signalProcess(pid, "SIGKILL");
        await stopGroup(pid, grace_ms);
      }
      const end = await Promise.race([ended, sleep(NOTICE_MS, UNKNOWN, { ref: false })]);
      strikeOut();
      // The command may have stopped its launcher (SIGSTOP). Only a process that survives SIGKILL is left.
      child.kill("SIGKILL");
      await letGo();
      return "fault" in end ? UNKNOWN : end;
    },
    clear: async () => {
      const pid = await known();
      if (pid !== null) signalGroup(pid, "SIGKILL");
      strikeOut();
      // Where it waits, the launcher ends by itself, and waits for what would have become the command.
      await letGo();
    },
  };
}
