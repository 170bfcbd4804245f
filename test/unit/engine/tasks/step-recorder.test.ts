// What orch records of a backend's steps, and when: a start before its effect, each line of a job once as it arrives,
// and an end together with the next commit.
import { describe, expect, test } from "vitest";
import type { JournalEvent, NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import type { Thread } from "../../../../src/engine/tasks/thread.ts";
import { observeSteps } from "../../../../src/engine/tasks/thread.ts";
import { aResult, journalOf } from "../../../support/builders.ts";

const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };
const { job_id } = job;

type Written = { readonly how: "noted" | "committed"; readonly event: NewEvent };

/** A thread whose journal holds these events. */
function observing(resumed: number | null, ...before: NewEvent[]) {
  let is_refused = false;
  const events: JournalEvent[] = journalOf(...before);
  const written: Written[] = [];
  const controller = new AbortController();
  const leaves = new AbortController();
  const thread: Thread = {
    journal: {
      events,
      projection: projection(events),
      met: { lost_tail: false, target_held: false },
      note: (event) => void written.push({ how: "noted", event }),
      commit: async (more) => void written.push(...more.map((event) => ({ how: "committed" as const, event }))),
      tryCommit: async () => null,
      begin: async (event) => !is_refused && written.push({ how: "committed", event }) > 0,
      flush: async () => undefined,
    },
    cancel: controller.signal,
    draining: () => leaves.signal.aborted,
    leaving: leaves.signal,
  };
  return {
    observer: observeSteps(thread, resumed),
    written,
    cancel: () => controller.abort(),
    leave: () => leaves.abort(),
    refuse: () => {
      is_refused = true;
    },
  };
}

const kinds = (written: readonly Written[]) =>
  written.map(({ how, event }) => `${how} ${event.kind} ${"index" in event.body ? event.body.index : ""}`.trim());
const linesOf = (written: readonly Written[]) =>
  written.flatMap(({ event }) => (event.kind === "job_progressed" ? [event.body.lines] : []));
const started = (index: number, given?: typeof job): NewEvent => ({
  kind: "step_started",
  body: { index, attempt: 1, ...(given && { job: given }) },
});
const progressed = (id: string, ...lines: string[]): NewEvent => ({
  kind: "job_progressed",
  body: { job_id: id, lines },
});

describe("a start", () => {
  test("is refused where the journal has a request to cancel before it", async () => {
    const { observer, written, refuse } = observing(null);
    refuse();
    expect(await observer.started(0, 1)).toBe(false);
    expect(written).toEqual([]);
  });

  test("is durable before the step may begin, with its job and whether it may be repeated", async () => {
    const { observer, written } = observing(null);
    expect(await observer.started(1, 2)).toBe(true);
    expect(await observer.started(2, 1, { repeatable: true })).toBe(true);
    expect(await observer.started(3, 1, { repeatable: false, job })).toBe(true);
    expect(written).toStrictEqual([
      { how: "committed", event: { kind: "step_started", body: { index: 1, attempt: 2 } } },
      { how: "committed", event: { kind: "step_started", body: { index: 2, attempt: 1, repeatable: true } } },
      { how: "committed", event: { kind: "step_started", body: { index: 3, attempt: 1, job } } },
    ]);
  });

  test.each(["cancel", "leave"] as const)("is refused and not recorded after %s", async (stop) => {
    const it = observing(null);
    it[stop]();
    expect(await it.observer.started(0, 1, { job })).toBe(false);
    expect(it.written).toEqual([]);
    expect(it.observer.leaving?.aborted).toBe(stop === "leave");
  });
});

describe("an end", () => {
  test("waits for the next commit, and a job's step without a start gets one", async () => {
    const { observer, written } = observing(null);
    await observer.started(0, 1, { job });
    for (const index of [0, 1, 2]) observer.finished(aResult({ index }));
    observer.ended({ job_id, code: "passed", message: "", raw_result: null });
    expect(kinds(written)).toEqual([
      ...["committed step_started 0", "noted step_finished 0"],
      ...["noted step_started 1", "noted step_finished 1", "noted step_started 2", "noted step_finished 2"],
      "noted job_ended",
    ]);
  });

  test("adds no second start for the first step of a resumed job", () => {
    const { observer, written } = observing(1, started(0), started(1, job));
    for (const index of [1, 2]) observer.finished(aResult({ index }));
    expect(kinds(written)).toEqual(["noted step_finished 1", "noted step_started 2", "noted step_finished 2"]);
  });
});

describe("a job's lines", () => {
  test("are none when the engine accepts the job, which is durable", async () => {
    const { observer, written } = observing(null);
    await observer.accepted(job_id);
    expect(written).toEqual([{ how: "committed", event: { kind: "job_progressed", body: { job_id, lines: [] } } }]);
  });

  test.each<[string[][], string[][]]>([
    [[["one", "two", "three", "four"]], [["four"]]],
    [[["one"], ["two"], ["three"], ["four"]], [["four"]]],
    [
      [["one", "two"], ["three", "four"], ["five"]],
      [["four"], ["five"]],
    ],
    [
      [
        ["one", "two"],
        ["three", "four"],
        ["five", "six", "seven"],
      ],
      [["four"], ["five", "six", "seven"]],
    ],
    [[["one", "two", "three"]], []],
    [[["one"]], []],
  ])("are recorded once although the log is read again from its first line: %j", async (read, expected) => {
    const before = [started(0, job), progressed(job_id, "one", "two"), progressed(job_id, "three")];
    const { observer, written } = observing(0, ...before);
    for (const lines of read) await observer.progressed(job_id, lines);
    expect(linesOf(written)).toEqual(expected);
  });
});

describe("what a job waits for", () => {
  const wait = { on: "engine_refuses", message: "HTTP 401", since: "2026-03-06T09:00:00.000Z" } as const;
  const waits = (given: typeof wait | null, tries: number): NewEvent => ({
    kind: "job_waits",
    body: { job_id, wait: given, tries },
  });

  test("is recorded as it begins, and as it ends", async () => {
    const begins = observing(0, started(0, job));
    await begins.observer.waits?.(job_id, wait, 2);
    expect(begins.written).toEqual([{ how: "committed", event: waits(wait, 2) }]);
    const ends = observing(0, started(0, job), waits(wait, 2));
    await ends.observer.waits?.(job_id, null, 9);
    expect(ends.written).toEqual([{ how: "committed", event: waits(null, 9) }]);
  });

  test("is not recorded again by the server that takes the task up, nor is the end of no wait", async () => {
    const again = observing(0, started(0, job), waits(wait, 2));
    await again.observer.waits?.(job_id, { ...wait, since: "2026-03-06T09:30:00.000Z" }, 2);
    const never = observing(0, started(0, job));
    await never.observer.waits?.(job_id, null, 0);
    expect([again.written, never.written]).toEqual([[], []]);
  });
});
