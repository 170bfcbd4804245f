// Commits wake those who wait for them, and are announced before and after.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import { observeCommits } from "../../../../src/engine/worker/observe-commits.ts";
import { aSop } from "../../../conformance/store-records.ts";
import { settled } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const reported: NewEvent = {
  kind: "reported",
  body: outcome("ok", "verified", "It is done.", { thread_id: "a" }),
};
const LONG_MS = 60_000;

function observing() {
  const observer = observeCommits(memoryStore());
  const { signal } = new AbortController();
  const woken: string[] = [];
  const wait = (name: string, waiting: Promise<void>) => void waiting.then(() => woken.push(name));
  const commit = (thread_id: string, ...events: NewEvent[]) =>
    observer.store.commit({ thread_id, after: "last", events });
  return { ...observer, signal, woken, wait, commit };
}

describe("a commit", () => {
  const waitingForAll = () => {
    const it = observing();
    it.wait("report of a", it.nextReport("a", LONG_MS, it.signal));
    it.wait("any report", it.nextReport(null, LONG_MS, it.signal));
    it.wait("event of a", it.nextEvent("a", LONG_MS, it.signal));
    it.wait("event of b", it.nextEvent("b", LONG_MS, it.signal));
    return it;
  };

  test.each<[string, NewEvent[], string[]]>([
    ["with a report wakes all who wait for it", [started, reported], ["event of a", "report of a", "any report"]],
    ["without a report wakes who waits for any event of the thread", [started], ["event of a"]],
    ["without an event wakes no wait", [], []],
  ])("%s", async (_what, events, woken) => {
    const it = waitingForAll();
    await it.commit("a", ...events);
    await settled();
    expect(it.woken).toEqual(woken);
  });

  test("to another thread wakes a wait for any report", async () => {
    const it = waitingForAll();
    await it.commit("c", reported);
    await settled();
    expect(it.woken).toEqual(["any report"]);
  });

  test("whose response is lost wakes all who wait: it may be in the database", async () => {
    const { signal } = new AbortController();
    const { store, nextReport } = observeCommits({
      ...memoryStore(),
      commit: () => Promise.reject(new Error("the connection is lost")),
    });
    const woken = nextReport("a", LONG_MS, signal);
    await expect(store.commit({ thread_id: "a", after: "last", events: [reported] })).rejects.toThrow("lost");
    await woken;
  });

  test("is announced before and after it, with its kinds and its events", async () => {
    const it = observing();
    const traces: unknown[] = [];
    const trace = (message: unknown) => void traces.push(message);
    subscribe("orch:commit", trace);
    await it.commit("a", started, reported);
    unsubscribe("orch:commit", trace);
    const kinds = ["step_started", "reported"];
    expect(traces).toEqual(
      ["before", "after"].map((when) => ({ when, thread_id: "a", kinds, events: [started, reported] })),
    );
  });
});

describe("a wait", () => {
  test("ends at once without time, or for a caller who is gone", async () => {
    const it = observing();
    it.wait("no time", it.nextEvent("a", 0, it.signal));
    it.wait("gone", it.nextEvent("a", LONG_MS, AbortSignal.abort()));
    it.wait("waiting", it.nextEvent("a", LONG_MS, it.signal));
    await settled();
    expect(it.woken).toEqual(["no time", "gone"]);
  });

  test("that has ended leaves no timer, and no listener on the signal of its caller", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const it = observing();
      const { signal } = new AbortController();
      const waiting = it.nextEvent("a", LONG_MS, signal);
      expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([1, [expect.any(Function)]]);
      await it.commit("a", started);
      await waiting;
      expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("changes of the active SOPs", () => {
  const active = (target_signature: string) => aSop({ status: "active", target_signature });
  const sop = active("a");
  const changed = (set: Partial<Pick<Sop, "status" | "trial_left">>): Change => ({
    on: "sop",
    sop_id: sop.sop_id,
    expect: { status: "active" },
    set,
  });
  const watching = async (signal?: AbortSignal) => {
    const it = observing();
    const commitSop = (...changes: Change[]) => it.store.commit({ thread_id: "s", after: "last", events: [], changes });
    await commitSop({ on: "sop_created", sop });
    const changes = it.activeSopsChanged(signal ?? it.signal)[Symbol.asyncIterator]();
    let seen = 0;
    const read = async () => {
      while ((await changes.next()).done !== true) seen += 1;
    };
    return { ...it, commitSop, read, count: () => seen };
  };

  test.each<[string, Change, number]>([
    ["a retirement", changed({ status: "deprecated" }), 1],
    ["a version that is active from the beginning", { on: "sop_created", sop: active("b") }, 1],
    ["a candidate", { on: "sop_created", sop: aSop({ target_signature: "b", status: "candidate" }) }, 0],
    ["the end of a trial", changed({ trial_left: 0 }), 0],
    ["a counted run", { on: "sop_counted", sop_id: sop.sop_id, passed: true, proved: true }, 0],
  ])("by %s", async (_what, change, times) => {
    const it = await watching();
    void it.read();
    await settled();
    expect(await it.commitSop(change)).toMatchObject({ ok: true });
    await settled();
    expect(it.count()).toBe(times);
  });

  test("that come before the reader reads are one, and none is lost", async () => {
    const it = await watching();
    await it.commitSop(changed({ status: "deprecated" }));
    await it.commitSop({ on: "sop_created", sop: active("b") });
    void it.read();
    await settled();
    expect(it.count()).toBe(1);
  });

  test("end with the signal", async () => {
    const gone = new AbortController();
    const it = await watching(gone.signal);
    const reading = it.read();
    gone.abort();
    await reading;
    expect(it.count()).toBe(0);
  });
});

test("a server that may have missed what was announced looks for requests to cancel", () => {
  const cancelled: (string | null)[] = [];
  const { hear, subscribe } = observeCommits(memoryStore());
  subscribe({ onCancel: (thread_id) => void cancelled.push(thread_id) });
  hear(null);
  expect(cancelled).toEqual([null]);
});

test("a listener that fails is reported, and refuses neither the commit nor the listeners after it", async () => {
  const faults: unknown[] = [];
  const heard: string[] = [];
  const { store, subscribe: hearCommits } = observeCommits(memoryStore(), { onFault: (error) => faults.push(error) });
  const fault = new Error("a feature is broken");
  hearCommits({
    onCommitted: () => {
      throw fault;
    },
  });
  hearCommits({ onCommitted: ({ thread_id }) => void heard.push(thread_id) });
  expect(await store.commit({ thread_id: "a", after: null, events: [started] })).toMatchObject({ ok: true });
  expect([faults, heard]).toEqual([[fault], ["a"]]);
  expect(await store.readJournal("a")).toHaveLength(1);
});
