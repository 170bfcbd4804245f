// The page of the console and its assets on the wire.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole, SCRIPT } from "../../../support/console.ts";
import { type RunningHttp, startHttp } from "../../../support/http-endpoint.ts";

let endpoint: RunningHttp;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-console-"));
  endpoint = await startHttp({
    console: { name: "nas", directory: await buildConsole(directory), trusted_proxies: [] },
  });
});
afterAll(async () => {
  await endpoint.stop();
  await rm(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(endpoint.url + path, { headers });

describe("the page", () => {
  test.each(["/console", "/console/", "/console/tasks/deploy-1.2:x", "/console/login", "/console/a/b/c?d=e"])(
    "is at %s, without a token",
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  test("is where the address that the start prints leads a browser", async () => {
    const response = await fetch(endpoint.url, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console"]);
  });

  test("has a nonce of its own in each answer, in the policy and in its text", async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get("/console");
        const policy = response.headers.get("content-security-policy") ?? "";
        const nonce = /style-src 'self' 'nonce-([A-Za-z0-9+/=]{24})'/.exec(policy)?.[1] ?? "";
        expect((await response.text()).split(`="${nonce}"`)).toHaveLength(3);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test("lets a browser load nothing from elsewhere and show it in no frame", async () => {
    const { headers } = await get("/console");
    const policy = (headers.get("content-security-policy") ?? "").replace(/nonce-[^']+/, "nonce-N");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; connect-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  test("is not what belongs to the server, and nothing is taken there but GET", async () => {
    expect((await get("/console/session")).status).toBe(401);
    expect((await get("/console/events")).status).toBe(401);
    expect((await get("/consoles")).status).toBe(401);
    expect((await fetch(`${endpoint.url}/console/tasks`, { method: "POST" })).status).toBe(401);
    const head = await fetch(`${endpoint.url}/console`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("says that it has to be built where it is not there", async () => {
    const unbuilt = await startHttp({ console: { name: "nas", directory: "/nonexistent", trusted_proxies: [] } });
    const response = await fetch(`${unbuilt.url}/console`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm ci")]);
    await unbuilt.stop();
  });
});

describe("an asset", () => {
  test("with a hash in its name is kept for ever", async () => {
    const response = await get("/console/assets/app-AB12CD34.js", { "accept-encoding": "identity" });
    expect(await response.text()).toBe(SCRIPT);
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("content-encoding")).toBeNull();
  });

  test("is sent as it was compressed to who takes that", async () => {
    const response = await get("/console/assets/app-AB12CD34.js", { "accept-encoding": "br, gzip" });
    expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([
      "gzip",
      "Accept-Encoding",
    ]);
    expect(Number(response.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 4);
    expect(await response.text()).toBe(SCRIPT);
  });

  test("without a hash is asked for again, and not sent again", async () => {
    const response = await get("/console/assets/app.css");
    const tag = response.headers.get("etag") ?? "";
    expect([response.headers.get("cache-control"), tag]).toEqual(["no-cache", expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect((await get("/console/assets/app.css", { "if-none-match": tag })).status).toBe(304);
  });

  test.each([
    "nothing.js",
    "app-AB12CD34.js.gz",
    "inner",
    "inner/app.js",
    "inner%2Fapp.js",
    "../secret.js",
    "..%2Fsecret.js",
    "%2e%2e%2fsecret.js",
    "..%5csecret.js",
    "%2e%2e/index.html",
    "app.css%00.js",
    "__proto__",
    "constructor",
  ])("%s is none", async (name) => {
    const answer = await endpoint.raw(
      `GET /console/assets/${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).not.toContain("hidden");
    expect(answer).toMatch(/^HTTP\/1.1 40[14] /);
  });
});
