// Says what changes to those who show it, while somebody does: what this server commits at once, what others commit when they announce it,
// and the rest with a look every few seconds (D-339). Without a listener a commit costs one comparison.
import {
  type Announcement,
  type Feed,
  type FeedChange,
  type FeedEvent,
  feedChanges,
  heardChanges,
} from "../domain/change.ts";
import { isMessage } from "../domain/journal.ts";
import type { Commit, Store, Timer } from "../ports.ts";

type Listener = Parameters<Feed["listen"]>[0];

/** What is said to it of commits, here and elsewhere. */
type Hearing = {
  readonly committed: (commit: Commit) => void;
  /** Null when anything may have been announced. */
  readonly heard: (heard: Announcement | null) => void;
};

type Deps = {
  readonly store: Pick<Store, "readMessages" | "lastMessage" | "listTaskColumns" | "listServers">;
  /** Whether other servers share the database. */
  readonly are_many: boolean;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

const PAGE = 100;
const LOOK_MS = 5_000;
const AGAIN_MS = 1_000;
/** Of tasks that have not ended. */
const MOST_SEEN = 500;

export type ServerFeed = Feed & Hearing;

export function createFeed(deps: Deps): ServerFeed {
  const { store, are_many, timer, log } = deps;
  const listeners = new Set<Listener>();
  const elsewhere = createLook(deps);
  let unset = (): void => undefined;

  let version = 0;

  const emit = (event: FeedEvent): void => {
    version += 1;
    for (const listener of listeners) listener(event);
  };
  const failed = (err: unknown): void => {
    log.error({ err }, "what has changed could not be read; trying again");
    again(AGAIN_MS);
  };
  const messages = createMessages(store, emit, failed);

  const again = (ms: number): void => {
    unset();
    if (listeners.size > 0) unset = timer(() => void look(), ms);
  };
  const look = async (): Promise<void> => {
    messages.read();
    if (!are_many) return;
    again(LOOK_MS);
    await elsewhere().then((changes) => changes.forEach(emit), failed);
  };

  return {
    version: () => version,
    committed: ({ events, changes = [] }: Commit): void => {
      version += 1;
      if (listeners.size === 0) return;
      for (const change of feedChanges(changes)) emit(change);
      if (events.some(({ kind }) => isMessage(kind))) messages.read();
    },
    heard: (heard: Announcement | null): void => {
      version += 1;
      if (listeners.size === 0) return;
      if (heard === null) emit({ event: "reset" });
      for (const change of heard === null ? [] : heardChanges(heard)) emit(change);
      messages.read();
    },
    listen: async (listener: Listener): Promise<number> => {
      listeners.add(listener);
      if (are_many && listeners.size === 1) void look();
      return messages.begin(() => listeners.has(listener));
    },
    leave: (listener: Listener): void => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      messages.end();
      unset();
    },
  };
}

/** Passes on each message once, in order: one reading at a time, and one more after it where something came meanwhile. */
function createMessages(store: Deps["store"], emit: (event: FeedEvent) => void, failed: (error: unknown) => void) {
  /** Of the last message that was passed on; null without a listener. */
  let position: number | null = null;
  let is_reading = false;
  let more = false;

  const readOn = async (): Promise<void> => {
    for (let found = PAGE; position !== null && (more || found === PAGE); ) {
      more = false;
      const messages = await store.readMessages(position, PAGE);
      for (const message of messages) {
        if (position === null || message.cursor <= position) continue;
        position = message.cursor;
        emit({ event: "report", message });
      }
      found = messages.length;
    }
  };
  const read = (): void => {
    more = true;
    if (is_reading) return;
    is_reading = true;
    readOn()
      .catch(failed)
      .finally(() => {
        is_reading = false;
      });
  };
  return {
    read,
    /** Who has left meanwhile leaves no position. */
    begin: async (is_there: () => boolean): Promise<number> => {
      const last = position ?? (await store.lastMessage());
      if (is_there()) position ??= last;
      return position ?? last;
    },
    end: (): void => {
      position = null;
    },
  };
}

/** What is not announced: tasks that begin, wait or end their wait on other servers, and servers that come and go. */
function createLook({ store }: Pick<Deps, "store">): () => Promise<FeedChange[]> {
  let known: ReadonlyMap<string, string> | null = null;
  let servers: string | null = null;
  return async () => {
    const [tasks, live] = await Promise.all([
      store.listTaskColumns({ status: ["accepted", "running", "need_input", "need_approval"], limit: MOST_SEEN }),
      store.listServers(),
    ]);
    const now = new Map<string, string>(tasks.map(({ task_id, status }) => [task_id, status]));
    const seen = JSON.stringify(live);
    const before = known ?? now;
    const changed = [...new Set([...now.keys(), ...before.keys()])].filter((id) => now.get(id) !== before.get(id));
    const changes: FeedChange[] = changed.map((task_id) => ({
      event: "task",
      data: { task_id, status: now.get(task_id) ?? null },
    }));
    if (servers !== null && servers !== seen) changes.push({ event: "server", data: {} });
    known = now;
    servers = seen;
    return changes;
  };
}
