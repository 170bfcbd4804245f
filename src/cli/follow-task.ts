// Prints for --follow the journal of a task from its first event until the task has ended, and under each step what it
// writes while it runs. It continues across pauses, for which it prints the command that answers, and across restarts of
// the server.
import type { z } from "zod";
import { getTask } from "../api/operations/shapes/tasks.ts";
import { type EventReader, LAST_LINES } from "../domain/event.ts";
import { EVENT_BODIES, type EventRecord } from "../domain/journal.ts";
import type { LivePiece } from "../domain/live-output.ts";
import { hasEnded } from "../domain/outcome.ts";
import { printableLines } from "../domain/printable.ts";
import { createShownEvents } from "../domain/shown-event.ts";
import type { StepResult } from "../domain/step.ts";
import { approve } from "../features/approvals/shapes.ts";
import type { CallOperation } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { type ExitCode, taskExit, tried } from "./failure.ts";
import { commandsFor, nextLines } from "./next-commands.ts";
import type { Out, Paint } from "./out.ts";
import { followJournal } from "./read-stream.ts";
import { painted } from "./text-format.ts";
import { leave } from "./wait-for-task.ts";
import { createPatientCall } from "./while-restarting.ts";

// Formats the events of a journal as text, for `orch task --follow`.

const ABOUT = 17;

/** Before the lines under an event. */
const INDENT = " ".repeat(ABOUT + 12);

/** Takes the events in their order. `wasShown` when the output of the step has been shown while it ran. */
export function createEventFormat(
  paint: Paint,
  wasShown: EventReader["wasShown"] = () => false,
  program = "orch",
): (event: z.infer<typeof EventRecord>) => string[] {
  const show = createShownEvents({ program, wasShown, linesOf: (next) => nextLines(next, program) });
  return (event) => {
    const { about, text, state = "", more = [] } = show(event);
    const name = painted(paint, state, about.padEnd(ABOUT));
    return [`${paint("dim", clockOf(event.at))}  ${name}  ${text}`.trimEnd(), ...more.map(indented)];
  };
}

const indented = (line: string): string => `${INDENT}${line}`;

/** Time of day in the local time zone. */
const clockOf = (at: string): string => new Date(at).toTimeString().slice(0, 8);

export async function followTask(context: CommandContext, task_id: string): Promise<ExitCode> {
  const { out } = context;
  const call = createPatientCall(context);
  const live = createLiveText(out);
  const format = createEventFormat(out.paint, live.wasShown, out.program);
  context.onInterrupt(() => {
    live.close();
    return leave(out, task_id, "--follow");
  });
  let isReported = false;
  try {
    for await (const item of followJournal(context, task_id)) {
      if (item.kind === "output") live.show(item.piece);
      if (item.kind === "lost") live.restart();
      if (item.kind === "event") {
        live.before(item.event);
        out.item(item.event, () => format(item.event));
        isReported = item.event.kind === "reported";
      }
      if (item.kind === "status") {
        if (hasEnded(item.status)) {
          await notePromotion(context, call, task_id);
          return taskExit(item.status, true);
        }
        if (isReported) await noteAnswer(context, call, task_id);
        isReported = false;
      }
    }
  } finally {
    live.close();
  }
  const { status } = await call(getTask, { task_id });
  return taskExit(status, true);
}

/** Written to stderr, because stdout holds the events. */
async function noteAnswer({ out }: CommandContext, call: CallOperation, task_id: string): Promise<void> {
  const task = await tried(call(getTask, { task_id }));
  if (!task.ok || task.value.waiting === null) return;
  const [answer] = task.value.next;
  if (answer !== undefined) out.note(`orch: it waits; answer with: ${commandsFor(answer, out.program).join(", or ")}`);
}

/** A task that was taught has ended, and its procedure asks for its promotion a moment later. */
async function notePromotion({ out }: CommandContext, call: CallOperation, task_id: string): Promise<void> {
  const task = await tried(call(getTask, { task_id, wait_seconds: 1 }));
  const [first] = task.ok ? task.value.next : [];
  if (first?.operation !== approve.name) return;
  out.note(`orch: ${first.text} Answer with: ${commandsFor(first, out.program).join(", or ")}`);
}

