// The journal of a task as it grows, with what its running steps write. One stream gives both, and ends with the task.
import { useEffect, useState } from "react";
import type { JournalEvent } from "../../domain/journal.ts";
import type { LivePiece } from "../../domain/live-output.ts";
import { followEvents, type LiveState } from "./event-source.ts";

/** The last part of what a running step has written. */
export type WrittenText = { readonly text: string; readonly left_out: number };

export type Journal = {
  readonly events: readonly JournalEvent[];
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

const NOTHING: Journal = { events: [], live: new Map(), is_whole: false, is_ready: false, state: "connecting" };

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
  const live = new Map<string, WrittenText>();
  let is_whole = false;
  let is_ready = false;
  let state: LiveState = "connecting";
  let timer: ReturnType<typeof setTimeout> | null = null;
  const showNow = () => {
    timer = null;
    show({ events: [...events], live: new Map(live), is_whole, is_ready, state });
  };
  const showSoon = () => {
    timer ??= setTimeout(showNow, TOGETHER_MS);
  };
  const stop = followEvents({
    path: `/v1/tasks/${encodeURIComponent(task_id)}/journal/stream?output=live`,
    onState: (now) => {
      state = now;
      is_ready ||= now === "broken";
      // A new stream begins with all that the server still has of what running steps wrote.
      if (now === "live") live.clear();
      showSoon();
    },
    onEvent: ({ event, data }) => {
      if (event === undefined || event === "message") add(events, live, parsed(data));
      if (event === "output") addPiece(live, parsed(data));
      if (event === "status") {
        is_whole = true;
        is_ready = true;
        if (hasEnded(events)) stop();
      }
      showSoon();
    },
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop();
  };
}

/** The server has made it with the schema of the stream. */
function parsed<T extends JournalEvent | LivePiece>(data: string): T {
  const body: T = JSON.parse(data);
  return body;
}

const ENDS: ReadonlySet<string> = new Set(["ok", "failed", "blocked", "cancelled"]);
const hasEnded = (events: readonly JournalEvent[]): boolean =>
  events.some((event) => event.kind === "reported" && ENDS.has(event.body.status));

/** What was recorded takes the place of what was seen. */
function add(events: JournalEvent[], live: Map<string, WrittenText>, event: JournalEvent): void {
  if (event.seq <= (events.at(-1)?.seq ?? 0)) return;
  events.push(event);
  if (event.kind !== "step_finished") return;
  for (const stream of ["stdout", "stderr"] as const)
    live.delete(liveKey(event.body.index, event.body.attempt, stream));
}

function addPiece(live: Map<string, WrittenText>, { index, attempt, stream, missed_bytes, text }: LivePiece): void {
  const key = liveKey(index, attempt, stream);
  const before = live.get(key) ?? { text: "", left_out: 0 };
  const whole = missed_bytes > 0 ? text : before.text + text;
  const missed = missed_bytes > 0 ? before.text.length + missed_bytes : 0;
  const kept = whole.slice(-MOST_LIVE);
  live.set(key, { text: kept, left_out: before.left_out + missed + whole.length - kept.length });
}
