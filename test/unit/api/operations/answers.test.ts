// What the operations send for an answer: one commit that names the question, and one resumption of its thread.
import { describe, expect, test } from "vitest";
import { decide, expire } from "../../../../src/api/operations/decide.ts";
import type { OperationDeps } from "../../../../src/api/operations/deps.ts";
import { answerTask, handleResolveStep } from "../../../../src/api/operations/resolve-step.ts";
import { handleSubmitTask } from "../../../../src/api/operations/submit-task.ts";
import type { Decision } from "../../../../src/domain/approval.ts";
import type { Task, Waiting } from "../../../../src/domain/task.ts";
import { handleTeach } from "../../../../src/features/procedures/teach.ts";
import { AT, aContract, check, contractBody } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { anApproval, LATER, PROCEDURE, RESOLUTION, TEACHING } from "../../engine/tasks/a-task.ts";

const APPROVE: Decision = { decision: "approve", reason: null, decided_by: "kim", token_id: "t" };
const REJECT: Decision = { ...APPROVE, decision: "reject" };

/** Operations on a task that waits at this question. */
async function waiting(at: Waiting, { now = AT, over = {} }: { now?: string; over?: object } = {}) {
  const parts = pipelineParts();
  const { store, write, deps: nodes } = parts;
  const dispatched: unknown[] = [];
  const reclaimed: string[] = [];
  await parts.begin(aContract());
  const status = at.kind === "approval" ? "need_approval" : "need_input";
  const ask = (waiting: Waiting) =>
    write(
      "t-1",
      [],
      [{ on: "task", task_id: "t-1", expect: { status: ["running", status] }, set: { status, waiting } }],
    );
  await ask(at);
  const approval = anApproval(over);
  await write("t-1", [], [{ on: "approval_created", approval }]);
  const deps = {
    ...nodes,
    store,
    clock: () => new Date(now),
    locks: { holderOf: () => null },
    intents: new Set(["deploy", "water_plants"]),
    default_backend: "flowengine",
    task_holds: { holdOn: () => null },
    labels: [],
    target_labels: [],
    servers: { aheadMs: () => 0 },
    nextReport: async () => undefined,
    dispatcher: {
      dispatch: (task: Task, start: object) => void dispatched.push([task.task_id, start]),
      reclaim: ({ task_id }: Task) => void reclaimed.push(task_id),
      isLeaving: () => false,
      isFull: () => false,
    },
    promotions: { dispatch: (sop_id: string, start: object) => void dispatched.push([sop_id, start]) },
  } as unknown as OperationDeps;
  const task = async () => {
    const found = await store.findTask("t-1");
    if (found === null) throw new Error("there is no task");
    return found;
  };
  return { ...parts, deps, dispatched, reclaimed, ask, approval, task };
}
const caller = { token_id: "supervisor", signal: new AbortController().signal };
const resumed = (id: string, interrupt_id = "i-1") => [[id, { kind: "resume", interrupt_id }]];

/** What is refused writes nothing, and resumes nothing. */
async function expectRefused(at: Awaited<ReturnType<typeof waiting>>, act: () => Promise<unknown>, refusal: object) {
  const before = [await at.task(), await at.store.findApproval("a-1")];
  await expect(act()).rejects.toMatchObject(refusal);
  expect([await at.task(), await at.store.findApproval("a-1")]).toEqual(before);
  expect((await at.kindsOf()).at(-1)).toBe("taken_up");
  expect(at.dispatched).toEqual([]);
}

