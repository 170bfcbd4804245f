// A client of MCP 2026-07-28 whose human decides an approval in the form that the host shows.
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { askEnveloped, declaring, enveloped } from "../../support/mcp-2026.ts";
import type { Found } from "../../support/mcp-client.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const engine = held(await openEngine({ env: { ORCH_SOP_TOOLS: "on" } }));
const endpoint = held(await startMcp({ operations: engine.operations, sop_tools: engine.sop_tools }));

const FORM = { elicitation: { form: {} } };
const ASKS = { constraints: { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 } };

type Call = { readonly name: string; readonly input: object; readonly capabilities?: object; readonly more?: object };

const tool = async ({ name, input, capabilities = FORM, more = {} }: Call, headers = {}) => {
  const params = { name, arguments: { wait_seconds: 20, ...input }, ...more };
  return askEnveloped(endpoint, enveloped("tools/call", params, declaring(capabilities)), headers);
};

/** The client's way: the same call again, with what its human answered and the state that it was given. */
async function answered(call: Call, response: object) {
  const { result } = await tool(call);
  return answeredTo(call, result, response);
}

/** The same, where the answer to a form may be the next form. */
function answeredTo(call: Call, { resultType, requestState }: Found, response: object) {
  expect(resultType).toBe("input_required");
  return tool({ ...call, more: { inputResponses: { approval: response }, requestState } });
}

const accept = (content: object) => ({ action: "accept", content });

async function submitting(name: string): Promise<Call> {
  await engine.plant("deploy", engine.targetOf(name), [cmd(`echo x >> ${name}.ran`), check("test -d /")]);
  return { name: "submit_task", input: engine.contract(name, ASKS) };
}

const approvalOf = async (task_id: string) => {
  const { approvals } = await engine.call("list_approvals", { thread_id: task_id });
  return approvals[0];
};

