// Promotions: one at a time, recovered after a stop, and begun by what a taught task has proved.
import { INTERRUPT } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { EventBody } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import {
  createBackoff,
  createPromotions,
  createVersionChanges,
  promoteCandidates,
} from "../../../../src/engine/worker/promotions.ts";
import type { Start } from "../../../../src/engine/worker/task-runs.ts";
import type { Store } from "../../../../src/ports.ts";
import { journalOf } from "../../../support/builders.ts";
import { PROCEDURE, pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../tasks/a-sop.ts";
import { anApproval } from "../tasks/a-task.ts";

const ASKED = outcome("need_approval", "promotion_pending", "Approve it.", { thread_id: "promotion/s" });
const RECOVER: Start = { kind: "recover" };
const candidate = (nth: number, over: Partial<Sop> = {}) =>
  aSop({ sop_id: `s-${nth}`, status: "candidate", version: nth, ...over });
const question = { outcome: ASKED, waiting: { kind: "approval", approval_id: "a-1" } };

function promoting(act: (sop_id: string) => unknown = () => ({}), are_many = false) {
  const parts = pipelineParts();
  const invoked: string[] = [];
  const paused: string[] = [];
  const deleted: string[] = [];
  const logged: unknown[] = [];
  const left: string[] = [];
  let at = 0;
  const promotions = createPromotions({
    now: () => at,
    store: parts.store,
    threads: parts.threads,
    servers: { are_many },
    onLeft: async (thread_id) => void left.push(thread_id),
    graph: {
      invoke: async (input, { configurable: { thread_id } }) => {
        const { sop_id } = input as { sop_id: string };
        invoked.push(`${sop_id} on ${thread_id}`);
        expect(parts.threads.isOpen(thread_id)).toBe(true);
        return act(sop_id);
      },
    },
    checkpoints: { deleteThread: async (id) => void deleted.push(id), prune: async () => true, sweep: async () => {} },
    onPaused: () => void paused.push("paused"),
    log: { error: (...entry) => void logged.push(entry) },
  });
  const stored = async (...sops: Sop[]) => {
    for (const sop of sops) await parts.write("s", [], [{ on: "sop_created", sop }]);
  };
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ...parts, promotions, invoked, deleted, paused, logged, left, stored, pass };
}

describe("a promotion", () => {
  test("runs on the thread of its SOP, which is closed afterwards", async () => {
    const it = promoting();
    it.promotions.dispatch("s-1", { kind: "new", events: [] });
    await it.promotions.drain();
    expect([it.invoked, it.paused, it.threads.isOpen("promotion/s-1")]).toEqual([["s-1 on promotion/s-1"], [], false]);
  });

  test("that is new begins with the events that it is given, and reads no journal", async () => {
    const events = journalOf({ kind: "cancel_requested", body: { reason: null } });
    const it = promoting(async (sop_id) => {
      const { journal } = await it.threads.threadOf(`promotion/${sop_id}`);
      expect(journal.events).toEqual(events);
      return {};
    });
    it.promotions.dispatch("s-1", { kind: "new", events });
    await it.promotions.drain();
    expect([it.invoked, it.logged]).toEqual([["s-1 on promotion/s-1"], []]);
  });

  test("that asks arms the expiry of its approval", async () => {
    const it = promoting(() => ({ [INTERRUPT]: [{ id: "i-1", value: question }] }));
    await it.stored(candidate(1));
    await it.write("x", [], [{ on: "approval_created", approval: anApproval({ interrupt_id: null }) }]);
    it.promotions.dispatch("s-1", RECOVER);
    await it.promotions.drain();
    expect(it.paused).toEqual(["paused"]);
    expect(await it.store.findApproval("a-1")).toMatchObject({ interrupt_id: "i-1" });
  });

  test("that breaks off is logged and left to be reconciled; a fenced one is not logged", async () => {
    for (const [error, logged] of [
      [new Error("the disk is full"), 1],
      [new OrchError("fenced", "another server has it"), 0],
    ] as const) {
      const it = promoting(() => {
        throw error;
      });
      await it.stored(candidate(1));
      it.promotions.dispatch("s-1", RECOVER);
      await it.promotions.drain();
      expect(it.logged).toHaveLength(logged);
      expect(it.threads.isOpen("promotion/s-1")).toBe(false);
      const message = "an error ended a promotion; orch recovers it from its journal";
      if (logged > 0)
        expect(it.logged[0]).toEqual([{ sop_id: "s-1", failures: 1, pause_ms: 2_500, err: error }, message]);
    }
  });
});

describe("a dispatch that is repeated", () => {
  test.each([
    ["is settled", candidate(1, { status: "active" })],
    ["is not stored", candidate(2)],
    ["is that of an update_sop", candidate(1, { origin: "update_sop t-1" })],
  ])("runs nothing on a candidate that %s", async (_what, sop) => {
    const it = promoting();
    await it.stored(sop);
    for (const start of [RECOVER, { kind: "resume", interrupt_id: "i-1" }] as const)
      it.promotions.dispatch("s-1", start);
    await it.promotions.drain();
    expect([it.invoked, it.logged]).toEqual([[], []]);
  });
});

