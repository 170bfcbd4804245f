// What the exit code of a command says. One table: the program returns these, and its help prints them.
import { hasEnded, type TaskStatus } from "../domain/outcome.ts";

export const EXIT = {
  done: 0,
  not_ok: 1,
  usage: 2,
  need_input: 3,
  need_approval: 4,
  refused: 5,
  unreachable: 6,
  still_running: 7,
  fault: 70,
  interrupted: 130,
  not_read: 141,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done; for a task: it ended ok, or was accepted when nothing was waited for; task ID alone only shows it",
  not_ok: "the task failed, was blocked or cancelled; or what was checked is not right",
  usage: "the command line, a file or a variable is wrong",
  need_input: "the task waits for teach or resolve",
  need_approval: "the task waits for an approval; policy check: the command would need one",
  refused: "orch refused the call: not found, conflict, forbidden, too many",
  unreachable: "orch cannot be reached, or does not know the token",
  still_running: "--wait ran out and the task is still under way",
  fault: "a fault of orch itself",
  interrupted: "stopped with Ctrl-C",
  not_read: "whoever reads the output has stopped, as head does",
};

/** `waited`: the caller wanted to know the end, so a task that is under way is not enough. */
export function taskExit(status: TaskStatus, waited: boolean): ExitCode {
  if (status === "ok") return EXIT.done;
  if (hasEnded(status)) return EXIT.not_ok;
  if (status === "need_input") return EXIT.need_input;
  if (status === "need_approval") return EXIT.need_approval;
  return waited ? EXIT.still_running : EXIT.done;
}
