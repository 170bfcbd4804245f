// Why a task waits: the server says it in one sentence, and the command line and MCP show that sentence as it is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { check } from "../../../support/builders.ts";
import { runInProcess } from "../../../support/cli-in-process.ts";
import { littleServer } from "../../../support/cli-server.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import type { Found, McpSupervisor } from "../../../support/mcp-client.ts";
import { type RunningMcp, startMcp } from "../../../support/mcp-endpoint.ts";

let engine: Engine;
let endpoint: RunningMcp;
let supervisor: McpSupervisor;
let freeze_id: string;
beforeAll(async () => {
  engine = await openEngine({ env: { ORCH_CONCURRENCY: "1", ORCH_LABELS: "docker" } });
  endpoint = await startMcp({ operations: engine.operations });
  supervisor = await endpoint.connect();
  await engine.learn("deploy", engine.targetOf("runs"), [engine.holding("runs"), check("test -d /")]);
  const submit = (name: string, over: Record<string, unknown> = {}) =>
    engine.call("submit_task", engine.contract(name, over));
  await submit("runs");
  await engine.begun("runs");
  ({ freeze_id } = (await engine.call("freeze", { reason: "disk swap", intent: "commit_push" })).freeze);
  await submit("frozen", { intent: "commit_push" });
  await submit("same-target", { intent: "restart", target: engine.targetOf("runs") });
  await submit("labelled", { runs_on: ["arm"] });
  await submit("no-slot");
});
afterAll(async () => {
  engine.letGo("runs");
  await supervisor[Symbol.asyncDispose]();
  await endpoint.stop();
  await engine[Symbol.asyncDispose]();
});

async function printed(command: string, body: unknown): Promise<string> {
  await using server = await littleServer(() => ({ body }));
  const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
  return (await runInProcess(command.split(" "), { environment })).stdout;
}

const rowOf = ({ tasks }: Found, task_id: string) => tasks.find((task: Found) => task.task_id === task_id);

test.each([
  ["frozen", "freeze", () => `Held by ${freeze_id}: disk swap.`],
  ["same-target", "target", () => "Waits for task runs, which goes first on the same target."],
  ["labelled", "labels", () => "Waits for a server with the label arm."],
  ["no-slot", "slot", () => "Waits for a free slot."],
])("the task %s waits for: %s, and says so everywhere in the same words", async (task_id, waiting_for, sentence) => {
  const waiting_text = sentence();
  const view = await engine.call("get_task", { task_id });
  const list = await engine.call("list_tasks", {});
  expect(view).toMatchObject({ status: "accepted", waiting_for, waiting_text });
  expect(rowOf(list, task_id)).toMatchObject({ waiting_for, waiting_text });
  const text = await printed(`task ${task_id}`, view);
  expect(text).toMatch(/^ +why +(.*)$/m);
  expect(/^ +why +(.*)$/m.exec(text)?.[1]).toBe(waiting_text);
  expect(text.split(waiting_text)).toHaveLength(2);
  expect(await printed("tasks", { ...list, tasks: [rowOf(list, task_id)] })).toContain(`${waiting_text}\n`);
  expect(await supervisor.call("get_task", { task_id })).toMatchObject({ waiting_for, waiting_text });
  expect(rowOf(await supervisor.call("list_tasks", {}), task_id)).toMatchObject({ waiting_text });
});

test("a task that runs waits for nothing", async () => {
  const view = await engine.call("get_task", { task_id: "runs" });
  expect(view).toMatchObject({ status: "running", waiting_for: null, waiting_text: null });
});

test("the command line prints the status alone where a server sends no sentence", async () => {
  const {
    waiting_for: _for,
    waiting_text: _text,
    ...older
  } = await engine.call("get_task", { task_id: "same-target" });
  const text = await printed("task same-target", older);
  expect(text).toContain("ACCEPTED");
  expect(text).not.toMatch(/^ +why /m);
});