test("a promotion that failed is left alone by a look for its pause, and a decision runs it at once", async () => {
  const it = promoting(() => {
    if (it.invoked.length < 3) throw new Error("a defect");
    return {};
  });
  await it.stored(candidate(1));
  const runs: number[] = [];
  for (const ms of [0, 2_499, 1, 4_999]) {
    it.pass(ms);
    await it.promotions.reconcile();
    await it.promotions.drain();
    runs.push(it.invoked.length);
  }
  expect(runs).toEqual([1, 1, 2, 2]);
  it.promotions.dispatch("s-1", RECOVER);
  await it.promotions.drain();
  expect([it.invoked.length, it.logged.length]).toEqual([3, 2]);
});

describe("reconciling", () => {
  const reported = (body: EventBody<"reported">) => ({ kind: "reported", body }) as const;

  test("recovers the candidates that do not wait for a decision, and no other SOP", async () => {
    const it = promoting();
    await it.stored(candidate(1), candidate(2), candidate(3), candidate(4), aSop({ sop_id: "s-9", version: 9 }));
    const pending = (approval_id: string, nth: number) =>
      it.write(
        `promotion/s-${nth}`,
        [reported(ASKED)],
        [{ on: "approval_created", approval: anApproval({ approval_id, thread_id: `promotion/s-${nth}` }) }],
      );
    await pending("waits", 1);
    await pending("decided", 2);
    await it.write("x", [], [{ on: "approval", approval_id: "decided", set: { status: "approved" } }]);
    // It is asked for again: its first question was put, and the second was not.
    const approval = anApproval({ approval_id: "unasked", thread_id: "promotion/s-3", interrupt_id: null });
    await it.write("promotion/s-3", [reported(ASKED)], [{ on: "approval_created", approval }]);
    await it.promotions.reconcile();
    await it.promotions.drain();
    expect(it.invoked.sort()).toEqual(["s-2", "s-3", "s-4"].map((id) => `${id} on promotion/${id}`));
  });

  test("finds the candidates of every page", async () => {
    const it = promoting();
    await it.stored(...Array.from({ length: 501 }, (_, nth) => candidate(nth + 1)));
    await it.promotions.reconcile();
    await it.promotions.drain();
    expect(new Set(it.invoked).size).toBe(501);
    expect(it.invoked).toHaveLength(501);
  });
});

describe("the end of a task", () => {
  const changed = (sop_id: string, status: string) =>
    ({ kind: "sop_changed", body: { sop_id, version: 1, status, why: "w" } }) as const;
  const dispatchedBy = (...events: Parameters<typeof journalOf>) => {
    const dispatched: unknown[] = [];
    promoteCandidates({ dispatch: (...call) => void dispatched.push(call) }, projection(journalOf(...events)));
    return dispatched;
  };
  const taught = { kind: "taught", body: PROCEDURE } as const;

  test("promotes the candidate that a taught task has proved", () => {
    expect(dispatchedBy(taught, changed("old", "deprecated"), changed("new", "candidate"))).toEqual([
      ["new", { kind: "new", events: [] }],
    ]);
  });

  test("promotes nothing of a task that was not taught: a replacement is settled by its task", () => {
    expect(dispatchedBy(changed("new", "candidate"))).toEqual([]);
  });
});

describe("one of several servers", () => {
  test("passes on a candidate that it leaves at its end, once for all of them", async () => {
    const it = promoting(undefined, true);
    await it.promotions.drain();
    expect(it.left).toEqual([]);
    await it.stored(candidate(1), candidate(2), aSop({ sop_id: "s-9", version: 9 }));
    it.promotions.dispatch("s-1", RECOVER);
    await it.promotions.drain();
    expect(it.left).toEqual([expect.toBeOneOf(["promotion/s-1", "promotion/s-2"])]);
  });

  test("begins a promotion that is answered anew, because another one may have deleted its checkpoint", async () => {
    const it = promoting(undefined, true);
    await it.stored(candidate(1));
    it.promotions.dispatch("s-1", { kind: "resume", interrupt_id: "i-1" });
    await it.promotions.drain();
    const thread_id = "promotion/s-1";
    // Also once it has ended.
    expect([it.invoked, it.deleted, it.logged]).toEqual([[`s-1 on ${thread_id}`], [thread_id, thread_id], []]);
  });
});

function backoff() {
  let at = 0;
  const it = createBackoff({ now: () => at, first_ms: 2_500, longest_ms: 300_000 });
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ...it, pass };
}

test("pauses double up to the limit, for any number of failures", () => {
  const { fail } = backoff();
  const pauses = Array.from({ length: 2_000 }, () => fail("a").pause_ms);
  expect(pauses.slice(0, 8)).toEqual([2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]);
  expect(new Set(pauses.slice(7))).toEqual(new Set([300_000]));
});

test("after a success the pauses begin anew", () => {
  const it = backoff();
  it.fail("a");
  it.fail("a");
  it.succeed("a");
  expect([it.isDue("a"), it.fail("a")]).toEqual([true, { failures: 1, pause_ms: 2_500 }]);
});

test("no look begins after the stop, which waits for those that were noted before", async () => {
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const versions = createVersionChanges({
    store: { listTasks: async () => [] } as Partial<Store> as Store,
    promotions: { reconcile: () => (++looks === 1 ? first.promise : Promise.resolve()) },
    dispatcher: { dispatch: () => undefined },
    log: { error: () => undefined },
  });
  versions.note();
  versions.note();
  let isStopped = false;
  const stopped = versions.stop().then(() => {
    isStopped = true;
  });
  versions.note();
  await new Promise(setImmediate);
  expect([looks, isStopped]).toEqual([1, false]);
  first.resolve();
  await stopped;
  expect(looks).toBe(2);
});
