// The tools that an agent calls: one that says that it is destructive asks, and an approved call binds the tool's definition.
import { beforeEach, describe, expect, test } from "vitest";
import { openAgentWorld } from "../../../support/agent-engine.ts";
import { calls } from "../../../support/agent-model.ts";
import { startChangingTools } from "../../../support/changing-tools.ts";
import { held } from "../../../support/held.ts";
import { DELETE, evidenceFaults, READ, TOOLS } from "../../../support/promoted-version.ts";

const DELETES = calls(["memory__delete", { id: "1" }]);
const ENDS = calls(["finish", { summary: "Done.", done: false }]);
const DESTROYS = { ...DELETE, annotations: { destructiveHint: true } };

/** The list is read before the model answers, and not afterwards. */
let isListLost = false;
const memory = held(await startChangingTools(TOOLS));
const answer = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) => {
  if (isListLost) memory.list(null);
  return messages.some(({ role }) => role === "tool") ? ENDS : DELETES;
};
const world = held(
  await openAgentWorld(answer, {
    env: { MCP_MEMORY_URL: memory.url, MCP_MEMORY_TOKEN: "a-token" },
  }),
);
const engine = held(await world.open());
beforeEach(() => {
  isListLost = false;
  memory.list(TOOLS);
});

const submit = (task_id: string, categories: readonly string[]) =>
  engine.submit(
    world.contract({
      task_id,
      target: { service: task_id },
      constraints: { implicit_scope: ["memory"], require_approval_for: categories, max_minutes: 1 },
    }),
  );

async function decide(task_id: string, decision: "approve" | "reject") {
  const { approval_id } = await engine.approvalOf(task_id);
  await engine.call("approve", { approval_id, decision });
  return engine.outcomeOf(task_id);
}

describe("promises 2.12: a destructive tool that an agent calls", () => {
  test("asks under deletes_data, with the server's words, and is called once that is approved", async () => {
    memory.list([DESTROYS, READ]);
    const before = memory.calls().length;
    expect(await submit("asks", ["deletes_data"])).toMatchObject({
      status: "need_approval",
      outcome: { findings: [{ code: "category.matched", category: "deletes_data" }] },
    });
    const { content } = await engine.approvalOf("asks");
    expect(content.tools).toMatchObject([{ server: "memory", tool: "delete", destructive: true }]);
    expect(memory.calls().length).toBe(before);
    await decide("asks", "approve");
    expect(memory.calls().length).toBe(before + 1);
    expect(await evidenceFaults(engine, "asks")).toEqual([]);
  });

  test("is called without a question where the contract names nothing", async () => {
    memory.list([DESTROYS, READ]);
    const before = memory.calls().length;
    expect(await submit("unnamed", [])).toMatchObject({ outcome: { reason_code: "nothing_verified" } });
    expect(memory.calls().length).toBe(before + 1);
    expect(await evidenceFaults(engine, "unnamed")).toEqual([]);
  });
});

describe("promises 2.11: an approved call of an agent", () => {
  test.each([
    ["another description", { ...DESTROYS, description: "Deletes everything" }],
    ["a new required field", { ...DESTROYS, inputSchema: { type: "object", required: ["id", "force"] } }],
    ["no hint any more", DELETE],
  ])("is not made where the tool has changed since: %s", async (name, changed) => {
    memory.list([DESTROYS, READ]);
    const task_id = name.replaceAll(" ", "-");
    await submit(task_id, ["deletes_data"]);
    const before = memory.calls().length;
    memory.list([changed, READ]);
    await decide(task_id, "approve");
    expect(memory.calls().length).toBe(before);
    const { agent_calls } = await engine.call("get_evidence", { task_id });
    expect(agent_calls[0]).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("memory.delete has changed"),
    });
    expect(await evidenceFaults(engine, task_id)).toEqual([]);
  });

  test("is not made where its list could not be read, and still cannot", async () => {
    isListLost = true;
    const constraints = { implicit_scope: ["memory"], require_approval_for: [], max_minutes: 1 };
    const target = { service: "unread" };
    const contract = world.contract({ task_id: "unread", intent: "triage", target, constraints });
    expect(await engine.submit(contract)).toMatchObject({ status: "need_approval" });
    const unread = "memory.delete is not covered: the list of tools could not be read";
    expect((await engine.approvalOf("unread")).reason).toContain(unread);
    const before = memory.calls().length;
    await decide("unread", "approve");
    expect(memory.calls().length).toBe(before);
    const { agent_calls } = await engine.call("get_evidence", { task_id: "unread" });
    expect(agent_calls[0]).toMatchObject({ state: "refused", reason: expect.stringContaining(unread) });
  });

  test("is made once its list can be read again", async () => {
    memory.list([DESTROYS, READ]);
    await submit("back", ["deletes_data"]);
    const before = memory.calls().length;
    memory.list(null);
    setTimeout(() => memory.list([DESTROYS, READ]), 300);
    await decide("back", "approve");
    expect(memory.calls().length).toBe(before + 1);
  });

  test("is made where only the list has changed", async () => {
    memory.list([DESTROYS, READ]);
    await submit("list", ["deletes_data"]);
    const before = memory.calls().length;
    memory.list([READ, { name: "more" }, DESTROYS]);
    await decide("list", "approve");
    expect(memory.calls().length).toBe(before + 1);
  });
});
