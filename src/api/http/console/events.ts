// Serves GET /console/events: one stream of server-sent events for each open page (D-339), each with what waits to be sent to it.
// They say what to read again; the operations have the data. Messages have their cursor as id, so a page that connects again
// misses none.
import { z } from "zod";
import type { Feed, FeedEvent } from "../../../domain/change.ts";
import type { Store } from "../../../ports.ts";
import { messageIn, type RecordedMessage } from "../../operations/list-messages.ts";
import type { HttpEndpoint } from "../app.ts";
import { type SendEvent, SILENCE_SECONDS, sendEvents, streamInput } from "../event-stream.ts";
import { problem, sendProblem } from "../problem.ts";
import { EVENTS_PATH } from "./console.ts";

type Deps = {
  readonly feed: Feed;
  readonly store: Pick<Store, "readMessages" | "lastMessage">;
  readonly server: { readonly name: string; readonly version: string };
};

const SHAPE = {
  name: "stream_console",
  scope: "read",
  input: z.strictObject({ after: z.int().min(0).optional() }),
} as const;

/** Readers at once: a quarter of the connections of the server. */
const MOST_READERS = 500;
/** Events that wait for a page, and messages that are sent again to one. */
const MOST_WAITING = 1_000;

export function createConsoleEvents(deps: Deps): HttpEndpoint {
  let readers = 0;
  const textOf = textsOnce();
  return {
    path: EVENTS_PATH,
    methods: ["GET"],
    handle: async (request, response, caller) => {
      const refusal = await caller.refusalOf(SHAPE);
      if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
      const { after } = streamInput(SHAPE, request);
      if (readers >= MOST_READERS)
        return sendProblem(response, problem("busy", "Too many pages listen to this server; close some."));
      readers += 1;
      const queue = createEventQueue(MOST_WAITING);
      const listener = (event: FeedEvent): void => {
        if (event.event === "reset") queue.spill();
        else for (const queued of textOf(event)) queue.push(queued);
      };
      try {
        const from = await deps.feed.listen(listener);
        await sendEvents(request, response, caller.signal, async (send) => {
          const sent = await begin(deps, { after, from }, send);
          await passOn(deps, queue, { sent, send, signal: caller.signal });
        });
      } finally {
        readers -= 1;
        deps.feed.leave(listener);
      }
    },
  };
}

type Written = Exclude<FeedEvent, { readonly event: "reset" }>;

/** An event is put into words once for all pages. */
function textsOnce(): (event: Written) => readonly QueuedEvent[] {
  const known = new WeakMap<Written, readonly QueuedEvent[]>();
  return (event) => {
    const texts = known.get(event) ?? textsOf(event);
    known.set(event, texts);
    return texts;
  };
}

function textsOf(event: Written): QueuedEvent[] {
  if (event.event === "report") return reportIn(event.message);
  return [{ cursor: null, text: eventText(event.event, event.data) }];
}

const reportIn = (message: RecordedMessage): QueuedEvent[] =>
  messageIn(message).map((record) => ({ cursor: record.cursor, text: eventText("report", record, record.cursor) }));

const eventText = (event: string, data: object, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}`;

/** `from`: the feed has every message after it. Resolves to the cursor of the last message that the page has. */
async function begin(
  { store, server }: Deps,
  { after, from }: { readonly after: number | undefined; readonly from: number },
  send: SendEvent,
): Promise<number> {
  await send(eventText("ready", { server }, after ?? from));
  if (after === undefined) return from;
  const missed = await store.readMessages(after, MOST_WAITING + 1);
  const isOfAnother = missed.length === 0 && after > (await store.lastMessage());
  if (isOfAnother || missed.length > MOST_WAITING) return reset(store, send);
  for (const { text } of missed.flatMap(reportIn)) await send(text);
  return missed.at(-1)?.cursor ?? after;
}

/** What is read after it holds every message up to its id. */
async function reset(store: Deps["store"], send: SendEvent): Promise<number> {
  const last = await store.lastMessage();
  await send(eventText("reset", {}, last));
  return last;
}

type Passing = { readonly sent: number; readonly send: SendEvent; readonly signal: AbortSignal };

async function passOn({ store }: Deps, queue: EventQueue, { sent, send, signal }: Passing): Promise<void> {
  for (let last = sent; !signal.aborted; ) {
    await queue.filled(SILENCE_SECONDS * 1000, signal);
    const events = queue.take();
    if (events === null) {
      last = await reset(store, send);
      continue;
    }
    // A message that was read from the database above may wait here too.
    const fresh = events.filter(({ cursor }) => cursor === null || cursor > last);
    last = fresh.reduce((highest, { cursor }) => Math.max(highest, cursor ?? 0), last);
    if (fresh.length > 0) await send(fresh.map(({ text }) => text).join("\n\n"));
    else if (events.length === 0 && !signal.aborted) await send(":");
  }
}

/** `cursor`: of a message. */
type QueuedEvent = { readonly cursor: number | null; readonly text: string };

type EventQueue = {
  readonly push: (event: QueuedEvent) => void;
  /** Everything may have changed. */
  readonly spill: () => void;
  /** All that waits; null when too much did, and it is lost. */
  readonly take: () => readonly QueuedEvent[] | null;
  /** Resolves when something waits, the time is over or the signal aborts. */
  readonly filled: (ms: number, signal: AbortSignal) => Promise<void>;
};

/**
 * What waits to be sent to one page. A page that reads slowly loses what waits for it, and hears that it has to read everything
 * anew.
 */
function createEventQueue(most: number): EventQueue {
  let waiting: QueuedEvent[] = [];
  let is_over = false;
  let wake = (): void => undefined;
  const spill = (): void => {
    is_over = true;
    waiting = [];
    wake();
  };
  return {
    spill,
    push: (event) => {
      if (is_over) return;
      if (waiting.length >= most) return spill();
      waiting.push(event);
      wake();
    },
    take: () => {
      const taken = is_over ? null : waiting;
      waiting = [];
      is_over = false;
      return taken;
    },
    filled: (ms, signal) =>
      new Promise((resolve) => {
        if (waiting.length > 0 || is_over || signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wake = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
        wake = done;
      }),
  };
}
