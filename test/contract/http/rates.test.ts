// Rate limits: for each token, and for each address of callers without one.
import { afterEach, describe, expect, test } from "vitest";
import type { HttpServerDeps } from "../../../src/api/http/app.ts";
import { APPROVER_TOKEN, bearer, type RunningHttp, startHttp } from "../../support/http-endpoint.ts";

let endpoint: RunningHttp;
let now = Date.parse("2026-01-01T00:00:00Z");
const start = async (limits: NonNullable<HttpServerDeps["limits"]>, more: Partial<HttpServerDeps> = {}) => {
  endpoint = await startHttp({ approver: true, clock: () => new Date(now), limits, ...more });
  return endpoint;
};
afterEach(() => endpoint.stop());

const told = async (answer: Response) => ({
  status: answer.status,
  retry_after: answer.headers.get("retry-after"),
  ...((await answer.json()) as { code?: string; detail?: string }),
});

const times = async (count: number, call: () => Promise<Response>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await call()).status);
  return statuses;
};

describe("tasks a minute [8.rate_limits]", () => {
  const limits = { submits: { amount: 3, per_ms: 60_000 } };

  test("beyond the limit get a 429 rate_limited with the limit, its setting and when to try again", async () => {
    const { post } = await start(limits);
    const submit = () => post("/v1/tasks", { task_id: "t" });
    expect(await times(3, submit)).toEqual([200, 200, 200]);
    expect(await told(await submit())).toMatchObject({
      status: 429,
      retry_after: "20",
      code: "rate_limited",
      detail: "At most 3 tasks a minute are taken from one token (ORCH_SUBMITS_PER_MINUTE). Try again in 20 s.",
    });
    now += 20_000;
    expect(await times(2, submit)).toEqual([200, 429]);
  });

  test("beyond the limit of all servers are refused with these words", async () => {
    const { post } = await start(limits, { submitTurns: async () => 20 });
    const detail =
      "At most 3 tasks a minute are taken from one token, by all servers together (ORCH_SUBMITS_PER_MINUTE). Try again in 20 s.";
    expect(await told(await post("/v1/tasks", { task_id: "t" }))).toMatchObject({ code: "rate_limited", detail });
  });

  test("are counted whether they are valid or not, and other requests are not", async () => {
    const { post, get } = await start(limits);
    expect(await times(2, () => post("/v1/tasks", {}))).toEqual([400, 400]);
    expect(await times(5, () => get("/v1/things/x"))).toEqual([200, 200, 200, 200, 200]);
    expect((await post("/v1/things/x", {})).status).toBe(200);
    expect(await times(2, () => post("/v1/tasks", { task_id: "t" }))).toEqual([200, 429]);
  });

  test("are not used up by a token that may not submit", async () => {
    const { post } = await start(limits);
    expect(await times(5, () => post("/v1/tasks", {}, bearer(APPROVER_TOKEN)))).toEqual([403, 403, 403, 403, 403]);
    expect((await post("/v1/tasks", { task_id: "t" })).status).toBe(200);
  });

  test("the body of a refused submit is not read as the next request", async () => {
    const { post } = await start({ submits: { amount: 1, per_ms: 60_000 } });
    await post("/v1/tasks", { task_id: "t" });
    const heavy = { task_id: "t", note: "GET /v1/things/x HTTP/1.1\r\n\r\n".repeat(10_000) };
    expect(await times(3, () => post("/v1/tasks", heavy))).toEqual([429, 429, 429]);
  });
});

describe("requests a second [8.rate_limits]", () => {
  const limits = { requests: { amount: 20, per_ms: 10_000 } };
  const stranger =
    (path: string, headers: Record<string, string> = {}) =>
    () =>
      fetch(endpoint.url + path, { headers });

  test("beyond the limit are answered 429 rate_limited on every route", async () => {
    const { get } = await start(limits);
    expect(new Set(await times(20, () => get("/v1/things/x")))).toEqual(new Set([200]));
    for (const path of ["/v1/things/x", "/nothing", "/openapi.json", "/readyz"]) {
      expect(await told(await get(path)), path).toMatchObject({
        status: 429,
        retry_after: "1",
        code: "rate_limited",
        detail:
          "At most 2 requests a second are taken from one caller on each server (ORCH_REQUESTS_PER_SECOND). Try again in 1 s.",
      });
    }
    expect((await get("/v1/things/x", bearer(APPROVER_TOKEN))).status, "each token is counted by itself").toBe(200);
    now += 1_000;
    expect(await times(3, () => get("/v1/things/x"))).toEqual([200, 200, 429]);
  });

  test("without a valid token share one limit, which does not count for the supervisor", async () => {
    const { get } = await start(limits);
    await times(10, stranger("/v1/things/x"));
    await times(10, stranger("/readyz"));
    for (const headers of [{}, bearer("wrong-wrong-wrong-wrong-wrong-wrong")]) {
      expect(await told(await stranger("/v1/things/x", headers)())).toMatchObject({
        status: 429,
        code: "rate_limited",
      });
    }
    expect(await times(20, () => get("/v1/things/x"))).not.toContain(429);
  });

  test("are not limited on /healthz", async () => {
    await start(limits);
    await times(25, stranger("/v1/things/x"));
    expect(new Set(await times(30, stranger("/healthz")))).toEqual(new Set([200]));
  });

  test("a limit of 0 means no limit", async () => {
    const { get, post } = await start({
      requests: { amount: 0, per_ms: 10_000 },
      submits: { amount: 0, per_ms: 60_000 },
    });
    expect(new Set(await times(400, () => post("/v1/tasks", { task_id: "t" })))).toEqual(new Set([200]));
    expect((await get("/v1/things/x")).status).toBe(200);
  });
});
