// What a server reports of the steps of tasks that it has lost (D-330).
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { StepResult } from "../../../../src/domain/step.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { createLateResults } from "../../../../src/engine/worker/threads.ts";
import type { Commit, Store } from "../../../../src/ports.ts";
import { aContract, aResult, check, cmd } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { procedureOf } from "../../../support/pipeline-parts.ts";

const claim = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: owner !== "a" } });
const start = (index = 0): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
const finish = (over: Partial<StepResult> = {}): NewEvent => ({ kind: "step_finished", body: aResult(over) });
const resolve: NewEvent = {
  kind: "step_resolved",
  body: { index: 0, attempt: 1, resolution: "succeeded", reason: null },
};
const report = (status: "need_input" | "cancelled"): NewEvent => ({
  kind: "reported",
  body: {
    status,
    label: "x",
    reason_code: "step_outcome_unknown",
    message: "m",
    next: [],
    step_index: 0,
    findings: [],
    approval_id: null,
  },
});

const REFUSED = { ok: false, conflict: "journal" } as const;

async function lost({ before = [start()], after = [claim("b")] }: { before?: NewEvent[]; after?: NewEvent[] } = {}) {
  const store = memoryStore();
  const write = async (...events: NewEvent[]) => void (await store.commit({ thread_id: "t-1", after: "last", events }));
  await write(
    { kind: "task_accepted", body: { contract: aContract(), contract_digest: "d" } },
    { kind: "taught", body: procedureOf([cmd("mv a b"), check("true")]) },
    ...[claim("a"), ...before],
  );
  const logged: string[] = [];
  const log = { error: (_details: object, message: string) => void logged.push(message) };
  const late = createLateResults({ store, owner: "a", name: "nas", log });
  const fails: Store["commit"] = async () => REFUSED;
  const commit = late.around(fails);
  const end = (...events: NewEvent[]) => commit({ thread_id: "t-1", after: null, events } satisfies Commit);
  const events = async () => (await store.readJournal("t-1")).filter(({ kind }) => kind === "late_result");
  return { store, write, late, end, events, logged, lose: () => write(...after) };
}

describe("a server that has lost a task", () => {
  test("reports how a step of it has ended, once, after what its new owner has written", async () => {
    const { late, end, events, lose, store } = await lost({ after: [claim("b"), report("need_input")] });
    await end(finish({ exit_code: 3, status: "failed", stdout: "é".repeat(5_000), stderr: "no space\n" }));
    await lose();
    await late.report();
    await late.report();
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event?.seq).toBe((await store.readJournal("t-1")).length);
    expect(event?.body).toMatchObject({
      index: 0,
      attempt: 1,
      owner: "a",
      server: "nas",
      status: "failed",
      exit_code: 3,
      stderr: "no space\n",
      stdout: "é".repeat(2_000),
      message: expect.stringContaining(
        "Server nas, which has lost the task, says that step 0 ended with exit code 3 at 20",
      ),
    });
    const state = projection(await store.readJournal("t-1"));
    expect(state.steps.records.get(0)).toMatchObject({ state: "started", result: null });
    expect((await store.readMessages(0, 9)).map((message) => message.event.kind)).toEqual(["reported", "late_result"]);
  });

  test.each([
    ["whose end is in the journal", { after: [finish(), claim("b")] }],
    ["which the supervisor has resolved", { after: [claim("b"), report("need_input"), resolve] }],
    ["of a task that has ended", { after: [report("cancelled")] }],
    ["which another server has started", { before: [], after: [claim("b"), start()] }],
    ["which the new owner has started again", { after: [claim("b"), start()] }],
    ["that changes nothing", { before: [start(), finish(), start(1)] }, { index: 1, kind: "check" }],
  ] as const)("reports nothing of a step %s", async (_what, given: object, over: Partial<StepResult> = {}) => {
    const { late, end, events, lose } = await lost(given);
    await end(finish(over));
    await lose();
    await late.report();
    expect(await events()).toEqual([]);
  });

  test("reports nothing of a step whose end it has written", async () => {
    const { store, events } = await lost();
    const late = createLateResults({ store, owner: "a", name: "nas", log: { error: () => undefined } });
    await late.around(async () => ({ ok: true, events: [] }))({ thread_id: "t-1", after: null, events: [finish()] });
    await late.report();
    expect(await events()).toEqual([]);
  });

  test("tries again while others write, and says in its log what it could not report", async () => {
    const { store, end, lose, events, logged } = await lost();
    await lose();
    let races = 2;
    const racing: Store["appendLateResult"] = async (...given) => {
      if (races-- > 0) return REFUSED;
      return store.appendLateResult(...given);
    };
    const log = { error: (_details: object, message: string) => void logged.push(message) };
    const late = createLateResults({ store: { ...store, appendLateResult: racing }, owner: "a", name: "nas", log });
    await late.around(async () => REFUSED)({ thread_id: "t-1", after: null, events: [finish()] });
    await late.report();
    expect(await events()).toHaveLength(1);
    const broken = createLateResults({
      store: { ...store, readJournal: () => Promise.reject(new Error("gone")) },
      owner: "a",
      name: "nas",
      log,
    });
    await broken.around(async () => REFUSED)({ thread_id: "t-1", after: null, events: [finish()] });
    await broken.report();
    expect(logged).toEqual(["what became of a step of a lost task could not be reported"]);
    await end();
  });
});
