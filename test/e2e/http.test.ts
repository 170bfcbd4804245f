// The supervisor's whole HTTP interface, with a separate token for the approver.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { done } from "../support/agent-engine.ts";
import { startScriptedModel } from "../support/agent-model.ts";
import { contractBody } from "../support/builders.ts";
import { type Answer, linesOf, type OrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";
import { expectSound, fileServers } from "./bad-input/sound-server.ts";

const { startServer } = fileServers();

const APPROVER = "the-approvers-own-token-0123456789-abcdef";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
let model: Awaited<ReturnType<typeof startScriptedModel>>;
const start = () => startServer({ data_dir: directory.path, env: { ORCH_APPROVER_TOKEN: APPROVER, ...model.env } });
beforeAll(async () => {
  directory = await temporaryDirectory();
  model = await startScriptedModel([done(["the page is served", "test -d ."])]);
  orch = await start();
});
afterAll(async () => {
  expect(await orch.kill("SIGTERM"), orch.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

async function ask(token: string | null, method: "GET" | "POST", path: string, sent?: unknown): Promise<Answer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  const headers = { ...authorization, ...(sent === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(orch.url + path, { method, headers, ...body });
  return { status: response.status, body: await response.json() };
}

const supervisor = {
  get: (path: string) => ask(TOKEN, "GET", path),
  post: (path: string, body: unknown = {}) => ask(TOKEN, "POST", path, body),
};
const approver = {
  get: (path: string) => ask(APPROVER, "GET", path),
  post: (path: string, body: unknown = {}) => ask(APPROVER, "POST", path, body),
};

const STEPS = [
  { kind: "cmd", value: "echo deployed" },
  { kind: "check", value: "test -d /" },
];
const asking = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };

describe("with a separate token for the approver", () => {
  test("what an agent did is drafted as a procedure", async () => {
    const contract = contractBody({ task_id: "by-agent", delegation_mode: "agent", target: {} });
    const constraints = { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 };
    const worked = await supervisor.post("/v1/tasks", { ...contract, constraints, wait_seconds: 30 });
    expect(worked.body).toMatchObject({ status: "ok", steps: [{ kind: "check", status: "passed" }] });
    const { body } = await supervisor.get("/v1/tasks/by-agent/sop_proposal");
    expect(body).toMatchObject({ draft: { steps: [{ kind: "check", value: "test -d ." }] }, issues: [] });
  });

  test("a plan is taught by the supervisor, approved by the approver only, and verified [5.3] [4.approve]", async () => {
    const submitted = await supervisor.post("/v1/tasks", contractBody({ constraints: asking, wait_seconds: 30 }));
    expect(submitted.body).toMatchObject({ status: "need_input", label: "NEED_INPUT" });
    const explained = await supervisor.post("/v1/explain", { contract: contractBody(), steps: STEPS });
    expect(explained.body.would).toBe("run");
    const { task } = (await supervisor.post("/v1/teach", { task_id: "t-1", steps: STEPS, wait_seconds: 30 })).body;
    expect(task.status).toBe("need_approval");
    const { approvals } = (await supervisor.get("/v1/approvals?status=pending&limit=5")).body;
    const decision = { approval_id: approvals[0].approval_id, decision: "approve", digest: approvals[0].digest };
    expect(await supervisor.post("/v1/approve", decision)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await supervisor.get("/v1/tasks/t-1")).body.status).toBe("need_approval");
    const decided = await approver.post("/v1/approve", { ...decision, decided_by: "a human", wait_seconds: 30 });
    expect(decided.body).toMatchObject({ status: "approved", task: { status: "ok", label: "DONE" } });
    const source = { verified: true, source: "the dashboard", note: "all green" };
    expect((await supervisor.post("/v1/tasks/t-1/verification", source)).body.verification).toMatchObject(source);
    expect((await supervisor.get("/v1/tasks/t-1/evidence")).body).toMatchObject({
      broken_link: null,
      approvals: [{ decision: { decided_by: "a human", token_id: "approver" } }],
    });
    const { events, status } = (await supervisor.get("/v1/tasks/t-1/journal?limit=500")).body;
    expect(status).toBe("ok");
    expect(events.at(-1)).toMatchObject({ kind: "verification_recorded", seq: events.length });
  });

  test("the SOP is promoted by the approver only, exported, imported and used", async () => {
    const pending = async () => (await supervisor.get("/v1/approvals?status=pending")).body.approvals;
    await expect.poll(pending).toHaveLength(1);
    const [{ approval_id }] = await pending();
    expect((await supervisor.post("/v1/approve", { decision: "approve" })).status).toBe(403);
    expect((await approver.post("/v1/approve", { approval_id, decision: "approve" })).body.status).toBe("approved");
    const active = async () => (await supervisor.get("/v1/sops?intent=deploy&status=active")).body.sops;
    await expect.poll(active).toHaveLength(1);
    const [{ sop_id }] = await active();
    const { file } = (await supervisor.get(`/v1/sops/${sop_id}/file`)).body;
    const { sop } = (await supervisor.post("/v1/sops/import", { file })).body;
    expect(sop).toMatchObject({ version: 2, status: "candidate", steps: STEPS });
    expect((await supervisor.post(`/v1/sops/${sop_id}/prove`, {})).body.proof).toMatchObject({
      runs: [{ passed: true }],
    });
    const copied = await supervisor.post(`/v1/sops/${sop_id}/copy`, { target: { service: "another" } });
    expect(copied.body.sop).toMatchObject({ status: "candidate", trial_left: 1 });
    const compared = await supervisor.get(`/v1/sops/${sop.sop_id}?diff_to=${sop_id}`);
    expect(compared.body).toMatchObject({ diff: "", versions: [{ version: 2 }, { version: 1 }] });
    const again = contractBody({ task_id: "t-2", delegation_mode: "known_only", wait_seconds: 30 });
    expect((await supervisor.post("/v1/tasks", again)).body).toMatchObject({ status: "ok", sop_version: 1 });
  });

  test("a task is cancelled, a cut-off step is resolved, and messages report all tasks", async () => {
    const other = { target: { service: "other" }, wait_seconds: 30 };
    await supervisor.post("/v1/tasks", contractBody({ task_id: "t-3", ...other }));
    expect((await supervisor.post("/v1/tasks/t-3/cancel", { reason: "not now" })).body.status).toBe("cancelled");
    const begun = join(directory.path, "begun");
    const steps = [{ kind: "cmd", value: `echo begun > "${begun}"; sleep 60` }, ...STEPS];
    await supervisor.post("/v1/tasks", contractBody({ task_id: "t-4", ...other }));
    await supervisor.post("/v1/teach", { task_id: "t-4", steps });
    await expect.poll(() => linesOf(begun), { timeout: 10_000 }).toEqual(["begun"]);
    await orch.kill("SIGKILL");
    orch = await start();
    expect((await supervisor.get("/v1/tasks/t-4?wait_seconds=30")).body.outcome.reason_code).toBe(
      "step_outcome_unknown",
    );
    const resolution = { resolution: "succeeded", index: 0, reason: "seen", wait_seconds: 30 };
    expect((await supervisor.post("/v1/tasks/t-4/resolve", resolution)).body.status).toBe("ok");
    const { messages } = (await supervisor.get("/v1/messages?after=0&limit=500&wait_seconds=1")).body;
    expect(messages.map(({ thread_id }: { thread_id: string }) => thread_id)).toEqual(
      expect.arrayContaining(["t-1", "t-2", "t-3", "t-4"]),
    );
    expect((await supervisor.get("/v1/tasks?limit=2")).body).toMatchObject({ next_after: "t-3" });
    await expectSound(orch, directory.path);
  });

  test("the approver may read and decide, and nothing else", async () => {
    for (const path of ["/v1/tasks", "/v1/tasks/t-1", "/v1/approvals", "/v1/messages"])
      expect((await approver.get(path)).status, path).toBe(200);
    for (const path of ["/v1/tasks", "/v1/teach", "/v1/sops/import", "/v1/tasks/t-1/cancel", "/v1/tasks/t-1/resolve"])
      expect(await approver.post(path), path).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("a client without a valid token may only request /healthz and /readyz", async () => {
    for (const token of [null, "x", `${TOKEN}x`, TOKEN.slice(1)]) {
      for (const path of ["/v1/tasks", "/v1/tasks/t-1/evidence", "/openapi.json", "/nowhere"]) {
        expect([401, 429]).toContain((await ask(token, "GET", path)).status);
      }
      expect((await ask(token, "GET", "/healthz")).status).toBe(200);
      expect((await ask(token, "GET", "/readyz")).status).toBe(200);
    }
    expect((await supervisor.get("/v1/tasks")).status, "a valid token is let in all the same").toBe(200);
  });
});
