// The page that shows the OpenAPI document: served from this server alone, under a policy that lets it load nothing else.
import { expect, test } from "vitest";
import { held } from "../../support/held.ts";
import { startHttp } from "../../support/http-endpoint.ts";

const endpoint = held(await startHttp());

const load = (path: string) => fetch(endpoint.url + path);

test("the page needs no token, and everything that it loads is there", async () => {
  const page = await load("/docs");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const text = await page.text();
  const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
  expect(loaded).toEqual(["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/page.js"]);
  for (const path of loaded) {
    const file = await load(path);
    expect([file.status, file.headers.get("content-type")], path).toEqual([
      200,
      expect.stringMatching(path.endsWith(".js") ? /^text\/javascript/ : /^text\/css/),
    ]);
    expect((await file.text()).length, path).toBeGreaterThan(500);
  }
  expect(text, "a policy without unsafe-inline needs a page without inline code").not.toMatch(
    /<style|<script>|\s(on\w+|style)="/,
  );
});

test("the policy allows this server only, without inline code", async () => {
  const { headers } = await load("/docs");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("the document itself needs a token, and no other file is served below /docs", async () => {
  expect((await load("/openapi.json")).status).toBe(401);
  for (const path of ["/docs/", "/docs/package.json", "/docs/..%2fpackage.json", "/docs/page.html"])
    expect((await load(path)).status, path).toBe(401);
  expect((await endpoint.get("/docs/package.json")).status).toBe(404);
  expect((await fetch(`${endpoint.url}/docs`, { method: "POST" })).status).toBe(405);
});

test("a file that the browser has is answered with 304", async () => {
  const { headers } = await load("/docs/swagger-ui-bundle.js");
  const known = { "if-modified-since": headers.get("last-modified") ?? "", "cache-control": "max-age=0" };
  const again = await fetch(`${endpoint.url}/docs/swagger-ui-bundle.js`, { headers: known });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});
