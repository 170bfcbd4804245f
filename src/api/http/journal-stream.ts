// Serves as server-sent events the journal of a task, GET /v1/tasks/{task_id}/journal/stream, with what a running step writes on
// request (D-196), and the messages to the supervisor, GET /v1/events. They come from the operations read_journal and
// list_messages: one truth, one redaction, one limit of waits.
import { z } from "zod";
import type { EventReader } from "../../domain/event.ts";
import type { EventRecord } from "../../domain/journal.ts";
import type { LiveOutput, LivePiece, StepAttempt } from "../../domain/live-output.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { createShownEvents, type ShownEvent } from "../../domain/shown-event.ts";
import { type AnyOperation, callOperation } from "../operations/operation.ts";
import { journalStream, listMessages, messageStream, readJournal } from "../operations/shapes/journal.ts";
import type { HttpEndpoint } from "./app.ts";
import {
  firstPage,
  keepAlive,
  operationNamed,
  type SendEvent,
  SILENCE_SECONDS,
  sendEvents,
  streamInput,
} from "./event-stream.ts";
import { sendProblem } from "./problem.ts";

type Deps = { readonly operations: readonly AnyOperation[]; readonly live: LiveOutput };

const NOTHING: LiveOutput = { watch: () => ({ read: () => [], close: () => undefined }) };

export function createJournalStream({ operations, live }: Deps): HttpEndpoint {
  const operation = operationNamed(operations, readJournal.name);
  return {
    path: journalStream.path,
    methods: ["GET"],
    stream: journalStream,
    handle: async (request, response, caller) => {
      const refusal = await caller.refusalOf(journalStream);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { task_id, after, output, shown } = streamInput(journalStream, request);
      const read: ReadPage = async (from, wait_seconds, signal) =>
        readJournal.output.parse(
          await callOperation(operation, { task_id, after: from, limit: PAGE, wait_seconds }, { ...caller, signal }),
        );
      const first = await firstPage(journalStream, request, () => read(after, 0, caller.signal));
      // A browser connects again after the end of a stream, unless it gets this.
      if (first.events.length === 0 && hasEnded(first.status)) return void response.status(204).end();
      const { watch } = output === "live" ? live : NOTHING;
      const show = shown === undefined ? null : await showsAfter(after, (from) => read(from, 0, caller.signal));
      const source = { read, after, watch: (onMore: () => void) => watch(task_id, onMore), show };
      await sendEvents(request, response, caller.signal, (send) => writeJournal(source, send, caller.signal, first));
    },
  };
}

const PAGE = 500;

type Page = z.output<(typeof readJournal)["output"]>;
type ReadPage = (after: number, wait_seconds: number, signal: AbortSignal) => Promise<Page>;
type Source = {
  readonly read: ReadPage;
  readonly watch: (onMore: () => void) => ReturnType<LiveOutput["watch"]>;
  /** The last event that the reader has. */
  readonly after: number;
  /** Null where lines for people are not asked for. */
  readonly show: ShowEvent | null;
};

type ShowEvent = (event: z.infer<typeof EventRecord>) => ShownEvent;

/** Those who read the lines elsewhere than in a terminal. */
const PEOPLE: EventReader = {
  program: "orch",
  wasShown: () => false,
  linesOf: (next) => next.map(({ text }) => text),
};

/** Shows the events after one, with what those up to it say of them. */
async function showsAfter(after: number, read: (from: number) => Promise<Page>): Promise<ShowEvent> {
  const show = createShownEvents(PEOPLE);
  for (let from = 0; from < after; ) {
    const { events, next_after } = await read(from);
    for (const event of events) if (event.seq <= after) show(event);
    if (events.length === 0) break;
    from = next_after;
  }
  return show;
}

/**
 * Writes the journal of a task, and what its running steps write, as server-sent events. What a step writes is sent after its
 * start and never after its end (D-397), and waits for a slow reader without being kept for it. Resolves when the task has ended,
 * or the signal aborts.
 */
