// The console of the real server: a human logs in, sees what changes, and decides with more rights for some minutes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvents } from "../../src/http-client/event-stream.ts";
import { contractBody } from "../support/builders.ts";
import { logIn, postJson } from "../support/console.ts";
import { type Answer, type OrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { fileServers } from "./bad-input/sound-server.ts";

const { startServer } = fileServers();
const APPROVER = "the-approvers-own-token-0123456789-abcdef";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
beforeAll(async () => {
  directory = await temporaryDirectory();
  orch = await startServer({
    data_dir: directory.path,
    env: { ORCH_APPROVER_TOKEN: APPROVER, ORCH_SERVER_NAME: "nas" },
  });
});
afterAll(async () => {
  expect(await orch.kill("SIGTERM"), orch.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

test("an approval is seen, read whole, and decided with the approver's token and the human's name", async () => {
  const { headers, answer } = await logIn(orch.url, { token: TOKEN, name: "ada" });
  expect(answer).toMatchObject({ server: { name: "nas" }, can_step_up: true });
  const abort = new AbortController();
  const stream = await fetch(`${orch.url}/console/events`, { headers, signal: abort.signal });
  const events: string[] = [];
  const read = async () => {
    for await (const { event, data } of readEvents(stream.body ?? new ReadableStream()))
      events.push(`${event} ${data}`);
  };
  const reading = read().catch(() => undefined);
  const call = async (method: "GET" | "POST", path: string, body: object = {}): Promise<Answer> => {
    const response =
      method === "GET" ? await fetch(orch.url + path, { headers }) : await postJson(orch.url + path, body, headers);
    return { status: response.status, body: await response.json() };
  };
  const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
  await call("POST", "/v1/tasks", { ...contractBody({ task_id: "asks", constraints }), wait_seconds: 20 });
  const steps = [
    { kind: "cmd", value: "echo x > asked" },
    { kind: "check", value: "test -e asked" },
  ];
  const taught = await call("POST", "/v1/teach", { task_id: "asks", steps, wait_seconds: 20 });
  expect(taught.body.task).toMatchObject({ status: "need_approval" });
  const { approval_id } = taught.body.task.waiting;
  await expect.poll(() => events.join("\n"), { timeout: 10_000 }).toContain(`"approval_id":"${approval_id}"`);
  const { body: shown } = await call("GET", `/v1/approvals/${approval_id}`);
  expect(shown).toMatchObject({ counts: { looks: 1, changes: 1 }, task: { task_id: "asks" }, compared_with: null });
  const { digest } = shown.approval;
  const approve = (over: object = {}) =>
    call("POST", "/v1/approve", { decision: "approve", approval_id, digest, wait_seconds: 20, ...over });
  expect(await approve()).toMatchObject({ status: 403, body: { code: "forbidden", needs_scope: "approve" } });
  expect((await call("POST", "/console/step-up", { token: APPROVER })).status).toBe(200);
  expect(await approve({ digest: "old" })).toMatchObject({ status: 409, body: { code: "digest_mismatch" } });
  const decided = await approve();
  expect(decided.body).toMatchObject({
    status: "approved",
    task: { status: "ok" },
    decision: { decided_by: "ada", token_id: "approver" },
  });
  const found = await call("GET", "/v1/tasks?q=ASK");
  expect(found.body.tasks.map(({ task_id }: { task_id: string }) => task_id)).toEqual(["asks"]);
  abort.abort();
  await reading;
  const page = await fetch(`${orch.url}/console/tasks/asks`);
  expect([200, 503]).toContain(page.status);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const log = orch.output();
  for (const secret of [TOKEN, APPROVER, headers["x-orch-key"], headers.cookie]) expect(log).not.toContain(secret);
});
