// The events of the server: each only says what has changed, and the queries that show it are read anew. So there is one
// truth and one redaction: that of the operations. A stream begins with `ready`: what happened before it is read anew.
import type { QueryClient } from "@tanstack/react-query";
import type { LiveState } from "./event-source.ts";
import { shareStream } from "./shared-stream.ts";
import { createSignal } from "./signal.ts";

export const liveState = createSignal<LiveState>("connecting");

/** The operations whose answers an event makes old. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  report: ["list_messages", "list_inbox"],
  task: ["list_tasks", "get_task", "list_inbox", "read_journal", "get_evidence", "get_graph", "list_servers"],
  approval: ["list_approvals", "get_approval", "list_inbox"],
  sop: ["list_sops", "get_sop", "get_approval"],
  score: ["get_scorecard", "list_inbox", "list_sops", "get_sop", "get_approval"],
  server: ["list_servers", "get_server"],
  schedule: ["list_schedules", "get_schedule"],
  freeze: ["list_freezes", "list_inbox", "list_tasks", "get_task"],
};

/** A burst of events reads anew once; of a stream of them, each operation so often. */
const TOGETHER_MS = 50;
const BETWEEN_MS = 150;
/** All versions of all procedures are large, and after each task only the number of its runs has changed. */
const SELDOM: Readonly<Record<string, readonly string[]>> = { score: ["list_sops"] };
const SELDOM_MS = 5_000;
/** In a tab that is not in view, only what its title shows is read, and seldom. */
const HIDDEN_MS = 2_000;
const IN_TITLE = "list_inbox";

/** Returns what ends it. */
export function followUpdates(queries: QueryClient): () => void {
  const reading = createReading(queries);
  const ended = new AbortController();
  const stop = shareStream(ended.signal, { onEvent: reading.take, onState: liveState.set });
  return () => {
    reading.stop();
    stop();
    ended.abort();
  };
}

/** Reads anew what events have made old. */
function createReading(queries: QueryClient) {
  const old = new Map<string, number>();
  const last_read = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const dueAt = (name: string, since: number): number => {
    const last = last_read.get(name) ?? Number.NEGATIVE_INFINITY;
    if (!document.hidden) return Math.max(since + TOGETHER_MS, last + BETWEEN_MS);
    return name === IN_TITLE ? Math.max(since, last + HIDDEN_MS) : Number.POSITIVE_INFINITY;
  };
  const isBeingRead = (name: string): boolean =>
    queries.isFetching({ predicate: ({ queryKey: [of] }) => of === name }) > 0;
  const arm = (): void => {
    if (timer !== null) clearTimeout(timer);
    const next = Math.min(...[...old].map(([name, since]) => dueAt(name, since)));
    timer = Number.isFinite(next) ? setTimeout(readAnew, Math.max(0, next - performance.now())) : null;
  };
  const readAnew = (): void => {
    const now = performance.now();
    const due = new Set([...old].filter(([name, since]) => dueAt(name, since) <= now + 1).map(([name]) => name));
    for (const name of due) {
      if (isBeingRead(name)) {
        // Begun before the event: it is read once more after that. To begin anew each time would show nothing for as long as events come.
        due.delete(name);
        old.set(name, now);
      } else {
        old.delete(name);
        last_read.set(name, now);
      }
    }
    void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => due.has(String(name)) });
    arm();
  };
  document.addEventListener("visibilitychange", arm);
  return {
    take: (event: string): void => {
      if (event === "reset" || event === "ready") return void queries.invalidateQueries();
      for (const name of CHANGED[event] ?? []) {
        const since = performance.now() + (SELDOM[event]?.includes(name) ? SELDOM_MS : 0);
        old.set(name, Math.min(since, old.get(name) ?? since));
      }
      arm();
    },
    stop: () => {
      document.removeEventListener("visibilitychange", arm);
      if (timer !== null) clearTimeout(timer);
    },
  };
}
