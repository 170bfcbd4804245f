// A tool server whose list of tools cannot be read: the reason is the fault of the list, and nothing is approved on it.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { DELETE, DONE, deletes, READ } from "../../../support/promoted-version.ts";
import {
  afterHandshake,
  type RawServer,
  type Received,
  rpcError,
  rpcResult,
  sendJson,
  startRawServer,
} from "../../../support/tool-server.ts";

type List = (received: Received, response: ServerResponse) => unknown;

const listed: List = ({ body }, response) => sendJson(response, rpcResult(body.id, { tools: [DELETE, READ] }));

/** What each answers to tools/list, and how the fault of the list reads. */
const UNREAD: readonly (readonly [string, List, string])[] = [
  ["is busy", (_received, response) => response.writeHead(503).end("starting"), "HTTP 503 starting"],
  ["fails inside", ({ body }, response) => sendJson(response, rpcError(body.id, -32_603, "no list today")), "no list"],
  ["ends the connection", (_received, response) => response.destroy(), "other side closed"],
  ["wants another token", (_received, response) => response.writeHead(401).end("who are you?"), "HTTP 401"],
  ["says that it is too much", (_received, response) => response.writeHead(429).end("later"), "HTTP 429"],
];

const REFUSED: readonly (readonly [string, List])[] = [
  ["an RPC error", ({ body }, response) => sendJson(response, rpcError(body.id, -32_601, "Method not found"))],
  ["HTTP 405", (_received, response) => response.writeHead(405).end()],
];

/** Names of one server, one for each test: what is known of its list is kept by name. */
const NAMES = Array.from({ length: 30 }, (_, n) => `memory${n}`);
const AWAY = "memory29";
const GONE = "http://127.0.0.1:9/mcp";
let used = 0;

let engine: Engine;
let memory: RawServer;
let list = listed;
beforeAll(async () => {
  memory = await startRawServer(
    afterHandshake((received, response) => {
      if (received.body.method === "tools/list") return list(received, response);
      return sendJson(response, rpcResult(received.body.id, { content: [{ type: "text", text: "done" }] }));
    }),
  );
  const urls = NAMES.map((name) => [`MCP_${name.toUpperCase()}_URL`, name === AWAY ? GONE : memory.url]);
  engine = await openEngine({ env: Object.fromEntries(urls) });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await memory[Symbol.asyncDispose]();
});

const calls = (tool: string) => memory.calls().filter(({ body }) => body.params.name === tool).length;

async function asking(task_id: string, server = `memory${used++}`, require_approval_for: readonly string[] = []) {
  list = listed;
  const target = engine.targetOf(task_id);
  const constraints = { implicit_scope: [server], require_approval_for, max_minutes: 1 };
  await engine.run(task_id, { intent: "deploy", success_criteria: [], constraints, target });
  const steps: object[] = [deletes, DONE].map((step) => ({ ...step, server }));
  return { task_id, steps, safety_level: "approval_required", wait_seconds: 30 };
}

describe("T2: a check by a tool of a server that", () => {
  test.each(UNREAD)("%s is not taught, and is taught at once when the list is back", async (name, answer, why) => {
    const lesson = await asking(`check-${name.replaceAll(" ", "-")}`);
    list = answer;
    const { code, issues } = await engine.refusal("teach", lesson);
    expect(code).toBe("sop_steps_invalid");
    expect(issues).toMatchObject([{ path: "steps.1" }]);
    expect(issues?.[0]?.message).toContain("tool.list_unread: the list of tools could not be read: ");
    expect(issues?.[0]?.message).toContain(why);
    expect(issues?.[0]?.message).not.toContain("says nothing");
    list = listed;
    const { task } = await engine.call("teach", lesson);
    expect(task).toMatchObject({ status: "need_approval" });
  });

  test("is not there is not taught either", async () => {
    const { issues } = await engine.refusal("teach", await asking("away", AWAY));
    expect(issues?.[0]?.message).toMatch(/could not be read: .*ECONNREFUSED/);
  });

  test("is not set up may be taught, where no task waits for it", async () => {
    const steps = [
      { ...deletes, server: "later" },
      { ...DONE, server: "later" },
    ];
    const { sop } = await engine.call("teach", { intent: "deploy", target: { service: "later" }, steps });
    expect(sop).toMatchObject({ status: "candidate" });
  });

  test.each(REFUSED)("has no list is asked about as before: %s", async (how, answer) => {
    const lesson = await asking(`none-${how.replaceAll(" ", "-")}`);
    list = answer;
    const { task } = await engine.call("teach", { ...lesson, safety_level: "standard" });
    expect(task).toMatchObject({ status: "need_approval", outcome: { findings: [{ code: "tool.unknown_effect" }] } });
  });
});

const onlyDelete = (lesson: { readonly steps: readonly object[] }) => ({
  ...lesson,
  steps: [lesson.steps[0], { kind: "check", value: "test -d /" }],
});

