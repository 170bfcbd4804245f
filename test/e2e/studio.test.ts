// LangGraph Studio as its user meets it: the development server started from langgraph.json and driven through the SDK.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { TaskContract } from "../../src/domain/contract.ts";
import { check, cmd, contractBody } from "../support/builders.ts";
import { type StudioProcess, startStudio } from "../support/studio-process.ts";
import { approve, bodiesOf, openThread, reject, stdoutOf } from "../support/studio-thread.ts";

const teach = (args: object) => ({ decisions: [{ type: "edit", editedAction: { name: "teach", args } }] });
const guarded = (...steps: object[]) => teach({ steps, safety_level: "approval_required" });

/** A thread on which tasks are started; with the contract of each. */
async function openTasks(studio: StudioProcess) {
  const thread = await openThread(studio, "sop");
  const start = (over: Record<string, unknown> = {}) => thread.start({ contract: contractBody(over) });
  return { ...thread, start };
}

/** A thread on which the promotion of this SOP is asked for. */
async function promote(studio: StudioProcess, sop_id: unknown) {
  const thread = await openThread(studio, "promotion");
  await thread.start({ sop_id });
  return thread;
}

describe("Studio", () => {
  let studio: StudioProcess;
  beforeAll(async () => {
    studio = await startStudio();
  }, 90_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  test("lists its graphs", async () => {
    const graphs = (await studio.client.assistants.search()).map(({ graph_id }) => graph_id);
    expect(graphs.sort()).toEqual(["promotion", "react", "sop"]);
  });

  test.each([
    ["sop", "run_steps"],
    ["promotion", "await_promotion"],
    ["react", "ask_model"],
  ])("draws the graph %s", async (graph, node) => {
    const { nodes } = await studio.client.assistants.getGraph(graph);
    expect(nodes.map(({ id }) => id)).toContain(node);
  });

  test.each(["sop", "react"])("shows the contract that the graph %s takes", async (graph) => {
    const { input_schema } = await studio.client.assistants.getSchemas(graph);
    expect(Object.keys(input_schema?.properties ?? {})).toEqual(["contract"]);
    expect(input_schema).toMatchObject({
      properties: { contract: { properties: { intent: { type: "string" }, payload: { type: "object" } } } },
    });
    const { properties } = z.object({ properties: z.looseObject({}) }).parse(input_schema?.properties?.["contract"]);
    expect(Object.keys(properties).sort()).toEqual(Object.keys(TaskContract.shape).sort());
  });

  test("a contract without an SOP asks for one; what is taught is rehearsed and not run", async () => {
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "web", compose_dir: studio.directory } });
    expect(await thread.status()).toBe("interrupted");
    expect(await thread.questions()).toMatchObject([
      { outcome: { status: "need_input", reason_code: "sop_unknown" }, action_requests: [{ name: "teach" }] },
    ]);
    const events = await thread.answer({ steps: [cmd("touch made"), check("test -e made")] });
    expect(stdoutOf(events)).toEqual(["rehearsed, not run: touch made", "rehearsed, not run: test -e made"]);
    expect(existsSync(join(studio.directory, "made"))).toBe(false);
    expect(await thread.status()).toBe("idle");
    expect(await thread.facts()).toMatchObject({
      path: "sop",
      lookup: "teachable",
      permission: "allow",
      execution: "completed",
      verdict: "pass",
      reason: { reason_code: "verified" },
    });
  });

  test("a procedure that needs approval shows its steps, and runs once it is approved", async () => {
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "approved" } });
    expect(stdoutOf(await thread.answer(guarded(cmd("restart it"), check("curl it"))))).toEqual([]);
    expect(await thread.questions()).toMatchObject([
      {
        outcome: { status: "need_approval", reason_code: "approval_required" },
        actionRequests: [{ name: "approve_plan", args: { steps: [cmd("restart it"), check("curl it")] } }],
        review_configs: [{ action_name: "approve_plan", allowed_decisions: ["approve", "reject"] }],
      },
    ]);
    expect(stdoutOf(await thread.answer(approve))).toHaveLength(2);
    expect(await thread.facts()).toMatchObject({ decision: "approve", verdict: "pass" });
    await thread.branch("await_approval", { permission: "ask" });
    expect(await thread.questions(), "a fork from before the approval asks again").toHaveLength(1);
    await thread.answer(reject);
    expect(await thread.facts()).toMatchObject({ decision: "reject", reason: { reason_code: "approval_rejected" } });
  });

  test("an answer that is no decision is refused, and the approval can still be given", async () => {
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "unclear" } });
    await thread.answer(guarded(check("test -d /")));
    await expect(thread.answer({ decisions: [{ type: "maybe" }] })).rejects.toThrow(/is no decision/);
    await thread.answer([{ type: "accept", args: null }]);
    expect(await thread.facts()).toMatchObject({ decision: "approve", verdict: "pass" });
  });

  test("the offered action is taken back with its steps filled in, as an agent inbox sends it", async () => {
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "offered" } });
    const [question] = z
      .array(z.object({ action_requests: z.tuple([z.object({ name: z.string(), args: z.looseObject({}) })]) }))
      .parse(await thread.questions());
    const [{ name = "", args = {} } = {}] = question?.action_requests ?? [];
    await thread.answer([{ type: "edit", args: { action: name, args: { ...args, steps: [check("test -d /")] } } }]);
    expect(await thread.facts()).toMatchObject({ lookup: "teachable", verdict: "pass" });
  });

  test("an input without a contract is refused with what is missing", async () => {
    const thread = await openThread(studio, "sop");
    await expect(thread.start({})).rejects.toThrow(/contract/);
  });

  test("a rejection blocks, with what the human said", async () => {
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "rejected" } });
    await thread.answer(guarded(check("test -d /")));
    const events = await thread.answer(reject);
    expect(stdoutOf(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "reported", body: { status: "blocked" } });
    expect(await thread.facts()).toMatchObject({
      decision: "reject",
      reason: { reason_code: "approval_rejected", message: expect.stringContaining("not on a Friday") },
    });
  });

  test("every start is a task of its own, on the same thread as on a new one", async () => {
    const contract = { target: { service: "again" } };
    const thread = await openTasks(studio);
    await thread.start(contract);
    await thread.answer({ steps: [check("first")] });
    const asked = ["sop_unknown"];
    const reasons = async (on: typeof thread) => {
      const questions = z.array(z.object({ outcome: z.object({ reason_code: z.string() }) }));
      return questions.parse(await on.questions()).map(({ outcome }) => outcome.reason_code);
    };
    await thread.start(contract);
    expect(await reasons(thread)).toEqual(asked);
    expect(stdoutOf(await thread.answer({ steps: [check("second")] }))).toEqual(["rehearsed, not run: second"]);
    const other = await openTasks(studio);
    await other.start(contract);
    expect(await reasons(other)).toEqual(asked);
  });

  test("steps that cannot be taught end the run with an error, and the contract can be started again", async () => {
    const thread = await openTasks(studio);
    const contract = { target: { service: "unteachable" } };
    await thread.start(contract);
    await expect(thread.answer({ steps: [cmd("true")] })).rejects.toThrow();
    await thread.start(contract);
    await thread.answer({ steps: [check("test -d /")] });
    expect(await thread.facts()).toMatchObject({ verdict: "pass" });
  });

  test("a candidate is promoted, and the next contract finds it", async () => {
    const contract = { target: { service: "promoted" }, delegation_mode: "teach_if_unknown" };
    const thread = await openTasks(studio);
    await thread.start(contract);
    const events = await thread.answer({ steps: [check("test -d /")] });
    const [candidate] = bodiesOf(events, "sop_changed");
    expect(candidate).toMatchObject({ status: "candidate" });
    const promotion = await promote(studio, candidate?.["sop_id"]);
    expect(await promotion.questions()).toMatchObject([{ outcome: { reason_code: "promotion_pending" } }]);
    await promotion.answer(approve);
    const next = await openTasks(studio);
    await next.start(contract);
    expect(await next.facts()).toMatchObject({ lookup: "known", verdict: "pass" });
  });
});

describe("Studio with ORCH_STUDIO_EXECUTE=1", () => {
  test("runs the steps on this machine", { timeout: 90_000 }, async () => {
    await using studio = await startStudio({ ORCH_STUDIO_EXECUTE: "1" });
    const thread = await openTasks(studio);
    await thread.start({ target: { service: "web", compose_dir: studio.directory } });
    const events = await thread.answer({ steps: [cmd("echo done > made; cat made"), check("test -e made")] });
    expect(stdoutOf(events)).toEqual(["done\n", ""]);
    expect(readFileSync(join(studio.directory, "made"), "utf8")).toBe("done\n");
    expect(await thread.facts()).toMatchObject({ verdict: "pass" });
  });
});
