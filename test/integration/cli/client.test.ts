// How the command line handles the server's answers, and missing ones.
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { deadUrl, littleServer, problem } from "../../support/cli-server.ts";

const TOKEN = "t".repeat(40);
const APPROVER = "a".repeat(40);
const environment = (url: string, more = {}) => ({ ORCH_URL: url, ORCH_TOKEN: TOKEN, ...more });
const EMPTY = { tasks: [], next_after: null, quarantined: [] };

/** Runs the command line against a server that gives this answer. */
async function against(reply: Parameters<typeof littleServer>[0], args: readonly string[], more: object = {}) {
  await using server = await littleServer(reply);
  const said = await runInProcess(args, { environment: environment(server.url, more) });
  for (const secret of [TOKEN, APPROVER]) expect(said.stdout + said.stderr).not.toContain(secret);
  return { ...said, asked: server.asked, url: server.url };
}

describe("a call", () => {
  test("carries the token and puts fields into path and query", async () => {
    const { asked, exit } = await against(() => ({ body: EMPTY }), ["tasks", "--status", "ok", "--limit", "3"]);
    expect(exit).toBe(0);
    expect(asked).toMatchObject([{ method: "GET", path: "/v1/tasks?status=ok&limit=3" }]);
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test("within a trace says of which, and a variable that is no trace is ignored", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const [given, sent] of [
      [traceparent, traceparent],
      ["a\r\nb: c", undefined],
    ]) {
      const { asked } = await against(() => ({ body: EMPTY }), ["tasks"], { TRACEPARENT: given });
      expect(asked[0]?.headers["traceparent"]).toBe(sent);
    }
  });

  test("names a version by its whole id without asking for it", async () => {
    const sop_id = "00000000-0000-4000-8000-00000000ffff";
    const { asked } = await against(() => ({ body: EMPTY }), ["tasks", "--sop", sop_id]);
    expect(asked).toMatchObject([{ method: "GET", path: `/v1/tasks?sop_id=${sop_id}` }]);
  });

  test("with POST has a body, without the field that is in the path", async () => {
    const refuse = () => problem(409, "task_ended", "Task t-1 has ended already.");
    const { asked } = await against(refuse, ["cancel", "t-1", "--reason", "no"]);
    expect(asked).toMatchObject([{ method: "POST", path: "/v1/tasks/t-1/cancel", body: '{"reason":"no"}' }]);
  });

  test("to approve or reject carries the approver's token, any other the supervisor's", async () => {
    const refuse = () => problem(404, "approval_not_found", "No approval is pending.");
    for (const [command, token] of [
      ["approve a-1", APPROVER],
      ["reject a-1", APPROVER],
      ["approvals", TOKEN],
    ] as const) {
      const { asked } = await against(refuse, command.split(" "), { ORCH_APPROVER_TOKEN: APPROVER });
      expect(asked[0]?.headers.authorization, command).toBe(`Bearer ${token}`);
    }
  });

  test("keeps the path that a proxy gives the server", async () => {
    await using server = await littleServer(() => ({ body: EMPTY }));
    await runInProcess(["--url", `${server.url}/orch/`, "tasks"], { environment: { ORCH_TOKEN: TOKEN } });
    expect(server.asked[0]?.path).toBe("/orch/v1/tasks");
  });

  test("with input of the wrong form is not sent", async () => {
    const { asked, exit, stderr } = await against(() => ({ body: EMPTY }), ["tasks", "--limit", "many"]);
    expect(asked).toEqual([]);
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringMatching(/limit must be a number.*input_invalid/),
    });
  });
});

describe("a contract that lacks a field and has a misplaced one", () => {
  const LACKING = { intent: "deploy", require_approval_for: ["writes"] };
  test.each([
    ["submit", LACKING, "", "contract_invalid"],
    ["explain", LACKING, "contract.", "input_invalid"],
  ] as const)("is not sent by %s, which names both", async (command, contract, prefix, code) => {
    await using server = await littleServer(() => ({ body: EMPTY }));
    const said = await runInProcess([command, "-"], {
      environment: environment(server.url),
      stdin: JSON.stringify(contract),
    });
    const message = "is not a known field here; did you mean constraints.require_approval_for?";
    expect(server.asked).toEqual([]);
    expect(said.exit).toBe(2);
    expect(said.stderr).toContain(`${prefix}target is required`);
    expect(said.stderr).toContain(`${prefix}require_approval_for ${message} (${code})`);
  });
});