describe("T2: an approval that is asked for while the list", () => {
  test.each(UNREAD)("cannot be read covers no call: a server that %s", async (name, answer, why) => {
    const task_id = `approval-${name.replaceAll(" ", "-")}`;
    const lesson = onlyDelete(await asking(task_id));
    list = answer;
    await engine.call("teach", lesson);
    const { content, approval_id } = await engine.approvalOf(task_id);
    expect(content.tools).toMatchObject([{ digest: null, says: [expect.stringContaining(why)] }]);
    list = listed;
    const before = calls("delete");
    await engine.call("approve", { approval_id, decision: "approve" });
    const task = await engine.outcomeOf(task_id);
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(task.outcome?.message).toContain("the list of tools could not be read: ");
    expect(calls("delete")).toBe(before);
  });

  test.each(UNREAD)(
    "cannot be read, and still cannot at the yes, lets no call run: a server that %s",
    async (name, answer, why) => {
      const task_id = `still-${name.replaceAll(" ", "-")}`;
      const lesson = onlyDelete(await asking(task_id));
      list = answer;
      await engine.call("teach", lesson);
      const { reason, approval_id } = await engine.approvalOf(task_id);
      expect(reason).toMatch(/delete is not covered: the list of tools could not be read: /);
      expect(reason).toContain(why);
      const before = calls("delete");
      await engine.call("approve", { approval_id, decision: "approve" });
      const task = await engine.outcomeOf(task_id);
      expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
      expect(task.outcome?.message).toContain("the list of tools could not be read: ");
      expect(calls("delete")).toBe(before);
    },
  );

  test("cannot be read lets no call run either where a category of the contract asks", async () => {
    const lesson = onlyDelete(await asking("category", `memory${used++}`, ["deletes data"]));
    list = (_received, response) => response.writeHead(503).end("starting");
    await engine.call("teach", { ...lesson, safety_level: "standard" });
    const { reason, approval_id } = await engine.approvalOf("category");
    expect(reason).toContain("delete is not covered: the list of tools could not be read: HTTP 503 starting");
    const before = calls("delete");
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(await engine.outcomeOf("category")).toMatchObject({ outcome: { reason_code: "approval_stale" } });
    expect(calls("delete")).toBe(before);
  });

  test("cannot be read any more at the yes says so", async () => {
    await engine.call("teach", onlyDelete(await asking("gone")));
    const { approval_id } = await engine.approvalOf("gone");
    list = (_received, response) => response.writeHead(503).end("starting");
    await engine.call("approve", { approval_id, decision: "approve" });
    const task = await engine.outcomeOf("gone");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "tool_list_unread" } });
    const message = ".delete cannot be compared: the list of tools could not be read: HTTP 503 starting";
    expect(task.outcome?.message).toContain(message);
    expect(task.outcome?.message).not.toContain("has changed");
  });
});

/** Answers as `answer` until the list was asked for three times more. */
function unreadForAWhile(answer: List): { readonly asked: () => number } {
  let asked = 0;
  list = (received, response) => {
    asked += 1;
    if (asked <= 3) return answer(received, response);
    return listed(received, response);
  };
  return { asked: () => asked };
}

describe("T2: a call that was approved while the list could be read", () => {
  test.each(UNREAD)("waits for a list that cannot be read for a moment: a server that %s", async (name, answer) => {
    const task_id = `moment-${name.replaceAll(" ", "-")}`;
    await engine.call("teach", onlyDelete(await asking(task_id)));
    const { approval_id } = await engine.approvalOf(task_id);
    const before = calls("delete");
    const { asked } = unreadForAWhile(answer);
    await engine.call("approve", { approval_id, decision: "approve" });
    const task = await engine.outcomeOf(task_id);
    expect(task).toMatchObject({ status: "ok" });
    expect(asked()).toBeGreaterThan(3);
    expect(calls("delete")).toBe(before + 1);
  });

  test("waits also where a check reads by a tool of that server", async () => {
    const lesson = await asking("moment-check");
    await engine.call("teach", lesson);
    const { approval_id } = await engine.approvalOf("moment-check");
    unreadForAWhile((_received, response) => response.destroy());
    await engine.call("approve", { approval_id, decision: "approve" });
    expect(await engine.outcomeOf("moment-check")).toMatchObject({ status: "ok" });
  });

  test("is not made, and its task is cancelled, where the supervisor cancels in that moment", async () => {
    await engine.call("teach", onlyDelete(await asking("cancelled")));
    const { approval_id } = await engine.approvalOf("cancelled");
    const before = calls("delete");
    const asked = new Promise<void>((resolve) => {
      list = (_received, response) => {
        resolve();
        return response.writeHead(503).end("starting");
      };
    });
    await engine.call("approve", { approval_id, decision: "approve" });
    await asked;
    await engine.call("cancel_task", { task_id: "cancelled" });
    expect(await engine.outcomeOf("cancelled")).toMatchObject({ status: "cancelled" });
    expect(calls("delete")).toBe(before);
  });

  test("is stale where the list that comes back differs", async () => {
    await engine.call("teach", onlyDelete(await asking("differs")));
    const { approval_id } = await engine.approvalOf("differs");
    const before = calls("delete");
    let asked = 0;
    list = ({ body }, response) => {
      asked += 1;
      if (asked <= 3) return response.writeHead(503).end("starting");
      return sendJson(response, rpcResult(body.id, { tools: [{ ...DELETE, description: "Deletes all" }, READ] }));
    };
    await engine.call("approve", { approval_id, decision: "approve" });
    const task = await engine.outcomeOf("differs");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(task.outcome?.message).toContain("has changed: its server defines it anew");
    expect(calls("delete")).toBe(before);
  });
});