export async function writeJournal(
  { read, watch, after, show }: Source,
  send: SendEvent,
  signal: AbortSignal,
  first: Page,
): Promise<void> {
  let more = new AbortController();
  const steps = createRunningSteps(after, PAGE, async (from) => (await read(from, 0, signal)).events);
  const reader = watch(() => more.abort());
  try {
    let pieces: LivePiece[] = [];
    for (let page = first; !signal.aborted; ) {
      const { events, status, next_after } = page;
      const isWhole = events.length < PAGE;
      for (const event of events) {
        // Before it: a reader that goes on after an event has its line.
        if (show !== null) await send(namedEvent("shown", show(event)));
        await send(`id: ${event.seq}\ndata: ${JSON.stringify(event)}`);
      }
      steps.follow(events);
      if (isWhole) {
        // What was written before these events were read belongs to a step whose start they, or earlier ones, hold.
        for (const piece of pieces) if (await steps.runs(piece)) await send(namedEvent("output", piece));
        if (events.length > 0 || hasEnded(status)) await send(namedEvent("status", { status }));
        if (hasEnded(status)) return;
      }
      more = new AbortController();
      if (isWhole) pieces = reader.read();
      const waits = isWhole && pieces.length === 0;
      const begun = performance.now();
      page = await read(next_after, waits ? SILENCE_SECONDS : 0, AbortSignal.any([signal, more.signal]));
      if (!waits || page.events.length > 0 || more.signal.aborted || hasEnded(page.status)) continue;
      await keepAlive(send, begun, signal);
    }
  } finally {
    reader.close();
  }
}

const namedEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}`;

type Recorded = Pick<z.infer<typeof EventRecord>, "seq" | "kind" | "body">;
/** The events of a page after a sequence number. */
type ReadEvents = (after: number) => Promise<readonly Recorded[]>;

type RunningSteps = {
  /** The events that the reader has got. */
  readonly follow: (events: readonly Recorded[]) => void;
  readonly runs: (step: StepAttempt) => Promise<boolean>;
};

/**
 * Which steps run, as far as a reader has the journal. What a step writes may come from another server, and so later than the end
 * of the step (D-397): it is sent to a reader who has its start and not its end. `after`: the last event that the reader had
 * before. Those up to it are read back when a step is asked for whose start is not after it.
 */
export function createRunningSteps(after: number, page: number, read: ReadEvents): RunningSteps {
  const states = new Map<string, boolean>();
  let isKnown = after === 0;
  return {
    follow: (events) => {
      for (const event of events) isKnown = evolve(states, event) || isKnown;
    },
    runs: async (step) => {
      const state = states.get(keyOf(step));
      if (state !== undefined || isKnown) return state === true;
      isKnown = true;
      const before = await readBack(after, page, read);
      for (const [key, was] of before) if (!states.has(key)) states.set(key, was);
      return states.get(keyOf(step)) === true;
    },
  };
}

/** Back to the last claim: no step of an earlier one runs. */
async function readBack(after: number, page: number, read: ReadEvents): Promise<Map<string, boolean>> {
  let known: readonly Recorded[] = [];
  for (let to = after; to > 0 && !known.some(isClaim); to -= page) {
    const events = await read(Math.max(0, to - page));
    known = [...events.filter(({ seq }) => seq <= to), ...known];
  }
  const states = new Map<string, boolean>();
  for (const event of known) evolve(states, event);
  return states;
}

const isClaim = ({ kind }: Recorded): boolean => kind === "taken_up";

const AtStep = z.looseObject({ index: z.int(), attempt: z.int() });

/** Whether it says so of every step. */
function evolve(states: Map<string, boolean>, event: Recorded): boolean {
  if (isClaim(event)) for (const key of states.keys()) states.set(key, false);
  if (event.kind === "step_started" || event.kind === "step_finished")
    states.set(keyOf(AtStep.parse(event.body)), event.kind === "step_started");
  return isClaim(event);
}

const keyOf = ({ index, attempt }: StepAttempt): string => `${index} ${attempt}`;

const MESSAGE_STREAM_PAGE = 100;

/**
 * GET /v1/events: the messages to the supervisor as server-sent events (D-203). They come from the operation list_messages: the
 * same records, the same limit of waits.
 */
export function createMessageStream({ operations }: { readonly operations: readonly AnyOperation[] }): HttpEndpoint {
  const operation = operationNamed(operations, listMessages.name);
  return {
    path: messageStream.path,
    methods: ["GET"],
    stream: messageStream,
    handle: async (request, response, caller) => {
      const refusal = await caller.refusalOf(messageStream);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { after } = streamInput(messageStream, request);
      const { signal } = caller;
      const read = async (from: number, wait_seconds: number) =>
        listMessages.output.parse(
          await callOperation(operation, { after: from, limit: MESSAGE_STREAM_PAGE, wait_seconds }, caller),
        );
      let page = await firstPage(messageStream, request, () => read(after, 0));
      await sendEvents(request, response, signal, async (send) => {
        while (!signal.aborted) {
          for (const message of page.messages) await send(`id: ${message.cursor}\ndata: ${JSON.stringify(message)}`);
          const begun = performance.now();
          page = await read(page.next_cursor, SILENCE_SECONDS);
          if (page.messages.length === 0) await keepAlive(send, begun, signal);
        }
      });
    },
  };
}
