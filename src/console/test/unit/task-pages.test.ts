// What the pages of tasks reckon: lines within a bound, pages of a list put together, a scale of time, commands to paste.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aContract, aResult } from "../../../../test/support/builders.ts";
import { chain, type JournalEvent, type NewEvent } from "../../../domain/journal.ts";
import { outcome } from "../../../domain/outcome.ts";
import { createShownEvents } from "../../../domain/shown-event.ts";
import type { StepResult } from "../../../domain/step.ts";
import type { LaneMark } from "../../../domain/timeline.ts";
import { firstFailure, type LaneSpan, runOf, timeScale } from "../../pages/task/run-of.ts";
import { mergePage } from "../../pages/tasks/merge-page.ts";
import { shownLines } from "../../parts/output.tsx";

describe("the shown lines of an output", () => {
  test("are all of a short one, and a final line end begins none", () => {
    expect(shownLines("a\nb\n")).toMatchObject({
      head: [
        { number: 1, text: "a" },
        { number: 2, text: "b" },
      ],
      left_out: 0,
    });
    expect(shownLines("")).toMatchObject({ head: [], total: 0 });
  });

  test("are the first and the last of a long one, with their own numbers", () => {
    const { head, tail, left_out, total } = shownLines(
      Array.from({ length: 1_000 }, (_, at) => `l${at + 1}`).join("\n"),
      10,
    );
    expect([head.length, tail.length, left_out, total]).toEqual([5, 5, 990, 1_000]);
    expect(tail[0]).toEqual({ number: 996, text: "l996", left_out: 0 });
  });

  test("are bounded in their length for every text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.integer({ min: 0, max: 3_000 }), (text, times) => {
        const { head, tail, left_out, total } = shownLines(text.repeat(times), 20);
        expect(head.length + tail.length + left_out).toBe(total);
        for (const line of [...head, ...tail]) expect(line.text.length).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

describe("a page of the list of tasks", () => {
  const tasks = (...ids: number[]) => ids.map((id) => ({ task_id: `t${id}` }) as never);
  const ids = ({ tasks: all }: { readonly tasks: readonly { readonly task_id: string }[] }) =>
    all.map(({ task_id }) => task_id);

  test("that is read on is put after the task that it follows", () => {
    const known = { tasks: tasks(9, 8, 7), next_after: "t7" };
    const merged = mergePage(known, { tasks: tasks(6, 5), next_after: "t5" }, "t7");
    expect([ids(merged), merged.next_after]).toEqual([["t9", "t8", "t7", "t6", "t5"], "t5"]);
  });

  test("that is the first one, read anew, brings new tasks and leaves older ones", () => {
    const known = { tasks: tasks(9, 8, 7, 6), next_after: "t6" };
    const merged = mergePage(known, { tasks: tasks(10, 9, 7), next_after: "t7" }, null);
    expect([ids(merged), merged.next_after]).toEqual([["t10", "t9", "t7", "t6"], "t6"]);
  });

  test("that reaches none of the known rows takes their place, because there may be a gap", () => {
    const known = { tasks: tasks(3, 2, 1), next_after: null };
    const merged = mergePage(known, { tasks: tasks(9, 8), next_after: "t8" }, null);
    expect([ids(merged), merged.next_after]).toEqual([["t9", "t8"], "t8"]);
  });

  test("that follows a task which is not known any more changes nothing", () => {
    const known = { tasks: tasks(3, 2), next_after: "t2" };
    expect(mergePage(known, { tasks: tasks(1), next_after: null }, "t7")).toBe(known);
  });

  test("that is the last one has everything that follows", () => {
    const known = { tasks: tasks(3, 2, 1), next_after: "t1" };
    expect(ids(mergePage(known, { tasks: tasks(2), next_after: null }, "t3"))).toEqual(["t3", "t2"]);
  });
});

describe("the scale of time", () => {
  const spans: LaneSpan[] = [
    { lane: "people", from: 0, to: 3_600_000, label: "waits" },
    { lane: "steps", from: 3_600_000, to: 3_610_000, label: "step 0" },
  ];

  test("leaves room for the work beside an hour of waiting", () => {
    const { at, breaks } = timeScale(spans, 3_610_000);
    expect(at(3_610_000) - at(3_600_000)).toBeGreaterThan(0.5);
    expect(breaks).toHaveLength(1);
    expect([at(0), at(3_610_000)]).toEqual([0, 1]);
  });

  test("never goes back", () => {
    const { at } = timeScale(spans, 3_620_000);
    const times = Array.from({ length: 400 }, (_, n) => at(n * 10_000));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

/** The run of a journal whose events are a second apart, with what the server says of them. */
function runIn(...events: NewEvent[]) {
  const journal = events.flatMap((event, seq) => chain("t-1", { seq, hash: "", at: at(seq) }, [event], at(seq)));
  const show = createShownEvents({ program: "orch", wasShown: () => false, linesOf: () => [] });
  return runOf(journal, new Map(journal.map((event) => [event.seq, show(event)])));
}

const at = (second: number) => `2026-11-01T08:00:0${second}.000Z`;

describe("a step that was ended by a cancellation", () => {
  const started = (index: number): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
  const finished = (index: number, second: number, status: StepResult["status"]): NewEvent => ({
    kind: "step_finished",
    body: aResult({ index, status, started_at: at(second - 1), duration_ms: 900 }),
  });
  const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };

  test("is no failure, in the list or in the lanes, and one that failed before is", () => {
    const run = runIn(started(0), finished(0, 1, "failed"), started(1), asked, finished(1, 4, "failed"));
    expect(run.attempts.get(1)?.[0]).toMatchObject({ cancelled: true, result: { status: "failed" } });
    expect(run.spans.map(({ end }) => end)).toEqual(["failed", "cancelled"]);
    expect(firstFailure(run)).toBe(0);
    expect(firstFailure(runIn(started(1), asked, finished(1, 2, "failed")))).toBeNull();
  });

  test("has passed where it came to its end before it was killed", () => {
    const run = runIn(started(1), asked, finished(1, 2, "passed"));
    expect(run.attempts.get(1)?.[0]).toMatchObject({ cancelled: false });
    expect(run.spans.map(({ end }) => end)).toEqual(["done"]);
  });
});

describe("the lanes of a task", () => {
  const waits = outcome("need_approval", "approval_required", "Wait.", { thread_id: "t-1" });

  test("have the waits for its turn and for people, and each ends where the task goes on", () => {
    const { spans } = runIn(
      { kind: "task_accepted", body: { contract: aContract(), contract_digest: "d" } },
      { kind: "taken_up", body: { owner: "o", recovery: false } },
      { kind: "held_back", body: { freeze_id: "freeze-1a2b3c4d", reason: "power", until: null } },
      { kind: "taken_up", body: { owner: "o", recovery: false } },
      { kind: "reported", body: waits },
    );
    expect(spans).toEqual([
      { lane: "queue", from: Date.parse(at(0)), to: Date.parse(at(1)), label: "waits for its turn", end: "done" },
      { lane: "queue", from: Date.parse(at(2)), to: Date.parse(at(3)), label: "held by a freeze", end: "done" },
      { lane: "people", from: Date.parse(at(4)), to: null, label: "waits for a decision" },
    ]);
  });

  test("are made of marks alone: an event of which the console knows nothing is on them", () => {
    const [event] = chain("t-1", null, [{ kind: "retry_granted", body: { index: 0 } }], at(1));
    const unknown = { ...event, kind: "moon_phase_seen" } as unknown as JournalEvent;
    const lanes: LaneMark[] = [
      { mark: "begin", lane: "model", at: at(0), label: "asked the moon" },
      { mark: "end", lane: "model", at: at(1), ended: "done" },
      { mark: "begin", lane: "steps", at: at(1), label: "rises", step: 3, attempt: 1 },
      { mark: "end", lane: "people", at: at(1), ended: "done" },
    ];
    const shown = { seq: 1, about: "moon", text: "full", lanes };
    expect(runOf([unknown], new Map([[1, shown]])).spans).toEqual([
      { lane: "model", from: Date.parse(at(0)), to: Date.parse(at(1)), label: "asked the moon", end: "done" },
      { lane: "steps", from: Date.parse(at(1)), to: null, label: "rises", step: 3 },
    ]);
  });
});
