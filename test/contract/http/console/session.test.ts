// The sessions of the console on the wire: who gets one, what it may do, and what ends it (D-338).
import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { logIn, postJson } from "../../../support/console.ts";
import { APPROVER_TOKEN, bearer, type RunningHttp, startHttp, TOKEN } from "../../../support/http-endpoint.ts";

let endpoint: RunningHttp;
const CONSOLE = { name: "nas", directory: "/nonexistent", trusted_proxies: [] as string[] };
const start = async ({ trusted_proxies = [], ...options }: Record<string, unknown> = {}) => {
  endpoint = await startHttp({ console: { ...CONSOLE, trusted_proxies: trusted_proxies as string[] }, ...options });
  return endpoint;
};
afterEach(() => endpoint.stop());

const read = (headers: Record<string, string>) => fetch(`${endpoint.url}/v1/things/x`, { headers });
const findKnown = (value: string) => ({
  token_id: "metrics",
  digest: createHash("sha256").update(value).digest(),
});
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code?: string }).code,
];

describe("a login", () => {
  test("answers with the key, and sets a cookie that no script reads and no other host sets", async () => {
    const { url } = await start();
    const response = await postJson(`${url}/console/login`, { token: TOKEN, name: " ada " });
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-orch=[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    const answer = await response.json();
    expect(answer).toEqual({
      key: expect.stringMatching(/^[\w-]{43}$/),
      name: "ada",
      token_id: "supervisor",
      scopes: ["read", "submit", "teach", "approve"],
      can_step_up: false,
      approve_until: null,
      expires_at: expect.any(String),
      server: { name: "nas", version: "0.0.0" },
    });
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
  });

  const UNSEEN = [
    "a\u0007",
    "ad\u200ba",
    "\u202eada",
    "ad\u3164a",
    "ada\u00a0l",
    "ada\u241b",
    "a\u034fda",
    "a\u{e0041}",
  ];

  test.each<[object, string]>([
    [{}, "token"],
    [{ token: TOKEN, link: "x" }, "token"],
    [{ token: TOKEN, name: "" }, "name"],
    [{ token: TOKEN, more: 1 }, "more"],
    ...UNSEEN.map((name): [object, string] => [{ token: TOKEN, name }, "name"]),
  ])("with %j names what is wrong", async (body, path) => {
    const { url } = await start();
    const response = await postJson(`${url}/console/login`, body);
    const { code, issues } = (await response.json()) as { code: string; issues: { path: string }[] };
    expect([response.status, code, issues.map((issue) => issue.path)]).toEqual([400, "input_invalid", [path]]);
  });

  test("says which character of a name is not seen", async () => {
    const { url } = await start();
    const response = await postJson(`${url}/console/login`, { token: TOKEN, name: "ad\u200ba" });
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining("leave out U+200B") });
  });

  test.each(["Ada Lovelace", "Ζωή", "张伟", "José", "O'Neil 2"])("takes %s for a name", async (name) => {
    const { url } = await start();
    expect((await logIn(url, { token: TOKEN, name })).answer["name"]).toBe(name);
  });

  test("with a wrong token takes a turn of those of wrong tokens", async () => {
    const { url } = await start();
    const fail = () => postJson(`${url}/console/login`, { token: "wrong" });
    for (let count = 0; count < 5; count += 1) expect(await codeOf(await fail())).toEqual([401, "unauthorized"]);
    for (let count = 0; count < 5; count += 1) expect((await read(bearer("wrong"))).status).toBe(401);
    expect(await codeOf(await fail())).toEqual([429, "too_many_failures"]);
    expect(await codeOf(await read(bearer("wrong")))).toEqual([429, "too_many_failures"]);
    await logIn(url);
  });

  test("with a token that may do nothing but read metrics is refused", async () => {
    const { token_id, digest } = findKnown(TOKEN);
    const { url } = await start({ tokens: [{ token_id, digest, scopes: new Set() }] });
    expect((await postJson(`${url}/console/login`, { token: TOKEN })).status).toBe(401);
  });

  test("from another page is refused, also from one on another port of this host", async () => {
    const { url, port } = await start();
    const from = (origin: string, site: string) =>
      postJson(`${url}/console/login`, { token: TOKEN }, { origin, "sec-fetch-site": site });
    expect(await codeOf(await from("https://evil.example", "cross-site"))).toEqual([403, "origin_refused"]);
    expect(await codeOf(await from(`http://127.0.0.1:${port + 1}`, "same-site"))).toEqual([403, "origin_refused"]);
    expect(await codeOf(await from(`http://127.0.0.1:${port + 1}`, "same-origin"))).toEqual([403, "origin_refused"]);
    expect(await codeOf(await from(url, "same-site"))).toEqual([403, "origin_refused"]);
    expect(await codeOf(await from(`http://localhost:${port}`, "same-origin"))).toEqual([403, "origin_refused"]);
    expect((await from(url, "same-origin")).status).toBe(200);
  });
});

