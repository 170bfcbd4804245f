// The events of the server: each only says what has changed, and the queries that show it are read anew. So there is one
// truth and one redaction: that of the operations. A stream begins with `ready`: what happened before it is read anew.
import type { QueryClient } from "@tanstack/react-query";
import { followEvents, type LiveState, SILENCE_MS } from "./event-source.ts";
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

// Shares one stream among all tabs of this browser, which holds few connections to a host. The tab that holds the lock
// reads it and passes on the names of the events; when it closes, the next one does. A tab that hears nothing from it
// opens another stream until it does.

const NAME = "orch.updates";
const PATH = "/console/events";
/** How often the reader says that it is there, at most. */
const WORD_MS = 5_000;

type Listener = { readonly onEvent: (event: string) => void; readonly onState: (state: LiveState) => void };
type TabMessage = { readonly event: string } | { readonly state: LiveState } | "which state?";

/** Returns what ends it; the lock is given back when the signal is aborted. */
export function shareStream(signal: AbortSignal, { onEvent, onState }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  const send = (message: TabMessage) => channel.postMessage(message);
  let own: LiveState | null = null;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data === "which state?") return own === null ? undefined : send({ state: own });
    if (own === null) alone.heard();
    if ("event" in data) onEvent(data.event);
    else onState(data.state);
  };
  const alone = inSilence(() =>
    followEvents({ path: PATH, onState, onEvent: ({ event = "report" }) => onEvent(event) }),
  );
  signal.addEventListener("abort", alone.end, { once: true });
  send("which state?");
  alone.heard();

  const read = () =>
    new Promise<void>((resolve) => {
      alone.end();
      let said_at = 0;
      const stop = followEvents({
        path: PATH,
        onState: (state) => {
          own = state;
          onState(state);
          send({ state });
        },
        onWord: () => {
          if (own === null || performance.now() - said_at < WORD_MS) return;
          said_at = performance.now();
          send({ state: own });
        },
        onEvent: ({ event = "report" }) => {
          onEvent(event);
          send({ event });
        },
      });
      const end = () => {
        own = null;
        stop();
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
    });
  navigator.locks.request(NAME, { signal }, read).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return () => channel.close();
}

/** Starts a stream when nothing was heard for too long: the reader may be frozen, and still hold the lock. The next word ends it. */
function inSilence(start: () => () => void) {
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    stop?.();
    stop = null;
  };
  const heard = (): void => {
    end();
    timer = setTimeout(() => {
      stop = start();
    }, SILENCE_MS);
  };
  return { end, heard };
}
