// What a body may be: JSON by declaration and in fact, bounded in size and depth, free of keys that reach prototypes.
import { describe, expect, test } from "vitest";
import { held } from "../../support/held.ts";
import { bearer, startHttp, TOKEN } from "../../support/http-endpoint.ts";

const endpoint = held(await startHttp());

const problemOf = async (answer: Response) => {
  expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  return { status: answer.status, ...((await answer.json()) as { code: string; issues?: unknown[] }) };
};

describe("the content type", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
  ])("%j is answered 415", async (type) => {
    const answer = await endpoint.post("/v1/tasks", Buffer.from('{"task_id":"t"}'), { "content-type": type });
    expect(await problemOf(answer)).toMatchObject({ status: 415, code: "media_type_unsupported" });
  });

  test("parameters and letter case do not matter", async () => {
    const answer = await endpoint.post(
      "/v1/tasks",
      { task_id: "t" },
      { "content-type": "Application/JSON; charset=utf-8" },
    );
    expect(await answer.json()).toEqual({ task_id: "t" });
  });

  test("the name of a coding has no case", async () => {
    const answer = await endpoint.post("/v1/tasks", { task_id: "t" }, { "content-encoding": "Identity" });
    expect(answer.status).toBe(200);
  });

  test("a compressed body is answered 415", async () => {
    const answer = await endpoint.post("/v1/tasks", { task_id: "t" }, { "content-encoding": "gzip" });
    expect(await problemOf(answer)).toMatchObject({ status: 415, code: "media_type_unsupported" });
    expect([answer.headers.get("accept-encoding"), answer.headers.get("accept")]).toEqual([
      "identity",
      "application/json",
    ]);
  });

  test("a refused coding names the one that is taken, and no other fault", async () => {
    const answer = await endpoint.post("/v1/tasks", { task_id: "t" }, { "content-encoding": "br" });
    expect(await problemOf(answer)).toMatchObject({
      title: "The form of the body is not supported",
      detail: "The only Content-Encoding is identity: send the body as it is.",
    });
  });
});

describe("the size", () => {
  test("a body of just 1 MiB is read", async () => {
    const text = JSON.stringify({ task_id: "t", note: "" });
    const body = text.replace('""', `"${"x".repeat(1024 * 1024 - text.length)}"`);
    expect((await endpoint.post("/v1/tasks", body)).status).toBe(200);
  });

  test("one byte more is answered 413", async () => {
    const answer = await endpoint.post("/v1/tasks", " ".repeat(1024 * 1024 + 1));
    expect(await problemOf(answer)).toMatchObject({ status: 413, code: "body_too_large" });
  });

  test("a body in chunks is counted too", async () => {
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const head = `POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n`;
    const body = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`;
    expect(await endpoint.raw(head + body)).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe("the structure", () => {
  test.each(["{", '{"task_id":}', "nul", '{"a":1}{"b":2}', "\u00ff"])(
    "%j is answered 400 as not being JSON",
    async (body) => {
      expect(await problemOf(await endpoint.post("/v1/tasks", body))).toMatchObject({
        status: 400,
        code: "body_invalid",
      });
    },
  );

  test("bytes that are not UTF-8 are refused, not replaced", async () => {
    const bytes = Buffer.concat([Buffer.from('{"task_id":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(await problemOf(await endpoint.post("/v1/tasks", bytes))).toMatchObject({
      status: 400,
      code: "body_invalid",
    });
  });

  test.each([10_000, 500_000])("%i nested arrays are answered 400, and the server goes on", async (depth) => {
    const answer = await endpoint.post("/v1/tasks", "[".repeat(depth) + "]".repeat(depth));
    expect((await problemOf(answer)).status).toBe(400);
    expect((await endpoint.get("/v1/things/x")).status).toBe(200);
  });

  test("33 levels are too many and are named by path, 32 are not", async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    const payload = (levels: number) => ({ count: 1, payload: nested(levels) });
    expect((await endpoint.post("/v1/things/x", payload(31))).status).toBe(200);
    const refused = await problemOf(await endpoint.post("/v1/things/x", payload(32)));
    expect(refused).toMatchObject({ status: 400, code: "input_invalid" });
    expect(refused.issues).toMatchObject([
      { path: `payload${".a".repeat(31)}`, message: expect.stringContaining("32 levels") },
    ]);
  });

  test("too many levels are found before anything is parsed, even where they are never closed", async () => {
    const refused = await problemOf(await endpoint.post("/v1/tasks", `{"payload":[${"[".repeat(100_000)}`));
    expect(refused).toMatchObject({
      code: "contract_invalid",
      issues: [{ path: `payload${".0".repeat(31)}`, message: "is nested deeper than 32 levels; flatten it" }],
    });
  });

  test.each(["__proto__", "constructor", "prototype"])(
    "a key %s is refused by path and pollutes nothing",
    async (key) => {
      const answer = await endpoint.post(
        "/v1/tasks",
        `{"task_id":"t","payload":{"list":[{"${key}":{"polluted":true}}]}}`,
      );
      const issues = [{ path: `payload.list.0.${key}`, message: "is a reserved key; rename it" }];
      expect(await problemOf(answer)).toMatchObject({ status: 400, code: "contract_invalid", issues });
      expect("polluted" in {}).toBe(false);
    },
  );

  test("reserved keys are refused in the query as well", async () => {
    const issues = [{ path: "__proto__", message: "is a reserved key; rename it" }];
    expect(await problemOf(await endpoint.get("/v1/things/x?__proto__=1"))).toMatchObject({ status: 400, issues });
  });

  test.each(["[]", '"text"', "7", "null"])("%s instead of an object is answered 400", async (body) => {
    const refused = await problemOf(await endpoint.post("/v1/tasks", body));
    expect(refused).toMatchObject({ status: 400, issues: [{ path: "", message: "must be an object" }] });
  });

  test("no body at all is an empty object", async () => {
    const answer = await fetch(`${endpoint.url}/v1/approve`, { method: "POST", headers: bearer() });
    expect(await answer.json()).toEqual({ by: "supervisor" });
  });
});
