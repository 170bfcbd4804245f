// The journal of a task as it grows, with what its running steps write. One stream gives both, and ends with the task.
import { useEffect, useState } from "react";
import type { JournalEvent } from "../../domain/journal.ts";
import type { LivePiece } from "../../domain/live-output.ts";
import type { ShownEvent } from "../../domain/shown-event.ts";
import { followEvents, type LiveState } from "./event-source.ts";

/** The last part of what a running step has written. */
export type WrittenText = { readonly text: string; readonly left_out: number };

/** What the server shows people of each event, by its sequence number. */
export type ShownEvents = ReadonlyMap<number, ShownEvent>;

export type Journal = {
  readonly events: readonly JournalEvent[];
  readonly shown: ShownEvents;
  /** By step, attempt and stream, as `liveKey` names them. */
  readonly live: ReadonlyMap<string, WrittenText>;
  /** All that there was has arrived. */
  readonly is_whole: boolean;
  /** It can be shown: what arrives from now on is new, or the stream was cut before all of it was there. */
  readonly is_ready: boolean;
  readonly state: LiveState;
};

export const liveKey = (index: number, attempt: number, stream: "stdout" | "stderr"): string =>
  `${index}/${attempt}/${stream}`;

const NOTHING: Journal = {
  events: [],
  shown: new Map(),
  live: new Map(),
  is_whole: false,
  is_ready: false,
  state: "connecting",
};

const TOGETHER_MS = 60;
const MOST_LIVE = 32 * 1024;

export function useJournal(task_id: string): Journal {
  const [journal, setJournal] = useState<Journal>(NOTHING);
  useEffect(() => {
    setJournal(NOTHING);
    return followJournal(task_id, setJournal);
  }, [task_id]);
  return journal;
}

/** Events of the journal are sent in their order, each once; several that arrive together are shown together. */
export function followJournal(task_id: string, show: (journal: Journal) => void): () => void {
  const events: JournalEvent[] = [];
  const shown = new Map<number, ShownEvent>();
  const live = new Map<string, WrittenText>();
  let is_whole = false;
  let is_ready = false;
  let state: LiveState = "connecting";
  let timer: ReturnType<typeof setTimeout> | null = null;
  const showNow = () => {
    timer = null;
    show({ events: [...events], shown: new Map(shown), live: new Map(live), is_whole, is_ready, state });
  };
  const showSoon = () => {
    timer ??= setTimeout(showNow, TOGETHER_MS);
  };
  const stop = followEvents({
    path: `/v1/tasks/${encodeURIComponent(task_id)}/journal/stream?output=live&shown=people`,
    onState: (now) => {
      state = now;
      is_ready ||= now === "broken";
      // A new stream begins with all that the server still has of what running steps wrote.
      if (now === "live") live.clear();
      showSoon();
    },
    onEvent: ({ event, data }) => {
      if (event === undefined || event === "message") add(events, parsed(data));
      if (event === "shown") addShown(shown, live, parsed(data));
      if (event === "output") addPiece(live, parsed(data));
      if (event === "status") {
        is_whole = true;
        is_ready = true;
        if (ENDS.has(parsed<StatusNow>(data).status)) stop();
      }
      showSoon();
    },
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop();
  };
}

type StatusNow = { readonly status: string };

/** The server has made it with the schema of the stream. */
function parsed<T extends JournalEvent | LivePiece | ShownEvent | StatusNow>(data: string): T {
  const body: T = JSON.parse(data);
  return body;
}

const ENDS: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled"]);

function add(events: JournalEvent[], event: JournalEvent): void {
  if (event.seq > (events.at(-1)?.seq ?? 0)) events.push(event);
}

/** What was recorded takes the place of what was seen: its event comes next. */
function addShown(shown: Map<number, ShownEvent>, live: Map<string, WrittenText>, event: ShownEvent): void {
  shown.set(event.seq, event);
  for (const { mark, step, attempt } of event.lanes ?? []) {
    if (mark !== "end" || step === undefined || attempt === undefined) continue;
    for (const stream of ["stdout", "stderr"] as const) live.delete(liveKey(step, attempt, stream));
  }
}

function addPiece(live: Map<string, WrittenText>, { index, attempt, stream, missed_bytes, text }: LivePiece): void {
  const key = liveKey(index, attempt, stream);
  const before = live.get(key) ?? { text: "", left_out: 0 };
  const whole = missed_bytes > 0 ? text : before.text + text;
  const missed = missed_bytes > 0 ? before.text.length + missed_bytes : 0;
  const kept = whole.slice(-MOST_LIVE);
  live.set(key, { text: kept, left_out: before.left_out + missed + whole.length - kept.length });
}
