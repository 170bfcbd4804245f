// Every error is a problem document with a stable code. It lists all that is wrong and reveals no internals.
import { describe, expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode } from "../../../src/domain/errors.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp } from "../../support/http-endpoint.ts";

const endpoint = held(await startHttp({ ready: async () => "recovery is under way" }));

const STATUSES = `
  400 contract_invalid input_invalid
  401 unauthorized
  403 forbidden
  404 task_not_found sop_not_found schedule_not_found server_not_found freeze_not_found approval_not_found
  409 task_exists task_not_waiting task_ended task_not_ended task_not_proved sop_conflict journal_newer
  409 schedule_exists schedule_limit server_ambiguous freeze_limit held_by_freeze
  409 approval_not_pending approval_stale approval_ambiguous digest_mismatch
  422 sop_steps_invalid
  500 config_invalid release_skipped quarantined fenced internal_error
  503 database_unusable busy`;
const rows = STATUSES.trim()
  .split("\n")
  .map((row) => row.trim().split(" "));
const statusOf = (code: ErrorCode) => Number(rows.find((row) => row.includes(code))?.[0]);

describe("an OrchError", () => {
  test.each(ERROR_CODES)("%s has its status and its document", async (code) => {
    const answer = await endpoint.post("/v1/fail", { code });
    expect(answer.status).toBe(statusOf(code));
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    const body = (await answer.json()) as Record<string, unknown>;
    const type = `urn:orch:error:${code}`;
    expect(body).toMatchObject({ type, status: statusOf(code), code, title: expect.any(String) });
    expect(body["request_id"]).toBe(answer.headers.get("x-request-id"));
    expect(answer.headers.get("retry-after")).toBe(statusOf(code) === 503 ? "2" : null);
    const told = {
      detail: `said with ${code}`,
      issues: [{ path: "a.0.b", message: "is wrong" }],
      fix: "Use another one.",
      current: { status: "held" },
    };
    const named = { detail: told.detail, fix: expect.stringContaining("cancel_task ends its task") };
    if (code === "quarantined") expect(body).toMatchObject(named);
    else if (statusOf(code) < 500 || code === "busy") expect(body).toMatchObject(told);
    else expect(JSON.stringify(body)).not.toMatch(/said with|inner|held/);
  });

  test("a server error is logged with its cause, under the request id", async () => {
    const { request_id } = (await (await endpoint.post("/v1/fail", { code: "fenced" })).json()) as {
      request_id: string;
    };
    const line = endpoint.lines.find((text) => text.includes(request_id) && text.includes("a request failed"));
    expect(JSON.parse(line ?? "")).toMatchObject({ err: { code: "fenced", cause: { message: "inner" } } });
  });
});

describe("an unexpected error", () => {
  test("is an internal_error without message, stack or SQL, and the log has them", async () => {
    const text = await (await endpoint.get("/v1/crash")).text();
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: "internal_error" });
    expect(text).not.toMatch(/SELECT|orch\.db|\.ts|node_modules| at /);
    expect(endpoint.lines.some((line) => line.includes("SELECT secret FROM tasks"))).toBe(true);
  });
});

describe("responses", () => {
  test("a field that the output schema does not have is left out", async () => {
    expect(await (await endpoint.get("/v1/leak")).json()).toEqual({ shown: "yes" });
  });

  test("a result that the output schema refuses is an internal_error and is not sent", async () => {
    const text = await (await endpoint.get("/v1/broken")).text();
    expect(JSON.parse(text)).toMatchObject({ code: "internal_error" });
    expect(text).not.toContain("must-stay-inside");
  });

  test("answers are not stored, not sniffed, and do not name the software", async () => {
    const { headers } = await endpoint.get("/v1/things/x");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([headers.get("x-powered-by"), headers.get("server"), headers.get("etag")]).toEqual([null, null, null]);
  });
});

