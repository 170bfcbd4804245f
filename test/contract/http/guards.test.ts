// The guards of the HTTP endpoint: Host, Origin, token, scope, and the limit on wrong tokens.
import { afterEach, describe, expect, test } from "vitest";
import { APPROVER_TOKEN, bearer, type RunningHttp, startHttp, TOKEN } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

let endpoint: RunningHttp;
const start = async (...options: Parameters<typeof startHttp>) => {
  endpoint = await startHttp(...options);
  return endpoint;
};
afterEach(() => endpoint.stop());

const head = (host: string, path = "/v1/things/x", more = "") =>
  `GET ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${TOKEN}\r\n${more}Connection: close\r\n\r\n`;

describe("the Host header", () => {
  test.each(["localhost", "LOCALHOST:3400", "127.0.0.1:1", "[::1]:3400", "[::1]"])("%s is served", async (host) => {
    const { raw } = await start();
    expect(await raw(head(`Host: ${host}\r\n`))).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    "evil.example",
    "localhost.evil.example",
    "localhost.",
    "evil.localhost",
    "127.0.0.1.nip.io",
    "127.0.0.1:80:80",
    "0.0.0.0",
    "",
  ])("%j is refused", async (host) => {
    const { raw } = await start();
    const answer = await raw(head(`Host: ${host}\r\n`));
    expect(answer).toMatch(/^HTTP\/1.1 421 /);
    expect(answer).toContain('"code":"host_refused"');
  });

  test("a request without a Host header is refused with a problem document", async () => {
    const { raw } = await start();
    expect(await raw(head(""))).toMatch(/^HTTP\/1.1 421 .*application\/problem\+json/s);
  });

  test("two Host headers are refused, even when the first is right", async () => {
    const { raw } = await start();
    expect(await raw(head("Host: localhost\r\nHost: evil.example\r\n"))).toMatch(/^HTTP\/1.1 4\d\d /);
  });

  test.each(["/healthz", "/readyz", "/openapi.json", "/nothing"])("is checked on %s", async (path) => {
    const { raw } = await start();
    expect(await raw(head("Host: evil.example\r\n", path))).toMatch(/^HTTP\/1.1 421 /);
  });

  test("the configured public host is served in any case", async () => {
    const { raw } = await start({ public_host: "orch.Example" });
    expect(await raw(head("Host: ORCH.example:8443\r\n"))).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(head("Host: example\r\n"))).toMatch(/^HTTP\/1.1 421 /);
  });
});

describe("the Origin header", () => {
  test("an origin that is not listed is refused on every method and route, also when it equals the host", async () => {
    const { url } = await start();
    for (const [method, path] of [
      ["GET", "/healthz"],
      ["GET", "/v1/things/x"],
      ["POST", "/v1/tasks"],
      ["OPTIONS", "/v1/tasks"],
    ]) {
      const answer = await fetch(url + path, { method: method ?? "", headers: { ...bearer(), origin: url } });
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: "origin_refused" }]);
    }
  });

  test("null is refused, a listed origin is served, and no CORS header is ever sent", async () => {
    const { get } = await start({ allowed_origins: ["https://console.example"] });
    expect((await get("/v1/things/x", { origin: "null" })).status).toBe(403);
    const answer = await get("/v1/things/x", { origin: "https://console.example" });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("the Sec-Fetch-Site header", () => {
  test.each(["cross-site", "same-site", "none, cross-site", ""])("%j without an origin is refused", async (site) => {
    const { get } = await start();
    const answer = await get("/v1/things/x", { "sec-fetch-site": site });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "origin_refused" }]);
  });

  test.each(["same-origin", "none"])("%s is served", async (site) => {
    const { get } = await start();
    expect((await get("/v1/things/x", { "sec-fetch-site": site })).status).toBe(200);
  });

  test("does not matter for a listed origin, and does not help one that is not listed", async () => {
    const { get } = await start({ allowed_origins: ["https://console.example"] });
    const statusOf = async (origin: string, site: string) =>
      (await get("/v1/things/x", { origin, "sec-fetch-site": site })).status;
    expect(await statusOf("https://console.example", "cross-site")).toBe(200);
    expect(await statusOf("https://evil.example", "same-origin")).toBe(403);
  });
});

describe("the token", () => {
  test.each([
    ["none", ""],
    ["a wrong one", "Bearer nope-nope-nope-nope-nope-nope-nope"],
    ["a prefix of the right one", `Bearer ${TOKEN.slice(0, -1)}`],
    ["another scheme", `Basic ${TOKEN}`],
    ["no scheme", TOKEN],
    ["the right one and more", `Bearer ${TOKEN} x`],
  ])("%s is answered 401", async (_title, authorization) => {
    const { url } = await start();
    const answer = await fetch(`${url}/v1/things/x`, { headers: { authorization } });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "unauthorized" }]);
  });

  test("is required except for health, and not read from the URL [5.3]", async () => {
    const { url } = await start();
    const statusOf = async (path: string) => (await fetch(url + path)).status;
    expect(await Promise.all(["/healthz", "/readyz"].map(statusOf))).toEqual([200, 200]);
    const guarded = ["/openapi.json", "/nothing", `/v1/things/x?token=${TOKEN}`, `/v1/things/x?access_token=${TOKEN}`];
    expect(await Promise.all(guarded.map(statusOf))).toEqual([401, 401, 401, 401]);
  });

  test("one token alone has every scope", async () => {
    const { post } = await start();
    expect(await (await post("/v1/approve", {})).json()).toEqual({ by: "supervisor" });
  });

  test("the main one cannot approve when there is an approver's token, which can only approve and read", async () => {
    const { post, get } = await start({ approver: true });
    const refused = await post("/v1/approve", {});
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "forbidden" }]);
    expect(await (await post("/v1/approve", {}, bearer(APPROVER_TOKEN))).json()).toEqual({ by: "approver" });
    expect((await get("/v1/things/x", bearer(APPROVER_TOKEN))).status).toBe(200);
    expect((await post("/v1/tasks", { task_id: "t" }, bearer(APPROVER_TOKEN))).status).toBe(403);
  });

  test("a scope that is enough for an operation beside its own lets the approver's token call it", async () => {
    const operations = someOperations().map((one) =>
      one.name === "change_thing" ? { ...one, or_scope: "approve" as const } : one,
    );
    const { post } = await start({ approver: true, operations });
    expect((await post("/v1/things/x", {}, bearer(APPROVER_TOKEN))).status).toBe(200);
    expect((await post("/v1/tasks", { task_id: "t" }, bearer(APPROVER_TOKEN))).status).toBe(403);
  });

  test("the eleventh failure in a minute gets a 429 with Retry-After, and one more a 401 after that time", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const { url, get } = await start({ clock: () => new Date(now) });
    const fail = () => fetch(`${url}/v1/things/x`, { headers: { authorization: "Bearer wrong" } });
    for (let count = 1; count <= 10; count += 1) expect((await fail()).status).toBe(401);
    const limited = await fail();
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "6"]);
    expect(await limited.json()).toMatchObject({ code: "too_many_failures" });
    expect((await get("/v1/things/x")).status, "the right token is not locked out").toBe(200);
    now += 6_000;
    expect([(await fail()).status, (await fail()).status]).toEqual([401, 429]);
  });
});
