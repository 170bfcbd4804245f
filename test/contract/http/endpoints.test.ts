// Further endpoints with the same guards, and what is logged of a request.
import { expect, test } from "vitest";
import type { HttpEndpoint } from "../../../src/api/http/app.ts";
import { eachTime } from "../../support/held.ts";
import { bearer, startHttp, TOKEN } from "../../support/http-endpoint.ts";

const start = eachTime(startHttp);

const echo: HttpEndpoint = {
  path: "/mcp",
  methods: ["GET", "POST"],
  handle: async (_request, response, { token_id, refusalOf }, body) => {
    response.json({
      token_id,
      may_approve: (await refusalOf({ name: "approve", scope: "approve" })) === null,
      body: body ?? null,
    });
  },
};

test("a further endpoint receives the caller and the parsed body", async () => {
  const { post, get } = await start({ endpoints: [echo], approver: true });
  expect(await (await post("/mcp", { a: 1 })).json()).toEqual({
    token_id: "supervisor",
    may_approve: false,
    body: { a: 1 },
  });
  expect(await (await get("/mcp")).json()).toMatchObject({ body: null });
});

test("a further endpoint has the same guards: token, content type, structure, method", async () => {
  const { url, post } = await start({ endpoints: [echo] });
  expect((await fetch(`${url}/mcp`)).status).toBe(401);
  expect((await post("/mcp", "{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await post("/mcp", '{"__proto__":{}}')).status).toBe(400);
  expect((await fetch(`${url}/mcp`, { method: "DELETE", headers: bearer() })).status).toBe(405);
});

test("the log of a request has its template, status and token id, and neither values, bodies nor headers", async () => {
  const { post, get, lines } = await start();
  await post("/v1/things/private-id", { payload: { note: "private-note" } }, { "x-private": "private-header" });
  await get("/v1/things/private-id?kind=private-kind");
  await expect.poll(() => lines.length).toBe(2);
  const [first, second] = lines.map((line) => JSON.parse(line));
  const logged = { method: "POST", route: "/v1/things/{thing_id}", status: 200, token_id: "supervisor" };
  expect(first).toMatchObject({ ...logged, request_id: expect.any(String), duration_ms: expect.any(Number) });
  expect(second).toMatchObject({ method: "GET", status: 400 });
  expect(lines.join("")).not.toMatch(/private|Bearer/);
  expect(lines.join("")).not.toContain(TOKEN);
});
