// A tool server whose list of tools cannot be read: the reason is the fault of the list, and nothing is approved on it.
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { DELETE, DONE, deletes, READ } from "../../../support/promoted-version.ts";
import {
  afterHandshake,
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

let list = listed;
const memory = held(
  await startRawServer(
    afterHandshake((received, response) => {
      if (received.body.method === "tools/list") return list(received, response);
      return sendJson(response, rpcResult(received.body.id, { content: [{ type: "text", text: "done" }] }));
    }),
  ),
);
const urls = NAMES.map((name) => [`MCP_${name.toUpperCase()}_URL`, name === AWAY ? GONE : memory.url]);
const engine = held(await openEngine({ env: Object.fromEntries(urls) }));

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

/** Asks for an approval of one call while the list is answered so. */
async function askedWhile(answer: List, task_id: string, categories?: readonly string[]) {
  const lesson = await asking(task_id, `memory${used++}`, categories);
  list = answer;
  const steps = [lesson.steps[0], { kind: "check", value: "test -d /" }];
  await engine.call("teach", { ...lesson, steps, ...(categories && { safety_level: "standard" }) });
  return engine.approvalOf(task_id);
}

/** How the task ends when it is approved while the list is answered so, and how often the tool was called. */
async function approvedWhile(answer: List, task_id: string) {
  const { approval_id } = await engine.approvalOf(task_id);
  const before = calls("delete");
  list = answer;
  await engine.call("approve", { approval_id, decision: "approve" });
  const { status, outcome } = await engine.outcomeOf(task_id);
  return { status, reason_code: outcome?.reason_code, message: outcome?.message, made: calls("delete") - before };
}

const BUSY: List = (_received, response) => response.writeHead(503).end("starting");
const UNREADABLE = "the list of tools could not be read: ";

describe("T2: an approval that is asked for while the list", () => {
  test.each(
    UNREAD.flatMap(([name, answer, why]) => [
      [name, "covers no call", answer, listed, why] as const,
      [name, "lets no call run where it still cannot at the yes", answer, answer, why] as const,
    ]),
  )("cannot be read, of a server that %s, %s", async (name, _what, answer, then, why) => {
    const task_id = `${then === listed ? "approval" : "still"}-${name.replaceAll(" ", "-")}`;
    const { content, reason } = await askedWhile(answer, task_id);
    expect(content.tools).toMatchObject([{ digest: null, says: [expect.stringContaining(why)] }]);
    expect(reason).toContain(`delete is not covered: ${UNREADABLE}`);
    expect(await approvedWhile(then, task_id)).toEqual({
      status: "blocked",
      reason_code: "approval_stale",
      message: expect.stringContaining(UNREADABLE),
      made: 0,
    });
  });

  test("cannot be read lets no call run either where a category of the contract asks", async () => {
    const { reason } = await askedWhile(BUSY, "category", ["deletes data"]);
    expect(reason).toContain(`delete is not covered: ${UNREADABLE}HTTP 503 starting`);
    expect(await approvedWhile(BUSY, "category")).toMatchObject({ reason_code: "approval_stale", made: 0 });
  });

  test("cannot be read any more at the yes says so", async () => {
    await askedWhile(listed, "gone");
    const message = `.delete cannot be compared: ${UNREADABLE}HTTP 503 starting`;
    const ended = await approvedWhile(BUSY, "gone");
    expect(ended).toMatchObject({ reason_code: "tool_list_unread", message: expect.stringContaining(message) });
    expect(ended.message).not.toContain("has changed");
  });
});

/** Answers so three times, and then as `then`. */
const threeTimes = (answer: List, then: List = listed): List => {
  let asked = 0;
  return (received, response) => (asked++ < 3 ? answer : then)(received, response);
};

describe("T2: a call that was approved while the list could be read", () => {
  test.each(UNREAD)("waits for a list that cannot be read for a moment: a server that %s", async (name, answer) => {
    const task_id = `moment-${name.replaceAll(" ", "-")}`;
    await askedWhile(listed, task_id);
    expect(await approvedWhile(threeTimes(answer), task_id)).toMatchObject({ status: "ok", made: 1 });
  });

  test("waits also where a check reads by a tool of that server", async () => {
    await engine.call("teach", await asking("moment-check"));
    const cut: List = (_received, response) => response.destroy();
    expect(await approvedWhile(threeTimes(cut), "moment-check")).toMatchObject({ status: "ok" });
  });

  test("is not made, and its task is cancelled, where the supervisor cancels in that moment", async () => {
    await askedWhile(listed, "cancelled");
    const cancelling: List = (received, response) => {
      void engine.call("cancel_task", { task_id: "cancelled" });
      return BUSY(received, response);
    };
    expect(await approvedWhile(cancelling, "cancelled")).toMatchObject({ status: "cancelled", made: 0 });
  });

  test("is stale where the list that comes back differs", async () => {
    await askedWhile(listed, "differs");
    const differs: List = ({ body }, response) =>
      sendJson(response, rpcResult(body.id, { tools: [{ ...DELETE, description: "Deletes all" }, READ] }));
    expect(await approvedWhile(threeTimes(BUSY, differs), "differs")).toMatchObject({
      reason_code: "approval_stale",
      message: expect.stringContaining("has changed: its server defines it anew"),
      made: 0,
    });
  });
});