describe("an answer to a task", () => {
  const taught = { kind: "teaching", procedure: PROCEDURE } as const;

  test("is written with the new status, and resumes the thread at the question", async () => {
    const it = await waiting(TEACHING);
    await answerTask(it.deps, await it.task(), taught);
    expect(await it.task()).toMatchObject({ status: "running", waiting: null, outcome: null });
    expect((await it.store.readJournal("t-1")).at(-1)).toMatchObject({ kind: "taught", body: PROCEDURE });
    expect(it.dispatched).toEqual(resumed("t-1"));
  });

  test("that was made for an earlier question of the same status is refused, and nothing is written", async () => {
    const it = await waiting(TEACHING);
    const before = await it.task();
    await it.ask({ ...TEACHING, interrupt_id: "i-2" });
    await expectRefused(it, () => answerTask(it.deps, before, taught), { code: "task_not_waiting" });
  });

  test("has its effect once: the same one again is no fault, and another one is refused", async () => {
    const it = await waiting(RESOLUTION);
    const before = await it.task();
    const given = { kind: "resolution", resolution: "retry", reason: null, index: undefined } as const;
    await answerTask(it.deps, before, given);
    await answerTask(it.deps, before, given);
    const other = { ...given, resolution: "failed" } as const;
    await expect(answerTask(it.deps, before, other)).rejects.toMatchObject({ code: "task_not_waiting" });
    expect(it.dispatched).toHaveLength(1);
    expect(it.reclaimed).toEqual(["t-1", "t-1"]);
  });
});

describe("resolve_step", () => {
  const resolve = (deps: OperationDeps, over: { index?: number; reason?: string } = {}) =>
    handleResolveStep(deps)({ task_id: "t-1", resolution: "succeeded", wait_seconds: 0, ...over }, caller);

  test.each([
    [{}, null],
    [{ index: 2, reason: "the page is up" }, "the page is up"],
  ])("with %j settles the step that is asked about, and shows the task as it is then", async (over, reason) => {
    const it = await waiting(RESOLUTION);
    expect(await resolve(it.deps, over)).toMatchObject({ task_id: "t-1", status: "running", waiting: null });
    const body = { index: 2, attempt: 1, resolution: "succeeded", reason };
    expect((await it.store.readJournal("t-1")).at(-1)).toMatchObject({ kind: "step_resolved", body });
    expect(it.dispatched).toEqual(resumed("t-1"));
  });

  test.each<[string, Waiting, object]>([
    ["of another step", RESOLUTION, { index: 1 }],
    ["to a task that is to be taught", TEACHING, {}],
  ])("%s is refused, and nothing is written", async (_what, at, over) => {
    const it = await waiting(at);
    const message = "Task t-1 does not ask about that step.";
    await expectRefused(it, () => resolve(it.deps, over), { code: "task_not_waiting", message });
  });
});

describe("teach", () => {
  const definition = { steps: [check("test -d /")], safety_level: "standard", preconditions: [] } as const;
  const teach = (deps: OperationDeps, steps = [...definition.steps]) =>
    handleTeach(deps)({ ...definition, preconditions: [], steps, task_id: "t-1", wait_seconds: 0 }, caller);

  test("is refused with any steps for a task that asks about a step", async () => {
    const it = await waiting(RESOLUTION);
    const refused = { code: "task_not_waiting", message: "Task t-1 does not wait to be taught." };
    for (const steps of [[check("test -d /")], [check("rm -rf /")]])
      await expectRefused(it, () => teach(it.deps, steps), refused);
  });

  test("answers a task that waits to be taught", async () => {
    const it = await waiting(TEACHING);
    expect(await teach(it.deps)).toMatchObject({ task: { status: "running" }, sop: null, approval_id: null });
    expect(it.dispatched).toEqual(resumed("t-1"));
  });
});