describe("a call that waits and ends at an approval", () => {
  test("asks the human with everything that the decision covers, and nothing is chosen beforehand", async () => {
    const { result } = await tool(await submitting("asked"));
    const { digest, approval_id } = await approvalOf("asked");
    const { method, params } = result.inputRequests.approval;
    expect([method, params.mode ?? "form"]).toEqual(["elicitation/create", "form"]);
    for (const shown of [digest, approval_id, "echo x >> asked.ran", "test -d /"])
      expect(params.message).toContain(shown);
    expect(params.requestedSchema.required).toEqual(["decision"]);
    expect(JSON.stringify(params.requestedSchema)).not.toContain("default");
  });

  test("goes on with the task that was approved, and records through which token", async () => {
    const { result } = await answered(await submitting("approved"), accept({ decision: "approve" }));
    expect(result.structuredContent).toMatchObject({ task_id: "approved", status: "ok" });
    expect(engine.linesOf("approved.ran")).toEqual(["x"]);
    expect((await approvalOf("approved")).decision).toMatchObject({ decision: "approve", token_id: "supervisor" });
  });

  test("ends the task that was rejected, with the human's reason", async () => {
    const rejected = accept({ decision: "reject", reason: "not today" });
    const { result } = await answered(await submitting("rejected"), rejected);
    expect(result.structuredContent).toMatchObject({ status: "blocked" });
    expect((await approvalOf("rejected")).decision).toMatchObject({ reason: "not today" });
    expect(engine.linesOf("rejected.ran")).toEqual([]);
  });

  test.each([
    ["declines", { action: "decline" }],
    ["cancels", { action: "cancel" }],
  ])("leaves it waiting when the human %s, and is not asked again by that call", async (title, response) => {
    const name = `left-${title.replaceAll(" ", "-")}`;
    const { result } = await answered(await submitting(name), response);
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "need_approval" } });
    expect(await approvalOf(name)).toMatchObject({ status: "pending" });
  });

  test.each([
    ["accepts without a decision", accept({}), "content.decision"],
    ["gives another one", accept({ decision: "approved" }), "content.decision"],
    ["gives a reason that is too long", accept({ decision: "approve", reason: "x".repeat(5_000) }), "content.reason"],
    ["answers something else", { roots: [] }, "action"],
  ])("names the field when the human %s, and it waits on", async (title, response, field) => {
    const name = `odd-${title.replaceAll(" ", "-")}`;
    const { error } = await answered(await submitting(name), response);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`not accepted: ${field}`) });
    expect(await approvalOf(name)).toMatchObject({ status: "pending" });
  });

  test("asks as well when the tool of an SOP waits, with its usual wait", async () => {
    const target = engine.targetOf("as-tool");
    await engine.plant("restart", target, [cmd("true"), check("test -d /")], { trial_left: 1 });
    const tools = await askEnveloped(endpoint, enveloped("tools/list", {}));
    const { name } = tools.result.tools.find((one: { name: string }) => one.name.startsWith("run_restart_"));
    const call = { name, input: { task_id: "as-tool", wait_seconds: "" } };
    const { result } = await answered(call, accept({ decision: "approve" }));
    expect(result.structuredContent).toMatchObject({ task_id: "as-tool", status: "ok" });
  });

  test("shows the beginning of a long approval, what is new in it, and where the whole is", async () => {
    const steps = (word: string) => [
      cmd(`echo ${word} ${"x".repeat(4_000)} y ${"z".repeat(5_000)}`),
      check("test -d /"),
    ];
    const target = engine.targetOf("long");
    await engine.learn("deploy", target, steps("before"));
    const { approval_id } = await engine.call("teach", { intent: "deploy", target, steps: steps("after") });
    const { approvals } = await engine.call("list_approvals", { status: "pending" });
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(approvals.at(-1)).toMatchObject({ approval_id });
    const call = { name: "submit_task", input: engine.contract("long", ASKS) };
    const { result } = await tool(call);
    const { message } = result.inputRequests.approval.params;
    const { approval_id: id, digest } = await approvalOf("long");
    expect(message.length).toBeLessThan(8_100);
    for (const shown of [digest, `orch approvals ${id}`, `/console/approvals/${id}`, "read the whole", "echo after"])
      expect(message).toContain(shown);
    expect(message).toMatch(/"what_is_new"[\s\S]*"content"[\s\S]*\[\d+ more characters\]$/);
    expect(message).not.toContain("nothing else");
    const { result: done } = await answeredTo(call, result, accept({ decision: "approve" }));
    expect(done.structuredContent).toMatchObject({ task_id: "long", status: "ok" });
  });

  test("gets the fault of approve when somebody has decided otherwise meanwhile", async () => {
    const call = await submitting("late");
    const { result } = await tool(call);
    await engine.call("approve", { task_id: "late", decision: "reject" });
    const state = { inputResponses: { approval: accept({ decision: "approve" }) }, requestState: result.requestState };
    expect((await tool({ ...call, more: state })).result).toMatchObject({ isError: true });
    expect(engine.linesOf("late.ran")).toEqual([]);
  });
});