// Shows what a step writes while it runs, under its line. When the step has ended, only what is missing of its output is
// added, so that nothing is shown twice.

type Stream = LivePiece["stream"];
type At = Pick<LivePiece, "index" | "attempt">;

const STREAMS: readonly Stream[] = ["stdout", "stderr"];
const PREFIX = `${INDENT}| `;
/** So much of the shown text finds its place in the whole output. */
const COMPARED = 512;
/** Longer output is recorded with a gap in any case. */
const KEPT = 128 * 1024;

type LiveText = {
  readonly show: (piece: LivePiece) => void;
  /** To be called before anything else is written; adds what is missing of a step that has ended. */
  readonly before: (event: z.infer<typeof EventRecord>) => void;
  readonly wasShown: (step: At) => boolean;
  /** Ends a line that has no end yet. To be called before a note is written. */
  readonly close: () => void;
  /** The text will be sent again. */
  readonly restart: () => void;
};

export function createLiveText({ raw, json, item }: Out): LiveText {
  let step: At | null = null;
  let shown = new Map<Stream, string>();
  // The stream whose last line has not ended yet.
  let open: Stream | null = null;

  const wasShown = ({ index, attempt }: At) => step?.index === index && step.attempt === attempt;
  const close = () => {
    if (open !== null) raw("\n");
    open = null;
  };
  const leaveOut = (what: string) => {
    close();
    raw(`${PREFIX}[... ${what} ...]\n`);
  };
  const write = (stream: Stream, text: string) => {
    if (open !== stream) close();
    const [first = "", ...more] = text.split("\n").map((line) => printableLines(line).join(""));
    const lines = [open === stream || text === "" ? first : `${PREFIX}${first}`];
    for (const [at, line] of more.entries())
      lines.push(at === more.length - 1 && line === "" ? "" : `${PREFIX}${line}`);
    raw(lines.join("\n"));
    open = text.endsWith("\n") || text === "" ? null : stream;
  };

  const finish = (result: StepResult) => {
    for (const stream of STREAMS) {
      const before = shown.get(stream) ?? "";
      const whole = rest(result[stream], before);
      // A line that was cut by an event has its end already.
      const missing = before === "" || before.endsWith("\n") || open === stream ? whole : whole.replace(/^\n/, "");
      const lines = missing.replace(/\n$/, "").split("\n");
      if (lines.length > LAST_LINES) leaveOut(`${lines.length - LAST_LINES} lines left out`);
      if (missing !== "") write(stream, lines.slice(-LAST_LINES).join("\n"));
    }
  };

  return {
    wasShown,
    close,
    show: (piece) => {
      if (json) return item({ kind: "live_output", ...piece }, () => []);
      if (!wasShown(piece)) shown = new Map();
      step = piece;
      const { stream, text, missed_bytes } = piece;
      if (missed_bytes > 0) leaveOut(`${missed_bytes} bytes left out`);
      write(stream, text);
      shown.set(stream, ((shown.get(stream) ?? "") + text).slice(-KEPT));
    },
    before: ({ kind, body }) => {
      const result = kind === "step_finished" ? EVENT_BODIES.step_finished.safeParse(body).data : undefined;
      if (!json && result !== undefined && wasShown(result)) finish(result);
      close();
    },
    restart: () => {
      close();
      if (step !== null) leaveOut("the connection was lost; the last output may follow again");
      step = null;
      shown = new Map();
    },
  };
}

/** What follows the shown text in the whole; it is not the end of a stream of which a part was missed. */
function rest(whole: string, shown: string): string {
  if (whole.startsWith(shown)) return whole.slice(shown.length);
  const last = shown.slice(-COMPARED);
  const at = whole.lastIndexOf(last);
  return at === -1 ? whole : whole.slice(at + last.length);
}