describe("a decision", () => {
  const AT_APPROVAL: Waiting = { kind: "approval", interrupt_id: "i-1", approval_id: "a-1" };

  test.each([
    ["approved", APPROVE],
    ["rejected", REJECT],
  ] as const)(
    "is recorded as %s with the row of the task, and resumes the thread at the question",
    async (status, decision) => {
      const it = await waiting(AT_APPROVAL);
      expect(await decide(it.deps, it.approval, decision)).toMatchObject({ status, decision, decided_at: AT });
      expect(await it.task()).toMatchObject({ status: "running", waiting: null });
      expect(it.dispatched).toEqual(resumed("t-1"));
    },
  );

  test("that is the same as the first changes nothing, and another one is refused", async () => {
    const it = await waiting(AT_APPROVAL);
    const decided = await decide(it.deps, it.approval, APPROVE);
    expect(await decide(it.deps, it.approval, APPROVE)).toEqual(decided);
    expect(await decide(it.deps, decided, APPROVE)).toEqual(decided);
    await expect(decide(it.deps, decided, REJECT)).rejects.toMatchObject({ code: "approval_not_pending" });
    expect(it.dispatched).toHaveLength(1);
  });

  test("on a promotion resumes the thread of its SOP", async () => {
    const over = { kind: "promotion", thread_id: "promotion/s-1" } as const;
    const it = await waiting(AT_APPROVAL, { over });
    await decide(it.deps, it.approval, APPROVE);
    expect(it.dispatched).toEqual(resumed("s-1"));
    expect(await it.task(), "no task waits for a promotion").toMatchObject({ status: "need_approval" });
  });

  const NOT_PENDING = { code: "approval_not_pending" };
  const WITHDRAWN = { ...NOT_PENDING, message: "Approval a-1 is superseded already." };
  const NOT_FOUND = { code: "approval_not_found", message: "There is no approval a-9." };
  test.each<[string, object, Waiting, Parameters<typeof anApproval>[0], object]>([
    ["made for an earlier question of the same status", {}, { ...AT_APPROVAL, interrupt_id: "i-2" }, {}, NOT_PENDING],
    ["on an approval that was withdrawn", { status: "superseded", interrupt_id: null }, AT_APPROVAL, {}, WITHDRAWN],
    ["on an approval that is not stored", {}, AT_APPROVAL, { approval_id: "a-9" }, NOT_FOUND],
    ["before its thread waits", { interrupt_id: null }, AT_APPROVAL, {}, NOT_PENDING],
  ])("%s is refused", async (_what, over, now, decided, refusal) => {
    const it = await waiting(AT_APPROVAL, { over });
    await it.ask(now);
    await expectRefused(it, () => decide(it.deps, { ...it.approval, ...decided }, APPROVE), refusal);
  });

  test.each([
    ["2026-03-06T09:59:59.999Z", "approved"],
    [LATER, "expired"],
    ["2026-03-06T10:00:00.001Z", "expired"],
  ])("at %s on an approval that expires at 10:00 makes it %s", async (now, status) => {
    const it = await waiting(AT_APPROVAL, { now });
    const decided = decide(it.deps, it.approval, APPROVE);
    if (status === "expired") await expect(decided).rejects.toMatchObject({ code: "approval_not_pending" });
    else await decided;
    expect(await it.store.findApproval("a-1")).toMatchObject({ status });
    expect(it.dispatched).toHaveLength(1);
  });

  test("that is missing when the approval expires is a rejection", async () => {
    const it = await waiting(AT_APPROVAL, { now: LATER });
    const decision = { decision: "reject", reason: "expired", decided_by: null, token_id: null };
    expect(await expire(it.deps, it.approval)).toMatchObject({ status: "expired", decision, decided_at: LATER });
    expect(it.dispatched).toEqual(resumed("t-1"));
  });
});

describe("a task that is submitted where the flow engine is the default", () => {
  const skill = {
    name: "garden",
    intents: ["water_plants"],
    fault: null,
    handle: () => Promise.reject(new Error("not here")),
  };

  test.each([
    ["an agent task", { delegation_mode: "agent" }, "local"],
    ["a task of a skill", { intent: "water_plants" }, "local"],
    ["a procedure", {}, "flowengine"],
    ["a procedure that asks for this machine", { execution_backend: "local" }, "local"],
  ])("is recorded with its backend: %s", async (_what, over, backend) => {
    const it = await waiting(TEACHING);
    const deps = { ...it.deps, skillOf: (intent: string) => (intent === "water_plants" ? skill : null) };
    const contract = aContract(contractBody({ task_id: "t-2", ...over }));
    expect(await handleSubmitTask(deps)({ ...contract, wait_seconds: 0 }, caller)).toMatchObject({ backend });
    expect(await it.store.readJournal("t-2")).toMatchObject([{ kind: "task_accepted", body: { backend } }]);
    expect(it.dispatched).toMatchObject([["t-2", { kind: "new", events: [{ kind: "task_accepted" }] }]]);
  });
});
