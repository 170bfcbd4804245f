// The threads of a server: which are open, and how they are cancelled, drained and abandoned.
import { describe, expect, test } from "vitest";
import { NOTHING_HELD } from "../../../../src/domain/hold.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { createThreads } from "../../../../src/engine/worker/threads.ts";
import { ABANDONED } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const cancelRequested: NewEvent = { kind: "cancel_requested", body: { reason: null } };
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const reported = (status: "ok" | "need_input"): NewEvent => ({
  kind: "reported",
  body: outcome(status, "verified", "A report.", { thread_id: "t-1" }),
});

function some() {
  const store = memoryStore();
  const reads: string[] = [];
  const readJournal: typeof store.readJournal = (id, page) => {
    reads.push(id);
    return store.readJournal(id, page);
  };
  const clock = () => new Date(AT);
  const threads = createThreads({ store: { ...store, readJournal }, clock, owner: "me", task_holds: NOTHING_HELD });
  const write = (...events: NewEvent[]) => store.commit({ thread_id: "t-1", after: "last", events });
  return { store, threads, reads, write };
}

describe("a thread", () => {
  test("is cancelled when it finds with its next commit that another server was asked to", async () => {
    const { threads, write } = some();
    const { journal, cancel } = await threads.threadOf("t-1");
    await write(cancelRequested);
    expect(cancel.aborted).toBe(false);
    await journal.commit([started]);
    expect(cancel.aborted).toBe(true);
  });

  test("is cancelled when requests are looked for that were not announced, and another one is not", async () => {
    const { threads, write } = some();
    const asked = await threads.threadOf("t-1");
    const other = await threads.threadOf("t-2");
    await write(cancelRequested);
    await threads.findCancelled();
    expect([asked.cancel.aborted, other.cancel.aborted]).toEqual([true, false]);
  });

  test.each([
    ["ok", true],
    ["need_input", false],
    [null, false],
  ] as const)("with the report %s has ended: %s", async (status, hasEnded) => {
    const { threads, write } = some();
    if (status !== null) await write(reported(status));
    expect(threads.hasEnded("t-1"), "only an open thread is looked at").toBe(false);
    await threads.threadOf("t-1");
    expect(threads.hasEnded("t-1")).toBe(hasEnded);
  });
});

describe("a server that stops", () => {
  test("drains every thread, also one that opens later, and kills none", async () => {
    const { threads } = some();
    const before = await threads.threadOf("t-1");
    threads.drain();
    for (const thread of [before, await threads.threadOf("t-2")]) {
      expect([thread.draining(), thread.leaving.aborted, thread.leaving.reason]).toEqual([true, true, ABANDONED]);
      expect(thread.cancel.aborted).toBe(false);
    }
  });

  test("kills what it abandons, and records nothing more of it", async () => {
    const { threads, store } = some();
    const [one, two] = [await threads.threadOf("t-1"), await threads.threadOf("t-2")];
    threads.abandon();
    for (const thread of [one, two]) {
      expect([thread.cancel.aborted, thread.cancel.reason]).toEqual([true, ABANDONED]);
      const refused = { code: "fenced", message: "the work on this thread was cut off" };
      await expect(thread.journal.commit([started])).rejects.toMatchObject(refused);
    }
    expect(await store.readJournal("t-1")).toEqual([]);
  });
});

test("a thread that is cut off is aborted and writes nothing more, and may be opened anew", async () => {
  const { threads, write } = some();
  await write(started);
  const thread = await threads.threadOf("t-1");
  threads.cutOff();
  expect(thread.cancel.reason).toBe(ABANDONED);
  await expect(thread.journal.commit([started])).rejects.toMatchObject({ code: "fenced" });
  threads.close("t-1");
  const again = await threads.threadOf("t-1");
  await again.journal.commit([started]);
  expect([again.cancel.aborted, again.journal.events.length]).toEqual([false, 2]);
});
