// Why an agent task cannot run: explain returns the reason beforehand, and the submitted task is blocked with it.
import { describe, expect, test } from "vitest";
import { check, done, openAgentWorld, run, scope } from "../../../support/agent-engine.ts";
import { calls } from "../../../support/agent-model.ts";
import { contractBody } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { skillsDirectory } from "../../../support/skills.ts";

// No server listens there, so a blocked task has sent no request.
const MODEL = { AGENT_MODEL: "agent:8b", AGENT_URL: "http://127.0.0.1:1" };
const agentTask = (over: object = {}) =>
  contractBody({ delegation_mode: "agent", constraints: scope("shell"), success_criteria: [], ...over });

const explain = (engine: Engine, contract: object) => engine.call("explain", { contract });

type Options = Parameters<typeof openEngine>[0];

test("an intent of a skill is handled by the skill and by no agent, and explain says so [1.A.7.every_mode]", async () => {
  const handler = `export const HANDLED_INTENTS = ["dim"]; export const handle = async () => ({ status: "ok", code: "dimmed", message: "Dim." });`;
  await using skills = await skillsDirectory({ lamps: handler });
  await using engine = await openEngine({ env: { ...MODEL, ORCH_CAPABILITIES: skills.path } });
  const contract = agentTask({ intent: "dim" });
  const why = "The skill lamps handles dim; use delegation_mode known_only.";
  expect(await explain(engine, contract)).toMatchObject({ would: "block", why });
  const task = await engine.call("submit_task", { ...contract, wait_seconds: 30 });
  expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "mode_unavailable", message: why } });
  for (const delegation_mode of ["known_only", "teach_if_unknown"]) {
    const given = { ...contract, task_id: delegation_mode, delegation_mode, wait_seconds: 30 };
    expect(await engine.call("submit_task", given)).toMatchObject({ status: "ok", outcome: { skill_code: "dimmed" } });
  }
});

describe("an agent task is blocked, and explain says so beforehand,", () => {
  test.each<[string, Options, object, string, string]>([
    ["without a model", {}, {}, "mode_unavailable", "AGENT_MODEL is not set, and neither is ROUTING_MODEL"],
    [
      "on the flow engine",
      { env: MODEL },
      { execution_backend: "flowengine" },
      "mode_unavailable",
      "leave execution_backend out",
    ],
    [
      "where no shell can be confined",
      { env: MODEL, shell_fault: "unshare is missing" },
      {},
      "mode_unavailable",
      "no shell here: unshare is missing",
    ],
    [
      "with nothing in scope",
      { env: MODEL },
      { constraints: scope() },
      "outside_scope",
      "implicit_scope names nothing",
    ],
    [
      "with limits on programs and no shell",
      { env: MODEL },
      { constraints: scope("cmd:ls") },
      "outside_scope",
      "names nothing",
    ],
    [
      "with a tool server that is not there",
      { env: MODEL },
      { constraints: scope("wiki") },
      "outside_scope",
      "names nothing",
    ],
  ])("%s", async (_where, options, over, reason_code, message) => {
    await using engine = await openEngine(options);
    const explained = await explain(engine, agentTask(over));
    expect(explained).toMatchObject({ would: "block", why: expect.stringContaining(message), steps: [] });
    const task = await engine.submit(agentTask(over));
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code, message: explained.why }, steps: [] });
    const { agent_turns, agent_end } = await engine.call("get_evidence", { task_id: task.task_id });
    expect({ agent_turns, agent_end }).toEqual({ agent_turns: [], agent_end: null });
  });
});

describe("an agent task would run", () => {
  test.each<[string, Options, object, string]>([
    ["with a shell in scope", { env: MODEL }, {}, "react, agent:8b"],
    ["on the routing model where no other is set", { env: { ROUTING_MODEL: "small:1b" } }, {}, "react, small:1b"],
    ["on the backend of its contract", { env: MODEL }, { agent_backend: "plain" }, "plain, agent:8b"],
    ["on the backend of the server", { env: { ...MODEL, AGENT_BACKEND: "plain" } }, {}, "plain, agent:8b"],
    [
      "with a tool server in scope",
      { env: { ...MODEL, MCP_WIKI_URL: "http://127.0.0.1:1" } },
      { constraints: scope("Wiki") },
      "react",
    ],
    ["with tools of a skill in scope", { env: MODEL }, { constraints: scope("notes") }, "react"],
    [
      "where it asks for no shell that could not be confined",
      { env: MODEL, shell_fault: "no" },
      { constraints: scope("notes") },
      "react",
    ],
  ])("%s", async (_how, options, over, agent) => {
    await using engine = await openEngine(options);
    expect(await explain(engine, agentTask(over))).toMatchObject({ would: "run", why: expect.stringContaining(agent) });
  });
});

test("an agent task that has begun makes the approved calls, and fails when its model is no longer set", async () => {
  await using world = await openAgentWorld([calls(run("echo one >> made"), check("test -s made")), done()]);
  const contract = world.contract({ constraints: { ...scope("shell"), require_approval_for: ["anything"] } });
  const approval_id = await (async () => {
    await using engine = await world.open();
    expect(await engine.submit(contract)).toMatchObject({ status: "need_approval" });
    return (await engine.approvalOf("task")).approval_id;
  })();
  await using engine = await openEngine({ directory: world.data_dir });
  const { task } = await engine.call("approve", { approval_id, decision: "approve", wait_seconds: 20 });
  expect(await world.lines("made")).toEqual(["one"]);
  expect(task).toMatchObject({
    status: "failed",
    outcome: { reason_code: "model_unavailable", message: "The agent model is no longer set." },
  });
});
