// The right to approve of a session, as the page knows it: it ends by the clock of the server, and a refusal shows it (D-338).
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { logIn } from "../../support/console.ts";
import { APPROVER_TOKEN, type RunningHttp, startHttp } from "../../support/http-endpoint.ts";

let now = Date.parse("2026-01-01T00:00:00Z");
let endpoint: RunningHttp;
let cookie: string;

beforeAll(async () => {
  const console = { name: "nas", directory: "/nonexistent", trusted_proxies: [] };
  endpoint = await startHttp({ console, approver: true, clock: () => new Date(now) });
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (path.startsWith("http")) return send(path, init);
    return send(endpoint.url + path, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), cookie },
    });
  });
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
});
afterAll(async () => {
  (await import("../../../src/console/session.ts")).forgetSession();
  vi.unstubAllGlobals();
  await endpoint.stop();
});

test("a session whose ten minutes are over is known to lack the right, and to be able to get it again", async () => {
  const { request } = await import("../../../src/console/request.ts");
  const { keepSession, session, updateSession } = await import("../../../src/console/session.ts");
  const opened = await logIn(endpoint.url);
  cookie = opened.cookie;
  keepSession({ ...opened.answer, key: opened.key } as never);
  updateSession(await request("/console/step-up", { method: "POST", body: { token: APPROVER_TOKEN } }));
  expect(session.get()).toMatchObject({ scopes: expect.arrayContaining(["approve"]), can_step_up: false });
  now += 600_000;
  const approve = request("/v1/approve", { method: "POST", body: {} });
  await expect(approve).rejects.toMatchObject({ status: 403, needs_scope: "approve" });
  await expect.poll(() => session.get()).toMatchObject({ can_step_up: true, approve_until: null });
  expect(session.get()?.scopes).not.toContain("approve");
});