describe("a request of the page", () => {
  test("is answered as one of its token, with both parts only", async () => {
    const { url } = await start();
    const { cookie, key, headers } = await logIn(url);
    const later = await logIn(url);
    expect(await (await read(headers)).json()).toMatchObject({ token_id: "supervisor" });
    expect(await codeOf(await read({ cookie }))).toEqual([401, "unauthorized"]);
    const ended = [
      { "x-orch-key": key },
      { cookie: "__Host-orch=", "x-orch-key": key },
      { cookie: later.cookie, "x-orch-key": key },
      { cookie, "x-orch-key": later.key },
      { cookie: `${cookie}; ${later.cookie}`, "x-orch-key": key },
    ];
    for (const wrong of ended) expect(await codeOf(await read(wrong))).toEqual([401, "session_ended"]);
    expect((await read({ ...headers, cookie: `theme=dark; ${cookie}` })).status).toBe(200);
  });

  test("from a page on another port is refused though the browser sends both", async () => {
    const { url, port } = await start();
    const { headers } = await logIn(url);
    const stolen = { ...headers, origin: `http://127.0.0.1:${port + 1}`, "sec-fetch-site": "same-site" };
    expect(await codeOf(await postJson(`${url}/v1/things/x`, {}, stolen))).toEqual([403, "origin_refused"]);
    const preflight = await fetch(`${url}/v1/things/x`, { method: "OPTIONS", headers: { origin: stolen.origin } });
    expect(preflight.status).toBe(403);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("that comes after the end takes no turn of the next login", async () => {
    const { url } = await start();
    for (let count = 0; count < 20; count += 1) await read({ cookie: "__Host-orch=x", "x-orch-key": "y" });
    expect(await codeOf(await postJson(`${url}/console/login`, { token: "wrong" }))).toEqual([401, "unauthorized"]);
  });

  test("reaches operations and streams, and no endpoint for programs", async () => {
    const { url } = await start();
    const { headers } = await logIn(url);
    for (const path of ["/openapi.json", "/mcp", "/metrics"])
      expect((await fetch(url + path, { headers })).status, path).toBe(401);
  });

  test("with a bearer token is one of that token", async () => {
    const { url } = await start({ approver: true });
    const { headers } = await logIn(url);
    const both = await read({ ...headers, ...bearer(APPROVER_TOKEN) });
    expect(await both.json()).toMatchObject({ token_id: "approver" });
    expect((await read({ ...headers, ...bearer("wrong") })).status).toBe(401);
  });
});

describe("a session", () => {
  const shown = async (headers: Record<string, string>) =>
    codeOf(await fetch(`${endpoint.url}/console/session`, { headers }));

  test("is shown without its key, and ends at logout and after twelve hours", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const { url } = await start({ clock: () => new Date(now) });
    const { headers, answer } = await logIn(url);
    const { key: _key, ...rest } = answer;
    expect(await (await fetch(`${url}/console/session`, { headers })).json()).toEqual(rest);
    const out = await postJson(`${url}/console/logout`, {}, headers);
    expect([out.status, out.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect(await shown(headers)).toEqual([401, "session_ended"]);
    const later = await logIn(url);
    now += 12 * 3_600_000;
    expect(await shown(later.headers)).toEqual([401, "session_ended"]);
  });

  test("does not outlive the server", async () => {
    const { url } = await start();
    const { headers } = await logIn(url);
    await endpoint.stop();
    const { port } = await start();
    expect(await codeOf(await fetch(`http://127.0.0.1:${port}/console/session`, { headers }))).toEqual([
      401,
      "session_ended",
    ]);
  });

  test("opened without a name is one of the console all the same, and a bearer token is none", async () => {
    const { url } = await start();
    const { headers } = await logIn(url, { token: TOKEN });
    const decide = async (by: Record<string, string>) => (await postJson(`${url}/v1/approve`, {}, by)).json();
    expect(await decide(headers)).toEqual({ by: "supervisor", at_console: { name: null } });
    expect(await decide(bearer())).toEqual({ by: "supervisor" });
  });

  test("opened by a supervisor asks for the approver's token, and approves as that for ten minutes", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const { url } = await start({ approver: true, clock: () => new Date(now) });
    const { headers, answer } = await logIn(url);
    expect(answer).toMatchObject({ scopes: ["read", "submit", "teach"], can_step_up: true });
    const approve = () => postJson(`${url}/v1/approve`, {}, headers);
    const refused = await approve();
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "forbidden", needs_scope: "approve" }]);
    expect(await codeOf(await postJson(`${url}/console/step-up`, { token: TOKEN }, headers))).toEqual([
      401,
      "unauthorized",
    ]);
    const raised = await postJson(`${url}/console/step-up`, { token: APPROVER_TOKEN }, headers);
    expect(await raised.json()).toMatchObject({
      scopes: ["read", "submit", "teach", "approve"],
      can_step_up: false,
      approve_until: "2026-01-01T00:10:00.000Z",
    });
    expect(await (await approve()).json()).toEqual({ by: "approver", at_console: { name: "ada" } });
    now += 600_000;
    expect((await approve()).status).toBe(403);
  });
});

describe("a link", () => {
  const make = async (body: object = {}, headers: Record<string, string> = bearer()) =>
    postJson(`${endpoint.url}/console/links`, body, headers);
  const linkIn = async (response: Response) => {
    const { url } = (await response.json()) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console#link=[\w-]{22}$/);
    return url.split("#link=")[1] ?? "";
  };

  test("opens one session with the scopes and the name that it was made with", async () => {
    const { url } = await start({ approver: true });
    const link = await linkIn(await make({ name: "ada" }, bearer(APPROVER_TOKEN)));
    const { answer } = await logIn(url, { link });
    expect(answer).toMatchObject({ name: "ada", token_id: "approver", scopes: ["read", "approve"] });
    expect(await codeOf(await postJson(`${url}/console/login`, { link }))).toEqual([401, "unauthorized"]);
  });

  test("is not made without a token, nor by a session", async () => {
    const { url } = await start();
    const { headers } = await logIn(url);
    expect((await make({}, {})).status).toBe(401);
    expect(await codeOf(await make({}, headers))).toEqual([403, "forbidden"]);
  });
});
