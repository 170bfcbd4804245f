// The console beyond loopback: a token is taken over TLS only (D-338).
import { afterEach, describe, expect, test } from "vitest";
import { type RunningHttp, startHttp, TOKEN } from "../../../support/http-endpoint.ts";

let endpoint: RunningHttp;
const start = async ({ trusted_proxies = [], public_host }: { trusted_proxies?: string[]; public_host: string }) => {
  endpoint = await startHttp({ public_host, console: { name: "nas", directory: "/nonexistent", trusted_proxies } });
};
afterEach(() => endpoint.stop());

describe("beyond loopback", () => {
  const host = { public_host: "nas.lan" };
  const raw = async (more: string, path = "/console/login") => {
    const body = JSON.stringify({ token: TOKEN });
    const lines = ["Host: nas.lan", "Content-Type: application/json", `Content-Length: ${body.length}`];
    const head = [`POST ${path} HTTP/1.1`, ...lines, "Connection: close"].join("\r\n");
    return endpoint.raw(`${head}\r\n${more}\r\n${body}`);
  };
  const TLS = "X-Forwarded-Proto: https\r\n";

  test("a login without TLS is refused with what to do", async () => {
    await start(host);
    const answer = await raw("");
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain('"code":"tls_required"');
    expect(answer).toContain("ORCH_TRUSTED_PROXY");
    expect(await raw(TLS), "no listed proxy says it").toMatch(/^HTTP\/1.1 403 /);
  });

  test("a login through a listed proxy with TLS is served", async () => {
    await start({ ...host, trusted_proxies: ["10.0.0.0/8", "127.0.0.1"] });
    expect(await raw(TLS)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw("X-Forwarded-Proto: https, http\r\n"), "the last word is the proxy's").toMatch(/^HTTP\/1.1 403 /);
    expect(await raw("")).toMatch(/^HTTP\/1.1 403 /);
  });

  test("a proxy that is not listed is not believed", async () => {
    await start({ ...host, trusted_proxies: ["10.0.0.0/8", "::1"] });
    expect(await raw(TLS)).toMatch(/^HTTP\/1.1 403 /);
  });

  test("a link is refused too", async () => {
    await start(host);
    expect(await raw(`Authorization: Bearer ${TOKEN}\r\n`, "/console/links")).toContain('"code":"tls_required"');
  });
});
