// Polls a task for --wait until it has ended, needs an answer, or the time is over, and says on a terminal what the task
// does meanwhile.

import type { TaskView } from "../api/operations/shapes/task-view.ts";
import { getTask } from "../api/operations/shapes/tasks.ts";
import { hasEnded, isPaused } from "../domain/outcome.ts";
import { plainWord, printable, span } from "../domain/printable.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode, taskExit } from "./failure.ts";
import { cutCell } from "./fit-table.ts";
import { taskLines } from "./show-task.ts";
import { waitText } from "./text-format.ts";
import { createPatientCall } from "./while-restarting.ts";

/** Waits for `seconds` at most, shows the task, and returns the exit code of its status. */
export async function showTask(
  context: CommandContext,
  view: TaskView,
  seconds: number | undefined,
): Promise<ExitCode> {
  const result = seconds === undefined ? view : await waited(context, view, seconds);
  context.out.answer(result, () => taskLines(result, context.out));
  return taskExit(result.status, seconds !== undefined);
}

async function waited(context: CommandContext, view: TaskView, seconds: number): Promise<TaskView> {
  const call = createPatientCall(context, { has_answered: true });
  const deadline = performance.now() + seconds * 1000;
  const line = createWaitLine(context, view.task_id);
  try {
    for (let seen = view; ; ) {
      const left = (deadline - performance.now()) / 1000;
      if (hasEnded(seen.status) || isPaused(seen.status) || left <= 0) return seen;
      line.show(seen);
      const wait_seconds = Math.ceil(Math.min(left, line.look_seconds));
      const next = await call(getTask, { task_id: view.task_id, wait_seconds });
      seen = next;
    }
  } finally {
    line.clear();
  }
}

// One line on a terminal that says what a task does while a command waits for it, and what Ctrl-C does not end.

type Context = Pick<CommandContext, "clock" | "stderr" | "onInterrupt" | "out">;

type WaitLine = {
  /** How long one look may take, in seconds: a line that is shown has to be kept true. */
  readonly look_seconds: number;
  readonly show: (view: TaskView) => void;
  readonly clear: () => void;
};

const LOOK_SECONDS = 2;
const ONE_WAIT_SECONDS = 50;
const LEAVES_IT = "; Ctrl-C leaves it running";
const TO_LINE_START = "\r\u001b[K";

/** After Ctrl-C. */
export function leave(out: Context["out"], task_id: string, option: "--wait" | "--follow"): ExitCode {
  out.note(`orch: the task goes on; see it with: ${out.program} task ${plainWord(task_id, "TASK")} ${option}`);
  return EXIT.interrupted;
}

/** Call `clear` before anything else is written. */
export function createWaitLine({ clock, stderr, onInterrupt, out }: Context, task_id: string): WaitLine {
  const isShown = stderr.isTTY === true && !out.json;
  const begun = clock().getTime();
  const wipe = () => void (isShown && stderr.write(TO_LINE_START));
  const stopListening = onInterrupt(() => {
    wipe();
    return leave(out, task_id, "--wait");
  });
  return {
    look_seconds: isShown ? LOOK_SECONDS : ONE_WAIT_SECONDS,
    show: (view) => {
      if (!isShown) return;
      const line = printable(`${view.label.toLowerCase()}: ${whatRuns(view)}, ${span(clock().getTime() - begun)}`);
      const room = (stderr.columns || 80) - 1 - LEAVES_IT.length;
      stderr.write(`${TO_LINE_START}${cutCell(line, Math.max(1, room))}${LEAVES_IT}`);
    },
    clear: () => {
      stopListening();
      wipe();
    },
  };
}

function whatRuns({ steps, waiting_text, progress, waits_for }: TaskView): string {
  if (waiting_text !== null) return waiting_text.replace(/\.$/, "");
  if (waits_for !== null) return waitText(waits_for);
  if (progress !== null) return `${progress.done} of ${progress.total}  ${progress.text}`;
  const running = steps.find(({ status }) => status === "running");
  if (running !== undefined) return `step ${running.index + 1} of ${steps.length}, ${running.kind}`;
  const passed = steps.filter(({ status }) => status === "passed").length;
  return steps.length === 0 ? "it begins" : `${passed} of ${steps.length} steps have passed`;
}
