// What a real operation reads over HTTP: queries are text, bodies are strict, and what is refused is named.
import { describe, expect, test } from "vitest";
import { createJournalStream } from "../../../src/api/http/journal-stream.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp, TOKEN } from "../../support/http-endpoint.ts";

const engine = held(await openEngine());
const endpoints = [createJournalStream({ operations: engine.operations, live: engine.live })];
const http = held(await startHttp({ operations: engine.operations, endpoints }));

const answerOf = async (response: Response) => ({ status: response.status, body: Object(await response.json()) });
const get = async (path: string) => answerOf(await http.get(path));
const post = async (path: string, body: unknown) => answerOf(await http.post(path, body));

describe("a query", () => {
  test.each<[path: string, status: number]>([
    ["/v1/tasks/none?wait_seconds=35.50156266715991", 404],
    ["/v1/tasks/none?wait_seconds=1e-3", 404],
    ["/v1/tasks/none?wait_seconds=5E-324", 404],
    ["/v1/tasks/none?wait_seconds=007", 404],
    ["/v1/tasks?limit=1e1", 200],
    ["/v1/tasks?limit=50.0", 200],
    ["/v1/servers?all=true", 200],
    ["/v1/tasks/none?wait_seconds=0x10", 400],
    ["/v1/tasks/none?wait_seconds=", 400],
    ["/v1/tasks/none?wait_seconds=%205", 400],
    ["/v1/tasks/none?wait_seconds=Infinity", 400],
    ["/v1/tasks/none?wait_seconds=1e999", 400],
    ["/v1/tasks?limit=1.5", 400],
    ["/v1/tasks?limit=9007199254740993", 400],
    ["/v1/tasks?limit=1&limit=2", 400],
    ["/v1/servers?all=yes", 400],
    ["/v1/tasks?intent=7", 200],
  ])("%s is answered %i", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe("a body", () => {
  test.each<[path: string, body: object, issue: string]>([
    ["/v1/approve", { decision: "approve", wait_seconds: "0" }, "wait_seconds"],
    ["/v1/tasks/t/resolve", { resolution: "retry", index: "0" }, "index"],
    ["/v1/tasks/t/resolve", { resolution: "retry", wait_seconds: "1" }, "wait_seconds"],
    ["/v1/tasks", { ...contractBody(), wait_seconds: "1" }, "wait_seconds"],
    ["/v1/freezes", { reason: "r", now: "true" }, "now"],
  ])("takes no text for a number or a boolean: %s %j", async (path, body, issue) => {
    expect(await post(path, body)).toMatchObject({ status: 400, body: { issues: [{ path: issue }] } });
  });

  test.each<[path: string, body: object, issue: string]>([
    ["/v1/tasks/t/cancel", { reason: "a\0b" }, "reason"],
    ["/v1/tasks/t/verification", { verified: true, source: "a\0b" }, "source"],
    ["/v1/tasks/t/verification", { verified: true, source: "s", note: "\0" }, "note"],
    ["/v1/tasks/t/verification", { verified: true, source: "s", evidence: { text: "a\0" } }, "evidence.text"],
    ["/v1/approve", { decision: "approve", decided_by: "\0" }, "decided_by"],
    ["/v1/freezes", { reason: "a\0b" }, "reason"],
    ["/v1/tasks", { ...contractBody(), payload: { deep: [{ text: "a\0b" }] } }, "payload.deep.0.text"],
    ["/v1/tasks", { ...contractBody(), payload: { "a\0": 1 } }, "payload.a\\0"],
    ["/v1/tasks", { ...contractBody(), success_criteria: ["a\0"] }, "success_criteria.0"],
    ["/v1/teach", { task_id: "t", steps: [cmd("a\0b")] }, "steps.0.value"],
    ["/v1/sops/import", { file: "a\0" }, "file"],
    ["/v1/sops/import", { file: 'intent: deploy\nnote: "a\\0b"\n' }, "note"],
  ])("holds no NUL: %s %j", async (path, body, issue) => {
    expect(await post(path, body)).toMatchObject({
      status: 400,
      body: { issues: [{ path: issue, message: "must not contain NUL" }] },
    });
  });

  test("names a NUL in a query and in a path, too", async () => {
    expect(await get("/v1/approvals?thread_id=a%00b")).toMatchObject({ body: { issues: [{ path: "thread_id" }] } });
    expect(await get("/v1/approvals/a%00b")).toMatchObject({
      status: 400,
      body: { issues: [{ path: "approval_id" }] },
    });
  });
});

describe("null in a step", () => {
  const teach = (step: object) =>
    post("/v1/teach", { intent: "deploy", target: { service: "nulls" }, steps: [step, check("test -d /")] });

  test.each<[title: string, step: object, status: number]>([
    ["of a field of its kind is the same as left out", { ...cmd("true"), preview: null, reconcile: null }, 200],
    ["of a field of another kind is the same as left out", { ...cmd("true"), within: null, server: null }, 200],
    ["of a field that is required is refused", { kind: "cmd", value: null }, 400],
    ["of a field that no kind has is refused", { ...cmd("true"), foo: null }, 400],
    ["does not matter where another value would be refused too", { ...cmd("true"), foo: 1 }, 400],
  ])("%s", async (_title, step, status) => {
    expect((await teach(step)).status).toBe(status);
  });
});

describe("a conflict with the state of a version", () => {
  test("is answered 409: a copy of a candidate, a rollback to a candidate and to the version in use", async () => {
    const steps = [cmd("true"), check("test -d /")];
    const { body } = await post("/v1/teach", { intent: "deploy", target: { service: "conflict" }, steps });
    const { sop_id } = body.sop;
    const refused = { status: 409, body: { code: "sop_conflict", issues: [{ path: "sop_id" }] } };
    const copy = () => post(`/v1/sops/${sop_id}/copy`, { target: { service: "other" } });
    expect(await copy()).toMatchObject(refused);
    expect(await post(`/v1/sops/${sop_id}/rollback`, {})).toMatchObject(refused);
    const { approval_id } = await engine.approvalOf(`promotion/${sop_id}`);
    expect((await post("/v1/approve", { approval_id, decision: "approve" })).status).toBe(200);
    expect((await copy()).status).toBe(200);
    expect(await post(`/v1/sops/${sop_id}/rollback`, {})).toMatchObject(refused);
  });
});

test("a verify_by that only repeats the stored checks is answered 409, and one of the same intent 400", async () => {
  const target = { service: "repeats" };
  for (const intent of ["deploy", "health_check"])
    await engine.learn(intent, target, [...(intent === "deploy" ? [cmd("true")] : []), check("test -d /")]);
  const submit = (more: object) =>
    post("/v1/tasks", contractBody({ task_id: "repeats", target, verify_by: "sop:health_check", ...more }));
  const issues = [{ path: "verify_by" }];
  expect(await submit({})).toMatchObject({ status: 409, body: { status: 409, code: "sop_conflict", issues } });
  expect(await submit({ intent: "health_check" })).toMatchObject({
    status: 400,
    body: { status: 400, code: "contract_invalid", issues },
  });
});

test.each([
  "/v1/tasks/nope/journal?after=99999",
  "/v1/tasks/nope/journal",
  "/v1/tasks/nope/journal/stream?after=99999",
  "/v1/tasks/nope/journal/stream",
])("%s is answered 404: there is no such task", async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, body: { code: "task_not_found" } });
});

test.each([" ", "  ", "   "])("a token after the blanks %j is read", async (blanks) => {
  const response = await fetch(`${http.url}/v1/tasks`, { headers: { authorization: `Bearer${blanks}${TOKEN}` } });
  expect(response.status).toBe(200);
});

test("a token that follows Bearer without a blank is refused", async () => {
  const { authorization } = bearer();
  const response = await fetch(`${http.url}/v1/tasks`, { headers: { authorization: authorization.replace(" ", "") } });
  expect(response.status).toBe(401);
});
