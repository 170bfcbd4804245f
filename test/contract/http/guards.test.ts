// The guards of the HTTP endpoint: Host, Origin, token, scope, and the limit on wrong tokens.
import { describe, expect, test } from "vitest";
import { eachTime, held } from "../../support/held.ts";
import { APPROVER_TOKEN, bearer, startHttp, TOKEN } from "../../support/http-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

const start = eachTime(startHttp);

const LISTED = "https://console.example";
const open = held(await startHttp({ public_host: "orch.Example", allowed_origins: [LISTED] }));

const GOOD = "Host: localhost";
test.each<[string, number, string?]>([
  ["Host: localhost", 200],
  ["Host: LOCALHOST:3400", 200],
  ["Host: 127.0.0.1:1", 200],
  ["Host: [::1]:3400", 200],
  ["Host: [::1]", 200],
  ["Host: ORCH.example:8443", 200],
  ["Host: example", 421],
  ["Host: evil.example", 421],
  ["Host: evil.example", 421, "/healthz"],
  ["Host: evil.example", 421, "/readyz"],
  ["Host: evil.example", 421, "/openapi.json"],
  ["Host: evil.example", 421, "/nothing"],
  ["Host: localhost.evil.example", 421],
  ["Host: localhost.", 421],
  ["Host: evil.localhost", 421],
  ["Host: 127.0.0.1.nip.io", 421],
  ["Host: 127.0.0.1:80:80", 421],
  ["Host: 0.0.0.0", 421],
  ["Host: ", 421],
  ["X-Host: localhost", 421],
  [`${GOOD}\r\nHost: evil.example`, 421],
  [`${GOOD}\r\nOrigin: http://localhost`, 403],
  [`${GOOD}\r\nOrigin: http://localhost`, 403, "/healthz"],
  [`${GOOD}\r\nOrigin: null`, 403],
  [`${GOOD}\r\nOrigin: ${LISTED}`, 200],
  [`${GOOD}\r\nSec-Fetch-Site: cross-site`, 403],
  [`${GOOD}\r\nSec-Fetch-Site: same-site`, 403],
  [`${GOOD}\r\nSec-Fetch-Site: none, cross-site`, 403],
  [`${GOOD}\r\nSec-Fetch-Site: `, 403],
  [`${GOOD}\r\nSec-Fetch-Site: same-origin`, 200],
  [`${GOOD}\r\nSec-Fetch-Site: none`, 200],
  [`${GOOD}\r\nOrigin: ${LISTED}\r\nSec-Fetch-Site: cross-site`, 200],
  [`${GOOD}\r\nOrigin: https://evil.example\r\nSec-Fetch-Site: same-origin`, 403],
])(
  "with %j a request is answered %i, as a problem where it is refused, and without a CORS header",
  async (headers, status, path = "/v1/things/x") => {
    const token = `Authorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
    const answer = await open.raw(`GET ${path} HTTP/1.1\r\n${headers}\r\n${token}`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toMatch(/access-control/i);
    const code = { 421: "host_refused", 403: "origin_refused" }[status];
    if (code !== undefined) expect(answer).toMatch(new RegExp(`application/problem\\+json.*"code":"${code}"`, "s"));
  },
);

test.each(["POST", "OPTIONS"])(
  "an origin that is not listed is refused for %s, also when it equals the host",
  async (method) => {
    const answer = await fetch(`${open.url}/v1/tasks`, { method, headers: { ...bearer(), origin: open.url } });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "origin_refused" }]);
  },
);

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
