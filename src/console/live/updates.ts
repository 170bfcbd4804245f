// The events of the server: each only says what has changed, and the queries that show it are read anew. So there is one
// truth and one redaction: that of the operations. A stream begins with `ready`: what happened before it is read anew.
import type { QueryClient } from "@tanstack/react-query";
import type { LiveState } from "./event-source.ts";
import { shareStream } from "./share-stream.ts";
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

/** A burst of events reads anew once; a stream of them, so often. */
const TOGETHER_MS = 50;
const BETWEEN_MS = 150;

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
  const old = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last_read = Number.NEGATIVE_INFINITY;
  const readAnew = () => {
    timer = null;
    last_read = performance.now();
    const names = new Set(old);
    old.clear();
    void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => names.has(String(name)) });
  };
  return {
    take: (event: string): void => {
      if (event === "reset" || event === "ready") return void queries.invalidateQueries();
      for (const name of CHANGED[event] ?? []) old.add(name);
      timer ??= setTimeout(readAnew, Math.max(TOGETHER_MS, last_read + BETWEEN_MS - performance.now()));
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