describe("a wrong input", () => {
  test("every bad field is named with what to send", async () => {
    const body = {
      count: 10,
      kind: "c",
      steps: [
        { kind: "cmd", value: "" },
        { kind: "cmd", extra: 1, more: 2 },
      ],
      payload: [],
      x: 1,
      y: 1,
    };
    const answer = await endpoint.post("/v1/things/x", body);
    const { code, issues } = (await answer.json()) as { code: string; issues: { path: string }[] };
    expect([answer.status, code]).toEqual([400, "input_invalid"]);
    expect(issues.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "count", message: "must be at most 9" },
      { path: "kind", message: "must be one of a, b" },
      { path: "payload", message: "must be an object" },
      { path: "steps.0.value", message: "must not be empty" },
      { path: "steps.1.extra", message: "is not a known field" },
      { path: "steps.1.more", message: "is not a known field" },
      { path: "steps.1.value", message: "is required" },
      { path: "x", message: "is not a known field" },
      { path: "y", message: "is not a known field" },
    ]);
  });

  test("has the code contract_invalid for submit_task", async () => {
    expect(await (await endpoint.post("/v1/tasks", {})).json()).toMatchObject({
      code: "contract_invalid",
      issues: [{ path: "task_id", message: "is required" }],
    });
  });

  test("in the query is reported like any other", async () => {
    expect(await (await endpoint.get("/v1/things/x?count=many&kind=c&z=1")).json()).toMatchObject({
      issues: [
        { path: "count", message: "must be a number" },
        { path: "kind" },
        { path: "z", message: "is not a known field" },
      ],
    });
    expect(await (await endpoint.get("/v1/things/x?count=7")).json()).toMatchObject({ count: 7 });
  });

  test("the answer stays small when thousands of fields are wrong", async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    const { issues } = (await (await endpoint.post("/v1/things/x", body)).json()) as { issues: { message: string }[] };
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)?.message).toBe("4900 more fields are wrong");
  });

  test("a field that contradicts the path is refused, the same value is not", async () => {
    expect((await endpoint.post("/v1/things/x", { thing_id: "x" })).status).toBe(200);
    const refused = await endpoint.post("/v1/things/x", { thing_id: "y" });
    expect(await refused.json()).toMatchObject({
      issues: [{ path: "thing_id", message: expect.stringContaining("path") }],
    });
  });

  test("a field in the query of a POST is refused instead of dropped", async () => {
    const refused = await endpoint.post("/v1/tasks?wait_seconds=5", { task_id: "t" });
    expect(await refused.json()).toMatchObject({
      issues: [{ path: "wait_seconds", message: "is in the query; send it in the body" }],
    });
  });
});

describe("routes and methods", () => {
  test.each(["/nothing", "/v1/things", "/v1/things/x/", "/V1/things/x", "/v1/tasks/../../etc"])(
    "%s is a 404 problem",
    async (path) => {
      const answer = await endpoint.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer().authorization}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 404 .*"code":"route_not_found"/s);
    },
  );

  test("a method that a path does not have is a 405 that names those it has", async () => {
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const answer = await fetch(`${endpoint.url}/v1/things/x`, { method, headers: bearer() });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
      expect(await answer.json()).toMatchObject({ code: "method_not_allowed" });
    }
    expect((await endpoint.get("/v1/approve")).status).toBe(405);
  });

  test("HEAD is GET without the body, OPTIONS lists the methods", async () => {
    const headed = await fetch(`${endpoint.url}/v1/things/x`, { method: "HEAD", headers: bearer() });
    expect([headed.status, await headed.text()]).toEqual([200, ""]);
    expect((await fetch(`${endpoint.url}/v1/tasks`, { method: "HEAD", headers: bearer() })).status).toBe(405);
    const options = await fetch(`${endpoint.url}/v1/tasks`, { method: "OPTIONS", headers: bearer() });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  });

  test("a path that cannot be decoded is a 400 problem", async () => {
    const answer = await endpoint.get("/v1/things/%zz");
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "request_invalid" }]);
  });
});

describe("health", () => {
  test("healthz is ok while readyz answers 503 with what is missing", async () => {
    expect(await (await fetch(`${endpoint.url}/healthz`)).json()).toEqual({ status: "ok" });
    const answer = await fetch(`${endpoint.url}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "not_ready", detail: "recovery is under way" },
    ]);
  });

  test("readyz answers 503 without details when the check itself fails", async () => {
    const broken = await startHttp({ ready: () => Promise.reject(new Error("no such table: tasks")) });
    const answer = await fetch(`${broken.url}/readyz`);
    const text = await answer.text();
    await broken.stop();
    expect([answer.status, JSON.parse(text)]).toMatchObject([503, { code: "not_ready" }]);
    expect(text).not.toContain("no such table");
  });

  test("readyz is ready when nothing is missing", async () => {
    const ready = await startHttp();
    const answer = await fetch(`${ready.url}/readyz`);
    await ready.stop();
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ready" }]);
  });
});
