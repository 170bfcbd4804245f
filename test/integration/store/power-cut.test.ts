// The power is lost while commits share their flushes (D-279): what was answered and what was read is in the file that is left.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { brokenLink, type JournalEvent } from "../../../src/domain/journal.ts";
import type { Store } from "../../../src/ports.ts";
import { aTask, aThread, eventsOf, finished, started } from "../../conformance/store-records.ts";
import { type WatchedDisk, watchedDisk } from "../../support/power-cut.ts";

/** What was answered, and how many flushes were done then. */
type Answered = { readonly thread_id: string; readonly seq: number; readonly flushes: number };

const THREADS = 24;
const STEPS = 5;
const uneven = () => sleep(Math.random() * 4);

/** One task: it is accepted with its row, then a commit for each step; every answer is noted. */
async function run(disk: WatchedDisk, thread_id: string, answered: Answered[]): Promise<void> {
  const note = (events: readonly JournalEvent[]) => {
    const seq = events.at(-1)?.seq ?? 0;
    answered.push({ thread_id, seq, flushes: disk.flushes() });
  };
  const created = { on: "task_created", task: aTask({ task_id: thread_id }) } as const;
  let last: JournalEvent | null = null;
  for (let step = 0; step < STEPS; step += 1) {
    const changes = step === 0 ? [created] : [];
    const events = eventsOf(
      await disk.store.commit({ thread_id, after: last, events: [started(step), finished()], changes }),
    );
    note(events);
    last = events.at(-1) ?? null;
  }
}

/** Reads the tasks while they run: what is read is noted as answered. */
async function follow(disk: WatchedDisk, threads: readonly string[], answered: Answered[], until: AbortSignal) {
  for (let turn = 0; !until.aborted; turn += 1) {
    const thread_id = threads[turn % threads.length] ?? "";
    const seq = (await disk.store.readJournal(thread_id)).at(-1)?.seq ?? 0;
    answered.push({ thread_id, seq, flushes: disk.flushes() });
    await sleep(1);
  }
}

const lengths = async (store: Store, threads: readonly string[]) => {
  const journals = await Promise.all(threads.map((id) => store.readJournal(id)));
  for (const journal of journals) expect(brokenLink(journal)).toBeNull();
  const tasks = await Promise.all(threads.map((id) => store.findTask(id)));
  expect(tasks.map((task) => task !== null)).toEqual(journals.map(({ length }) => length > 0));
  return new Map(threads.map((id, at) => [id, journals[at]?.length ?? 0]));
};

describe("a loss of power while many commit", () => {
  test("takes back nothing that was answered or read, and nothing by halves", async () => {
    await using disk = await watchedDisk(uneven);
    const threads = Array.from({ length: THREADS }, aThread);
    const answered: Answered[] = [];
    const done = new AbortController();
    const following = follow(disk, threads, answered, done.signal);
    await Promise.all(threads.map((id) => run(disk, id, answered))).finally(() => done.abort());
    await following;
    expect(answered.length).toBeGreaterThan(THREADS * STEPS);
    for (let count = 1; count <= disk.flushes(); count += 1) {
      const whole = disk.logAt(count);
      const torn = Math.floor(disk.logAt(count - 1) + Math.random() * (whole - disk.logAt(count - 1)));
      const left = await disk.afterCutAt(count, (store) => lengths(store, threads));
      // The flush was under way: the disk has all of the one before it, and some of this one.
      const during = await disk.afterCutAt(count, (store) => lengths(store, threads), torn);
      const lost = (then: number, has: ReadonlyMap<string, number>) =>
        answered.filter(({ thread_id, seq, flushes }) => flushes <= then && seq > (has.get(thread_id) ?? 0));
      expect(lost(count, left)).toEqual([]);
      expect(lost(count - 1, during)).toEqual([]);
    }
  });

  test("what is reported as written before its flush is not answered before it, and what follows it is not answered sooner", async () => {
    const { promise: flushed, resolve: flush } = Promise.withResolvers<void>();
    let isHeld = false;
    await using disk = await watchedDisk(() => (isHeld ? flushed : Promise.resolve()));
    const thread_id = aThread();
    const changes = [{ on: "task_created", task: aTask({ task_id: thread_id }) }] as const;
    isHeld = true;
    const log: string[] = [];
    const { promise: told, resolve: onWritten } = Promise.withResolvers<readonly JournalEvent[]>();
    const accepted = disk.store.commit({ thread_id, after: null, events: [started()], changes, onWritten });
    const [first = null] = await told;
    const next = disk.store.commit({ thread_id, after: first, events: [finished()] });
    const noted = [accepted.then(() => log.push("accepted")), next.then(() => log.push("next"))];
    await sleep(50);
    expect(log).toEqual([]);
    flush();
    await Promise.all(noted);
    expect(log).toEqual(["accepted", "next"]);
    expect(await disk.store.readJournal(thread_id)).toHaveLength(2);
  });

  test("many commits share a flush, and one that is alone has its own", async () => {
    // So long that a slow machine commits many in the time of one.
    await using disk = await watchedDisk(() => sleep(50));
    const before = disk.flushes();
    await Promise.all(Array.from({ length: THREADS }, () => run(disk, aThread(), [])));
    const together = disk.flushes() - before;
    expect(together).toBeLessThan((THREADS * STEPS) / 4);
    await run(disk, aThread(), []);
    expect(disk.flushes() - before - together).toBe(STEPS);
  });
});

describe("a flush that fails", () => {
  test("refuses its commit and all that comes after it, until the server is started again", async () => {
    let isBroken = false;
    await using disk = await watchedDisk(async () => {
      if (isBroken) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    });
    const thread_id = aThread();
    const [first = null] = eventsOf(await disk.store.commit({ thread_id, after: null, events: [started()] }));
    const commit = () => disk.store.commit({ thread_id, after: first, events: [finished()] });
    isBroken = true;
    const refused = { code: "database_unusable", message: expect.stringMatching(/the disk is full or broken.*EIO/) };
    await expect(commit()).rejects.toMatchObject(refused);
    isBroken = false;
    await expect(disk.store.readJournal(thread_id)).rejects.toMatchObject(refused);
    await expect(disk.store.findTask(thread_id)).rejects.toMatchObject(refused);
    await expect(commit()).rejects.toMatchObject(refused);
  });

  test("at the start lets nothing be read that a killed server had written before its own flush", async () => {
    const opening = watchedDisk(async () => {
      throw new Error("EIO: i/o error, fdatasync");
    });
    await using disk = await opening;
    await expect(disk.store.findTask("task-1")).rejects.toMatchObject({ code: "database_unusable" });
  });
});
