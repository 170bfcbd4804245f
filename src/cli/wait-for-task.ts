// --wait: polls a task until it has ended, needs an answer, or the time is over.
import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, isPaused } from "../domain/outcome.ts";
import { plainWord, printable } from "../domain/printable.ts";
import type { TaskView } from "../operations/shapes/task-view.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode, failed, taskExit, tried } from "./failure.ts";
import { taskLines } from "./show-task.ts";
import { cutCell, span, waitText } from "./text-format.ts";

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

// Repeats a call while its server restarts, so that --follow and --wait continue.

/** Repeats a call for `patience_ms` when the server stops answering. A server that has never answered is not called again. */
export function createPatientCall(context: CommandContext, { has_answered = false } = {}): CallOperation {
  const patience = createPatience(context, has_answered);
  return async (operation, input, as) => {
    for (;;) {
      // The first call after an outage returns at once, so that the user sees that the server is back.
      const request = patience.isAway() ? { ...input, wait_seconds: 0 } : input;
      const result = await tried(context.call(operation, request, as));
      if (result.ok || result.failure.code !== "unreachable") patience.answered();
      if (result.ok) return result.value;
      if (result.failure.code !== "unreachable" || !(await patience.pause())) return failed(result.failure);
    }
  };
}

// How long a server is asked again that has stopped answering, and what the user hears of it.

const PAUSE_MS = 500;

type Patience = {
  readonly isAway: () => boolean;
  readonly answered: () => void;
  /** Pauses, and resolves with true while it is to be asked again. A server that has never answered is not. */
  readonly pause: () => Promise<boolean>;
};

export function createPatience(
  { clock, patience_ms, out }: Pick<CommandContext, "clock" | "patience_ms" | "out">,
  has_answered: boolean,
): Patience {
  let hasAnswered = has_answered;
  let away_since: number | null = null;
  return {
    isAway: () => away_since !== null,
    answered: () => {
      if (away_since !== null) out.note("orch: it answers again");
      away_since = null;
      hasAnswered = true;
    },
    pause: async () => {
      const now = clock().getTime();
      if (!hasAnswered || now - (away_since ?? now) >= patience_ms) return false;
      if (away_since === null) out.note(`orch: it has stopped answering; asking again for ${patience_ms / 1000} s`);
      away_since ??= now;
      await sleep(PAUSE_MS);
      return true;
    },
  };
}