describe("a call that waits and ends at a promotion", () => {
  const STEPS = [cmd("echo x"), check("test -d /")];
  const teaching = async (name: string): Promise<Call> => {
    await engine.call("submit_task", engine.contract(name));
    return { name: "teach", input: { task_id: name, steps: STEPS } };
  };
  const approve = accept({ decision: "approve" });

  test("asks with all that the promotion of a taught task covers, and goes on with the version in use", async () => {
    const call = await teaching("promoted");
    const { result } = await tool(call);
    const { message } = result.inputRequests.approval.params;
    for (const shown of ["promotion/", '"thread_id"', "echo x", "nothing else"]) expect(message).toContain(shown);
    const { result: done } = await answeredTo(call, result, approve);
    expect(done).toMatchObject({
      resultType: "complete",
      structuredContent: { task: { status: "ok" }, sop: { status: "active" }, approval_id: null },
    });
    expect(done.content.at(-1).text).toContain("in use");
  });

  test("asks as well where the procedure has no task", async () => {
    const target = engine.targetOf("alone");
    const call = { name: "teach", input: { intent: "deploy", target, steps: STEPS } };
    const { result } = await answered(call, approve);
    const content = { task: null, sop: { status: "active" }, approval_id: null };
    expect(result).toMatchObject({ resultType: "complete", structuredContent: content });
  });

  test("asks as well where it only waited for the task", async () => {
    await engine.call("teach", { ...(await teaching("awaited")).input, wait_seconds: 20 });
    const call = { name: "get_task", input: { task_id: "awaited" } };
    const { result } = await answered(call, approve);
    expect(result.structuredContent).toMatchObject({ task_id: "awaited", status: "ok" });
    expect(JSON.stringify(result.structuredContent.next)).not.toContain("approval_id");
  });

  test("asks for the promotion after the approval of its task", async () => {
    await tool({ name: "submit_task", input: engine.contract("both", ASKS) });
    await tool({ name: "teach", input: { task_id: "both", steps: STEPS }, capabilities: {} });
    const { approval_id } = await approvalOf("both");
    const call = { name: "approve", input: { approval_id, decision: "approve" } };
    const { result } = await answered(call, approve);
    expect(result.structuredContent).toMatchObject({ task: { task_id: "both", status: "ok" } });
    expect(JSON.stringify(result.structuredContent.next)).not.toContain("approve");
  });

  test.each([
    ["rejected with a reason", accept({ decision: "reject", reason: "not this" }), "deprecated"],
    ["declined", { action: "decline" }, "candidate"],
  ])("goes on when it is %s", async (title, response, status) => {
    const call = await teaching(`turned-${title.length}`);
    const { result } = await answered(call, response);
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { sop: { status } } });
    const isOpen = status === "candidate";
    expect(typeof result.structuredContent.approval_id).toBe(isOpen ? "string" : "object");
  });
});

describe("the human is not asked", () => {
  test.each([
    ["declares no elicitation", {}],
    ["shows addresses only", { elicitation: { url: {} } }],
  ])("by a client that %s", async (title, capabilities) => {
    const { result } = await tool({ ...(await submitting(title.replaceAll(" ", "-"))), capabilities });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "need_approval" } });
  });

  test("by a call that does not wait, or one that only lists", async () => {
    await tool(await submitting("looked-at"));
    const look = (wait_seconds: number) => tool({ name: "get_task", input: { task_id: "looked-at", wait_seconds } });
    expect((await look(0)).result).toMatchObject({ structuredContent: { status: "need_approval" } });
    expect((await look(1)).result).toMatchObject({ resultType: "input_required" });
  });

  test("under a token that may not approve, and a state of another token is refused", async () => {
    const call = await submitting("separate");
    const { result } = await tool(call);
    const apart = await startMcp({ operations: engine.operations, approver: true });
    const sent = (more: object) => {
      const params = { name: call.name, arguments: { wait_seconds: 20, ...call.input }, ...more };
      return askEnveloped(apart, enveloped("tools/call", params, declaring(FORM)));
    };
    expect((await sent({})).result).toMatchObject({ structuredContent: { status: "need_approval" } });
    const inputResponses = { approval: accept({ decision: "approve" }) };
    expect(await sent({ inputResponses, requestState: result.requestState })).toMatchObject({
      error: { code: -32602 },
    });
    expect((await sent({ inputResponses })).result).toMatchObject({ structuredContent: { status: "need_approval" } });
    expect(await approvalOf("separate")).toMatchObject({ status: "pending" });
    await apart.stop();
  });

  test("with a state that was changed, or that belongs to another tool", async () => {
    const call = await submitting("changed");
    const { result } = await tool(call);
    const inputResponses = { approval: accept({ decision: "approve" }) };
    const { requestState } = result;
    const last = requestState.at(-1);
    // The last character of a tag has two bits that mean nothing.
    const alike = String.fromCharCode(last.charCodeAt(0) + 1);
    for (const changed of [`${requestState}x`, `${requestState}=`, requestState.slice(0, -1) + alike])
      expect(await tool({ ...call, more: { inputResponses, requestState: changed } })).toMatchObject({
        error: { code: -32602 },
      });
    const other = { name: "get_task", input: { task_id: "changed" } };
    const moved = { ...other, more: { inputResponses, requestState: result.requestState } };
    expect(await tool(moved)).toMatchObject({ error: { code: -32602 } });
    expect(await approvalOf("changed")).toMatchObject({ status: "pending" });
  });
});
