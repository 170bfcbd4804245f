import { describe, expect, test } from "vitest";
import type { FeedEvent } from "../../../../src/domain/change.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { createFeed } from "../../../../src/engine/worker/observe-commits.ts";
import type { Commit, Store } from "../../../../src/ports.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const reported: NewEvent = { kind: "reported", body: outcome("ok", "verified", "Done.", { thread_id: "a" }) };

function feeding(over: Partial<Store> = {}, are_many = false) {
  const kept = memoryStore();
  let reads = 0;
  const readMessages: Store["readMessages"] = (...given) => {
    reads += 1;
    return (over.readMessages ?? kept.readMessages)(...given);
  };
  const faults: object[] = [];
  const { timer, fire, pending } = manualTimer();
  const log = { error: (details: object) => void faults.push(details) };
  const feed = createFeed({ store: { ...kept, ...over, readMessages }, are_many, timer, log });
  const heard: FeedEvent[] = [];
  const listener = (event: FeedEvent) => void heard.push(event);
  const commit = async (over: Partial<Commit> = {}) => {
    const given = { thread_id: "a", after: "last", events: [reported], ...over } as const;
    await kept.commit(given);
    feed.committed(given);
    await settled();
  };
  const listen = () => feed.listen(listener);
  return { kept, feed, heard, listener, listen, commit, faults, fire, pending, reads: () => reads };
}

const cursors = (heard: readonly FeedEvent[]) =>
  heard.flatMap((event) => (event.event === "report" ? [event.message.cursor] : []));
const named = (heard: readonly FeedEvent[]) => heard.map(({ event }) => event);

describe("the feed", () => {
  test("passes on each message after the position that it named, once and in order", async () => {
    const { commit, listen, heard } = feeding();
    await commit();
    const from = await listen();
    await Promise.all([commit(), commit(), commit()]);
    expect(from).toBe(1);
    expect(cursors(heard)).toEqual([2, 3, 4]);
  });

  test("begins at the newest message again after the last listener has left", async () => {
    const { commit, feed, listen, listener, heard } = feeding();
    await listen();
    feed.leave(listener);
    await commit();
    expect(await listen()).toBe(1);
    await commit();
    expect(cursors(heard)).toEqual([2]);
  });

  test("names what a commit changes, each once, and not who works on it", async () => {
    const { commit, listen, heard } = feeding();
    await listen();
    const expected = { status: ["running"] } as const;
    const task = (set: object) => ({ on: "task", task_id: "a", expect: expected, set }) as const;
    const lease = { owner: null, lease_expires_at: null };
    await commit({ events: [], changes: [task({ status: "ok", ...lease }), task(lease), task({ status: "ok" })] });
    expect(heard).toEqual([{ event: "task", data: { task_id: "a", status: "ok" } }]);
  });

  test("says what another server has announced, and reads its message", async () => {
    const { kept, feed, listen, heard } = feeding();
    await listen();
    await kept.commit({ thread_id: "a", after: "last", events: [reported] });
    feed.heard({ from: "b", kinds: ["report"], thread_id: "a" });
    await settled();
    expect(named(heard)).toEqual(["task", "approval", "report"]);
    feed.heard({ from: "b", kinds: ["sops"], thread_id: "a" });
    feed.heard({ from: "b", kinds: ["drain"], thread_id: "c" });
    feed.heard(null);
    expect(named(heard).slice(3)).toEqual(["sop", "server", "reset"]);
  });

  test("looks every five seconds for what no server announces", async () => {
    const { kept, listen, heard, fire, pending } = feeding({}, true);
    await listen();
    await settled();
    await kept.commit({ thread_id: "a", after: "last", events: [reported] });
    expect(heard).toEqual([]);
    expect(pending()).toEqual([5_000]);
    await fire();
    expect(cursors(heard)).toEqual([1]);
  });

  test("tries again when the database could not be read", async () => {
    let isBroken = true;
    const stored = memoryStore();
    const readMessages: Store["readMessages"] = async (...given) => {
      if (isBroken) throw new Error("broken");
      return stored.readMessages(...given);
    };
    const { feed, listen, heard, fire, pending, faults } = feeding({ ...stored, readMessages });
    await listen();
    const given = { thread_id: "a", after: "last", events: [reported] } as const;
    await stored.commit(given);
    feed.committed(given);
    await settled();
    expect([faults.length, cursors(heard)]).toEqual([1, []]);
    isBroken = false;
    expect(pending()).toEqual([1_000]);
    await fire();
    expect(cursors(heard)).toEqual([1]);
  });
});
