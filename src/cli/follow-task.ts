// --follow: prints the journal of a task from its first event until the task has ended, and what its running step writes. It
// continues across pauses, for which it prints the command that answers, and across restarts of the server.
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { clearTextWarning } from "../config/connection.ts";
import { EVENT_BODIES, type EventRecord } from "../domain/journal.ts";
import { parseJson } from "../domain/json-values.ts";
import type { LivePiece } from "../domain/live-output.ts";
import { hasEnded } from "../domain/outcome.ts";
import { printableLines } from "../domain/printable.ts";
import type { StepResult } from "../domain/step.ts";
import { readEvents, refreshing } from "../http-client/event-stream.ts";
import { HttpFaultError, type OpenResponse, openRequest, textOf } from "../http-client/request.ts";
import { approve } from "../operations/shapes/approvals.ts";
import { journalStream } from "../operations/shapes/journal.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import { type CallOperation, refusal, strangeServer, unreachable, versionDiffers } from "./client.ts";
import type { CommandContext } from "./context.ts";
import { LAST_LINES } from "./event-text.ts";
import { type ExitCode, failed, taskExit, tried } from "./failure.ts";
import { createEventFormat, INDENT } from "./format-event.ts";
import { commandsFor } from "./next-commands.ts";
import type { Out } from "./out.ts";
import { createPatience, createPatientCall, leave } from "./wait-for-task.ts";

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

// Reads the stream of a task's journal, with what its running step writes, and connects again when the server restarts.

const SCHEMAS = journalStream.events;
type Data = { readonly [K in keyof typeof SCHEMAS]: z.output<(typeof SCHEMAS)[K]> };

/** `lost`: the connection was lost, and what was sent of a running step will come again. `over`: it had ended before. */
type StreamItem =
  | { readonly kind: "event"; readonly event: Data["message"] }
  | { readonly kind: "output"; readonly piece: Data["output"] }
  | { readonly kind: "status"; readonly status: Data["status"]["status"] }
  | { readonly kind: "lost" | "over" };

/** The server sends a comment every 15 s: after so long without a byte the connection is dead. */
const SILENCE_MS = 60_000;
const PAUSE_MS = 500;
/** Of one connection; the next goes on where it ended. */
const MAX_BYTES = 256 * 1024 * 1024;
const NO_CONTENT = 204;

/** Ends after the status of an ended task, or `over`. */
async function* followJournal(context: CommandContext, task_id: string): AsyncGenerator<StreamItem> {
  const connection = await context.connect();
  const warning = clearTextWarning(connection);
  if (warning !== null) context.out.note(`orch: ${warning}`);
  const patience = createPatience(context, false);
  for (let after = 0; ; ) {
    const opened = await tried(open(connection, task_id, after));
    if (!opened.ok) {
      if (opened.failure.code === "unreachable" && (await patience.pause())) continue;
      return failed(opened.failure);
    }
    patience.answered();
    if (opened.value.status === NO_CONTENT) return yield { kind: "over" };
    const before = after;
    for await (const item of itemsOf(connection, opened.value)) {
      yield item;
      if (item.kind === "status" && hasEnded(item.status)) return;
      if (item.kind === "event") after = item.event.seq;
    }
    yield { kind: "lost" };
    if (after === before) await sleep(PAUSE_MS);
  }
}

type Connection = Awaited<ReturnType<CommandContext["connect"]>>;

async function open(connection: Connection, task_id: string, after: number): Promise<OpenResponse> {
  const { token } = connection;
  const path = journalStream.path.replace("{task_id}", encodeURIComponent(task_id));
  const query = new URLSearchParams({ output: "live", ...(after > 0 && { after: String(after) }) });
  const headers = {
    accept: "text/event-stream",
    ...(token.value !== null && { authorization: `Bearer ${token.value}` }),
  };
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const response = await openRequest({
    method: "GET",
    url: `${connection.url}${path}?${query}`,
    headers,
    signal: silence.signal,
    max_bytes: MAX_BYTES,
  });
  if (!response.ok) {
    clearTimeout(timer);
    return failed(unreachable(connection, response.fault));
  }
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
  const body = refreshing(response.body, timer);
  if (response.status === NO_CONTENT || (response.status === 200 && isStream)) return { ...response, body };
  const answer = { ...response, text: await textOf(body).catch(() => "") };
  return failed(response.status === 200 ? strangeServer(connection, answer) : refusal(connection, token, answer));
}

/** Ends when the connection does. */
async function* itemsOf(connection: Connection, { body }: OpenResponse): AsyncGenerator<StreamItem> {
  try {
    for await (const { event: name = "message", data } of readEvents(body)) {
      const value = parseJson(data);
      if (name === "message") yield itemOf(connection, SCHEMAS.message, value, (event) => ({ kind: "event", event }));
      if (name === "output") yield itemOf(connection, SCHEMAS.output, value, (piece) => ({ kind: "output", piece }));
      if (name === "status")
        yield itemOf(connection, SCHEMAS.status, value, ({ status }) => ({ kind: "status", status }));
    }
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
  }
}

function itemOf<S extends z.ZodType>(
  connection: Connection,
  schema: S,
  value: unknown,
  item: (data: z.output<S>) => StreamItem,
): StreamItem {
  const read = schema.safeParse(value);
  return read.success ? item(read.data) : failed(versionDiffers(connection, journalStream.name, read.error));
}
