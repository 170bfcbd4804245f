// Categories that need an approval, matched by the routing model.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd, mcpCall, wait } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { type RoutingModel, startRoutingModel } from "../../../support/routing-model.ts";

let engine: Engine;
let model: RoutingModel;
beforeAll(async () => {
  model = await startRoutingModel();
  engine = await openEngine({ env: { ...model.env, ROUTING_TIMEOUT_MS: "2000" } });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const CATEGORIES = ["restarting a service", "本番の変更"];

async function submitted(
  name: string,
  steps: Parameters<Engine["learn"]>[2],
  categories: readonly string[] = CATEGORIES,
) {
  await engine.learn("deploy", engine.targetOf(name), steps);
  const constraints = { implicit_scope: ["notes"], require_approval_for: categories, max_minutes: 1 };
  return engine.run(name, { delegation_mode: "known_only", constraints });
}

const answersOn = async (task_id: string) => (await engine.call("get_evidence", { task_id })).gate_answers;

test("a command that falls into a category waits for approval, and the category is named [4.gate.approval] [5.policy.approval] [1.A.5.gate]", async () => {
  model.says("echo restart-web >> matched", { requires_approval: true, matched_category: "restarting a service" });
  const task = await submitted("matched", [
    cmd("echo first >> matched"),
    cmd("echo restart-web >> matched"),
    check("test -d /"),
  ]);
  expect(task).toMatchObject({ status: "need_approval" });
  expect(task.outcome.findings).toEqual([
    {
      step_index: 1,
      verdict: "ask",
      code: "category.matched",
      category: "restarting a service",
      command: "echo restart-web >> matched",
      reason: expect.stringContaining('"restarting a service"'),
      change: "changes",
      consequences: [],
      blast: { paths: [expect.stringMatching(/\/matched$/)], containers: [], hosts: [], more: 0 },
    },
  ]);
  expect(engine.linesOf("matched")).toEqual([]);
  const { approval_id } = await engine.approvalOf("matched");
  await engine.call("approve", { approval_id, decision: "approve" });
  expect(await engine.outcomeOf("matched")).toMatchObject({ status: "ok" });
  expect(engine.linesOf("matched")).toEqual(["first", "restart-web"]);
  expect(model.askedAbout("echo restart-web >> matched"), "not asked again after the approval").toHaveLength(1);
});

test("a plan of which nothing falls into a category runs without asking anyone [4.gate.approval] [5.policy.write]", async () => {
  const task = await submitted("unmatched", [cmd("echo x >> unmatched"), check("test -s unmatched")]);
  expect(task).toMatchObject({ status: "ok" });
  const { approvals } = await engine.call("list_approvals", { thread_id: "unmatched" });
  expect(approvals).toEqual([]);
  expect(await answersOn("unmatched")).toMatchObject([
    {
      question: "approval",
      about: "echo x >> unmatched",
      answer: { requires_approval: false },
      fallback: null,
      model: "small:1b",
    },
    { question: "approval", about: "test -s unmatched", answer: { requires_approval: false }, fallback: null },
  ]);
});

test("the model is shown one command and the whole list, for commands, checks and tool calls, not for waits [4.gate.approval_prompt] [4.gate.category_list]", async () => {
  const call = mcpCall({ arguments: { title: "shown" } });
  await submitted("shown", [cmd("echo shown"), wait("1ms"), call, check("! test -e shown")]);
  const text = 'notes.create_note {"title":"shown"}';
  const about = model.questions.filter(
    ({ command, categories }) => categories !== undefined && command.includes("shown"),
  );
  expect(about).toEqual(["echo shown", text, "! test -e shown"].map((command) => expect.objectContaining({ command })));
  for (const { categories } of about) expect(categories).toEqual(CATEGORIES);
});

test("identical commands are asked about once, and each of them needs the approval", async () => {
  model.says("echo same", { requires_approval: true, matched_category: "本番の変更" });
  const task = await submitted("same", [cmd("echo same"), cmd("echo other"), cmd("echo same"), check("test -d /")]);
  expect(model.askedAbout("echo same")).toHaveLength(1);
  expect(task.outcome.findings.map(({ step_index }: { step_index: number }) => step_index)).toEqual([0, 2]);
});

test("the model is not asked when the list is empty [2.approval_list.empty] [1.A.2.model_points]", async () => {
  const task = await submitted("no-list", [cmd("echo no-list"), check("test -d /")], []);
  expect(task).toMatchObject({ status: "ok" });
  expect(model.askedAbout("echo no-list")).toEqual([]);
});

describe("a category that code can find", () => {
  test("asks for the approval without a question to the model, and the approval says what it covers [4.gate.approval] [1.A.5.gate]", async () => {
    const restart = "S=web-by-code; echo docker restart $S; false && docker restart $S";
    const task = await submitted("by-code", [cmd(restart), check("test -d /")], ["restarts_service"]);
    expect(task).toMatchObject({ status: "need_approval" });
    expect(task.outcome.findings).toMatchObject([
      {
        step_index: 0,
        code: "category.matched",
        category: "restarts_service",
        reason: expect.stringContaining('"docker restart web-by-code" restarts or stops a service'),
        change: "changes",
        consequences: ["restarts_service"],
        blast: { containers: ["web-by-code"] },
      },
    ]);
    expect(model.askedAbout(restart)).toEqual([]);
    expect((await answersOn("by-code")).map(({ about }: { about: string }) => about)).toEqual(["test -d /"]);
    const { content } = await engine.approvalOf("by-code");
    expect(content.findings).toEqual(task.outcome.findings);
  });

  test("is left to the model where code finds nothing, with the whole list [4.gate.approval]", async () => {
    model.says("./bounce.sh", { requires_approval: true, matched_category: "restarts_service" });
    const steps = [cmd("./bounce.sh"), check("test -d /")];
    const task = await submitted("by-model", steps, ["restarts_service", "本番の変更"]);
    expect(task).toMatchObject({ status: "need_approval" });
    expect(model.askedAbout("./bounce.sh")).toMatchObject([{ categories: ["restarts_service", "本番の変更"] }]);
    expect(task.outcome.findings).toMatchObject([{ code: "category.matched", category: "restarts_service" }]);
  });
});

describe("when the model is of no use", () => {
  test("because it does not answer in time, the approval is asked for, and the rest of the plan is not held up by further questions [4.gate.approval_fallback] [7.8]", async () => {
    model.says("echo fails-2", "is silent");
    const steps = ["echo fails-1", "echo fails-2", "echo fails-3", "echo fails-4"].map(cmd);
    const task = await submitted("fails", [...steps, check("test -d /usr")]);
    expect(task).toMatchObject({ status: "need_approval" });
    const found = task.outcome.findings.map(({ step_index, code }: { step_index: number; code: string }) => [
      step_index,
      code,
    ]);
    expect(found).toEqual([1, 2, 3, 4].map((index) => [index, "category.undecided"]));
    expect(model.questions.map(({ command }) => command).filter((text) => text.includes("fails-"))).toEqual([
      "echo fails-1",
      "echo fails-2",
    ]);
    expect(await answersOn("fails")).toMatchObject([{ fallback: null }, { fallback: expect.any(String) }]);
  });

  test.each([
    ["names a category that is not in the list", { requires_approval: true, matched_category: "made up" }],
    ["says more than it was asked", { requires_approval: false, approved_by: "me" }],
    ["says something else", { verdict: "fine" }],
    ["fails", "fails"],
  ] as const)("because it %s, the approval is asked for [4.model.response]", async (what, answer) => {
    const name = `unusable-${what.replaceAll(" ", "-")}`;
    model.says(`echo ${name}`, answer);
    const task = await submitted(name, [cmd(`echo ${name}`), check("test -d /")]);
    expect(task).toMatchObject({ status: "need_approval" });
    expect(task.outcome.findings[0]).toMatchObject({ code: "category.undecided", category: null });
  });
});

test("the model can add an approval and never remove one that a rule demands [2.safety_level.asks]", async () => {
  await engine.learn("deploy", engine.targetOf("demanded"), [cmd("echo x >> demanded"), check("test -d /")], {
    safety_level: "approval_required",
  });
  const constraints = { implicit_scope: [], require_approval_for: CATEGORIES, max_minutes: 1 };
  const task = await engine.run("demanded", { constraints });
  expect(model.askedAbout("echo x >> demanded")).toHaveLength(1);
  expect(task).toMatchObject({ status: "need_approval" });
  expect(task.outcome.findings).toMatchObject([{ code: "safety.approval_required" }]);
});
