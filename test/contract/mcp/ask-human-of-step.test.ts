// A client of MCP 2026-07-28 whose human says in a form what became of a step that was cut off.
import { describe, expect, test, vi } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { askEnveloped, declaring, enveloped } from "../../support/mcp-2026.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const TASKS = ["shown", "succeeded", "failed", "again", "left", "odd", "late", "long"] as const;

const before = held(await openEngine({ env: { ORCH_DRAIN_SECONDS: "0", ORCH_CONCURRENCY: "20" } }));
for (const name of TASKS) {
  const more = name === "long" ? `; echo ${"x".repeat(9_000)}` : "";
  const cut = cmd(`echo begun >> ${name}.ran; test -e ${name}.once || { touch ${name}.once; sleep 61; }${more}`);
  await before.plant("deploy", before.targetOf(name), [cut, check("test -d /")]);
  await before.call("submit_task", before.contract(name));
}
const haveBegun = () => TASKS.forEach((name) => void expect(before.linesOf(`${name}.ran`)).toHaveLength(1));
await vi.waitFor(haveBegun, { timeout: 10_000 });
await before.shutDown();
const engine = held(await openEngine({ directory: before.directory }));
const endpoint = held(await startMcp({ operations: engine.operations }));

type Task = (typeof TASKS)[number];

const ask = (task_id: Task, more: object = {}, capabilities: object = { elicitation: { form: {} } }) => {
  const params = { name: "get_task", arguments: { task_id, wait_seconds: 20 }, ...more };
  return askEnveloped(endpoint, enveloped("tools/call", params, declaring(capabilities)));
};

/** The same call again, with what the human answered and the state that it was given. */
async function answered(task_id: Task, resolution: object) {
  const { result } = await ask(task_id);
  expect(result).toMatchObject({ resultType: "input_required" });
  return ask(task_id, { inputResponses: { resolution }, requestState: result.requestState });
}

const accept = (content: object) => ({ action: "accept", content });

describe("a call that waits and ends at a step of unknown outcome", () => {
  test("shows the beginning of a long step, and where the whole is", async () => {
    const { result } = await ask("long");
    const { message } = result.inputRequests.resolution.params;
    expect(message.length).toBeLessThan(8_100);
    for (const shown of ["orch task long", "/console/tasks/long", "read the whole", "echo begun >> long.ran"])
      expect(message).toContain(shown);
    expect(message).toMatch(/\[\d+ more characters\]$/);
  });

  test("asks what became of it: what was started, where and since when, and nothing is chosen beforehand", async () => {
    const { result } = await ask("shown");
    const { method, params } = result.inputRequests.resolution;
    const { events } = await engine.call("read_journal", { task_id: "shown" });
    const { at } = events.find(({ kind }: { kind: string }) => kind === "step_started");
    expect(method).toBe("elicitation/create");
    const { task_id, target, step, what_is_known } = JSON.parse(params.message.slice(params.message.indexOf("{")));
    expect({ task_id, target, step }).toEqual({
      task_id: "shown",
      target: engine.targetOf("shown"),
      step: { index: 0, attempt: 1, kind: "cmd", command: expect.stringContaining("shown.ran"), started_at: at },
    });
    expect(what_is_known).toContain("may or may not have taken effect");
    expect(params.requestedSchema).toMatchObject({
      properties: { resolution: { enum: ["succeeded", "failed", "retry"] }, reason: { type: "string" } },
      required: ["resolution"],
    });
    expect(JSON.stringify(params.requestedSchema)).not.toContain("default");
  });

  test.each([
    ["succeeded", "ok", 1],
    ["failed", "failed", 1],
    ["again", "ok", 2],
  ] as const)("goes on as the human has seen: %s", async (name, status, runs) => {
    const resolution = name === "again" ? "retry" : name;
    const { result } = await answered(name, accept({ resolution, reason: "looked at it" }));
    expect(result.structuredContent).toMatchObject({ task_id: name, status });
    expect(engine.linesOf(`${name}.ran`)).toHaveLength(runs);
    const { events } = await engine.call("read_journal", { task_id: name });
    const { body } = events.find(({ kind }: { kind: string }) => kind === "step_resolved");
    expect(body).toEqual({ index: 0, attempt: 1, resolution, reason: "looked at it" });
  });

  test("leaves it open when the human declines, and that call does not ask again", async () => {
    const { result } = await answered("left", { action: "decline" });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "need_input" } });
  });

  test("names the field of an answer that is none, and the question stays open", async () => {
    const { error } = await answered("odd", accept({ resolution: "done" }));
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("content.resolution must be one of"),
    });
    expect(await engine.call("get_task", { task_id: "odd" })).toMatchObject({ status: "need_input" });
  });

  test("refuses an answer that comes too late, with the state there is", async () => {
    const { result } = await ask("late");
    await engine.call("resolve_step", { task_id: "late", resolution: "failed", wait_seconds: 20 });
    const state = {
      inputResponses: { resolution: accept({ resolution: "retry" }) },
      requestState: result.requestState,
    };
    const refused = await ask("late", state);
    expect(refused.result.isError).toBe(true);
    expect(JSON.parse(refused.result.content[0].text)).toMatchObject({
      code: "task_not_waiting",
      current: { task_id: "late", status: "failed" },
    });
    expect(engine.linesOf("late.ran")).toEqual(["begun"]);
  });
});

describe("a call that waits and ends where steps are to be taught", () => {
  test("asks no human", async () => {
    const name = "submit_task";
    const params = { name, arguments: { ...engine.contract("unknown", { intent: "restart" }), wait_seconds: 20 } };
    const call = enveloped("tools/call", params, declaring({ elicitation: { form: {} } }));
    const { result } = await askEnveloped(endpoint, call);
    expect(result).toMatchObject({
      resultType: "complete",
      structuredContent: { outcome: { reason_code: "sop_unknown" } },
    });
  });
});