describe("a refusal", () => {
  test.each([
    [404, "task_not_found", 5],
    [403, "forbidden", 5],
    [409, "task_exists", 5],
    [429, "rate_limited", 5],
    [400, "contract_invalid", 2],
    [422, "sop_steps_invalid", 2],
    [500, "internal_error", 70],
    [503, "database_unusable", 70],
  ])("%i %s ends with its own exit code", async (status, code, exit) => {
    const said = await against(() => problem(status, code, "What is wrong."), ["task", "t-1"]);
    expect(said).toMatchObject({ exit, stdout: "" });
    expect(said.stderr).toContain(`error: What is wrong.`);
    expect(said.stderr).toContain(`(${code})`);
  });

  test("is one JSON document on stderr with --json, with every field of the server's answer", async () => {
    const more = { issues: [{ path: "steps.0", message: "is wrong" }], current: { status: "ok" } };
    const said = await against(() => problem(409, "task_ended", "It has ended.", more), ["cancel", "t-1", "--json"]);
    expect(said).toMatchObject({ exit: 5, stdout: "" });
    expect(JSON.parse(said.stderr)).toEqual({ code: "task_ended", detail: "It has ended.", ...more });
  });

  test("names each wrong field, or shows the current state", async () => {
    const issues = [{ path: "a.b", message: "must be a string" }];
    const invalid = await against(() => problem(400, "input_invalid", "Two are wrong.", { issues }), ["task", "t-1"]);
    expect(invalid.stderr).toContain("  a.b must be a string\n");
    const current = { task_id: "t-1", status: "ok", contract: {} };
    const stands = await against(() => problem(409, "task_ended", "Over.", { current }), ["cancel", "t-1"]);
    expect(stands.stderr).toContain('current state: {"task_id":"t-1","status":"ok"}');
  });

  test("names a command that finds a missing task, and the request id of a fault", async () => {
    const missing = await against(() => problem(404, "task_not_found", "There is no task x."), ["task", "x"]);
    expect(missing.stderr).toContain("See: orch tasks");
    const fault = await against(() => problem(500, "internal_error", "Ours."), ["task", "x"]);
    expect(fault.stderr).toContain("request_id: r-1");
  });

  test("is shown with control characters escaped", async () => {
    const said = await against(() => problem(404, "task_not_found", "\u001b[2Jgone"), ["task", "x"]);
    expect(said.stderr).toContain("\\x1b[2Jgone");
  });
});

describe("no answer", () => {
  test("where nothing listens names the command that starts a server, and the variable for another address", async () => {
    const said = await runInProcess(["tasks"], { environment: environment(await deadUrl()) });
    expect(said).toMatchObject({ exit: 6, stdout: "" });
    expect(said.stderr).toMatch(
      /does not answer at http:\/\/127\.0\.0\.1:\d+ \(from ORCH_URL\): nothing listens there/,
    );
    expect(said.stderr).toContain("Start it with: orch serve");
  });

  test("on a port that browsers block is reported like on any other", async () => {
    const said = await runInProcess(["tasks"], { environment: environment("http://127.0.0.1:6000") });
    expect(said).toMatchObject({ exit: 6, stderr: expect.stringContaining("nothing listens there") });
  });

  test("because the name has no address is reported", async () => {
    const said = await runInProcess(["tasks"], { environment: environment("http://orch.invalid:3400") });
    expect(said).toMatchObject({ exit: 6, stderr: expect.stringMatching(/no address|cannot be looked up/) });
  });

  test("differs from a connection that is cut", async () => {
    const said = await against(() => "hang up", ["tasks"]);
    expect(said).toMatchObject({ exit: 6, stderr: expect.stringContaining("the connection was cut") });
  });

  test("differs from an answer in another protocol", async () => {
    const server = createServer((socket) => socket.end("220 mail ready\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const said = await runInProcess(["tasks"], { environment: environment(`http://127.0.0.1:${port}`) });
    expect(said).toMatchObject({ exit: 6, stderr: expect.stringContaining("does not answer at") });
    server.close();
  });

  test.each([
    ["a page", { type: "text/html", body: "<html>" }],
    ["a page that is not there", { status: 404, type: "text/html", body: "<html>" }],
    ["JSON of somebody else", { status: 401, body: { error: "no" } }],
    [
      "a problem of somebody else",
      { status: 404, type: "application/problem+json", body: { type: "about:blank", detail: "x", code: "y" } },
    ],
    ["text that says it is JSON", { body: "hello" }],
    ["a redirection", { status: 302, body: {}, headers: { location: "http://127.0.0.1:1/" } }],
  ])("differs from %s, which is not orch", async (_what, reply) => {
    const said = await against(() => reply, ["tasks"]);
    expect(said).toMatchObject({ exit: 6, stderr: expect.stringMatching(/is not orch: HTTP \d+/) });
    expect(said.asked).toHaveLength(1);
  });

  test("that this version understands is reported", async () => {
    const said = await against(() => ({ body: { tasks: "many", next_after: null } }), ["tasks"]);
    expect(said).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/answers to list_tasks is not what this version/),
    });
  });
});

describe("a refused token", () => {
  const unauthorized = () => problem(401, "unauthorized", "Send Authorization: Bearer <token>.");

  test("is reported with its source", async () => {
    const said = await against(unauthorized, ["tasks"]);
    expect(said).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining("orch refuses the token from ORCH_TOKEN"),
    });
  });

  test("that was not found is reported with the place where it was searched", async () => {
    await using server = await littleServer(unauthorized);
    const environment = { ORCH_URL: server.url, ORCH_DATA_DIR: "/nonexistent/orch" };
    const said = await runInProcess(["tasks"], { environment });
    expect(said.stderr).toContain("no token was found: /nonexistent/orch/token does not exist");
    expect(said.stderr).toContain("ORCH_DATA_DIR");
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });
});

test("a contract from stdin is checked before it is sent, with the server's messages", async () => {
  const stdin = JSON.stringify(
    contractBody({ constraints: { implicit_scope: [], require_approval_for: [], max_minute: 1 } }),
  );
  const said = await runInProcess(["submit", "-"], { environment: environment("http://127.0.0.1:1"), stdin });
  expect(said).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(
      /^error: -: constraints\.max_minute is not a known field here; did you mean constraints\.max_minutes\? \(contract_invalid\)/,
    ),
  });
});
