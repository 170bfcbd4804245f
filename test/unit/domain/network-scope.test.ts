// What a contract and a setting open for the commands of an agent, as tables.
import { describe, expect, it } from "vitest";
import { endpointNamed, hostNamed, patternNamed, waysOutOf, wayTaken } from "../../../src/domain/network-scope.ts";

describe("the name of a host", () => {
  it.each([
    ["https://app.example/health?x=1", "app.example", 443],
    ["http://app.example", "app.example", 80],
    ["http://user:pass@app.example:8080/x", "app.example", 8080],
    ["ssh://git@git.example/o/r.git", "git.example", 22],
    ["git@git.example:o/r.git", "git.example", 22],
    ["HTTPS://App.Example:8443", "app.example", 8443],
    ["nas:22", "nas", 22],
    ["app.example:443", "app.example", 443],
    ["app.example.", "app.example", null],
    ["app.example", "app.example", null],
    ["10.0.0.5", "10.0.0.5", null],
    ["10.0.0.5:80", "10.0.0.5", 80],
    ["[fd00::5]:80", "[fd00::5]", 80],
    ["fd00::5", "[fd00::5]", null],
    ["http://[FD00:0::5]/", "[fd00::5]", 80],
    ["http://127.0.0.1:8080/health", "localhost", 8080],
    ["http://[::1]:8080/", "localhost", 8080],
    ["127.1:8080", "localhost", 8080],
    ["2130706433:8080", "localhost", 8080],
    ["http://0x7f000001:8080/", "localhost", 8080],
    ["[::ffff:127.0.0.1]:8080", "localhost", 8080],
    ["0.0.0.0:8080", "localhost", 8080],
    ["web.localhost:8080", "localhost", 8080],
  ])("is found in %j", (text, host, port) => {
    expect(endpointNamed(text)).toEqual({ host, port });
  });

  it.each([
    "",
    "shell",
    "notes",
    "cmd:curl",
    "docker compose",
    "owner/repo",
    "/srv/app",
    "v1.2.3",
    "nas:0",
    "nas:65536",
    "nas:",
    ":80",
    "app.example/path",
    "redis://cache.example",
    "file:///etc/passwd",
    "http://",
    "http://a b/",
    "http://app.example:99999/",
    "app.example, other.example",
    "prod",
    `${"a".repeat(250)}.example`,
  ])("is what %j is not", (text) => {
    expect(endpointNamed(text)).toBeNull();
  });

  it("has the port of an unknown scheme only where it is written", () => {
    expect(endpointNamed("redis://cache.example:6379/0")).toEqual({ host: "cache.example", port: 6379 });
  });
});

describe("a contract", () => {
  const ways = (implicit_scope: string[], target: Record<string, string> = {}) =>
    waysOutOf({ constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 }, target });

  it("opens what its scope and its target name, each with its field", () => {
    expect(
      ways(["shell", "notes", "mirror.example:443"], { health_url: "http://127.0.0.1:8080/", service: "web" }),
    ).toEqual([
      { host: "mirror.example", port: 443, from: "constraints.implicit_scope" },
      { host: "localhost", port: 8080, from: "target.health_url" },
    ]);
  });

  it.each([
    [{ host: "edge1" }, "edge1", null],
    [{ host: "edge1", port: "22" }, "edge1", 22],
    [{ host: "127.0.0.1", port: "5432" }, "localhost", 5432],
    [{ host: "edge1:2222", port: "22" }, "edge1", 2222],
    [{ host: "https://edge1.example", port: "x" }, "edge1.example", 443],
  ])("opens by its target %j one host, at the port beside it", (target, host, port) => {
    expect(ways([], target)).toEqual([{ host, port, from: "target.host" }]);
  });

  it("opens nothing by a program, a directory, a branch or a stage", () => {
    const target = { compose_dir: "10.0.0.1", branch: "release.next", environment: "prod:1" };
    expect(ways(["cmd:8080", "cmd:nc.traditional"], target)).toEqual([]);
  });
});

describe("a pattern of a setting", () => {
  it.each([
    ["mirror.example:443", "mirror.example", 443],
    ["mirror.example", "mirror.example", null],
    ["mirror.example:*", "mirror.example", null],
    ["*.example:443", "*.example", 443],
    ["*:443", "*", 443],
    ["*", "*", null],
    ["10.0.0.5:80", "10.0.0.5", 80],
    ["[fd00::5]:80", "[fd00::5]", 80],
    ["localhost:8080", "localhost", 8080],
  ])("%j", (text, host, port) => {
    expect(patternNamed(text)).toEqual({ host, port });
  });

  it.each(["", "https://mirror.example", "mirror.example:0", "mirror.example:x", "a*.example", "*.*", "a b"])(
    "is not %j",
    (text) => {
      expect(patternNamed(text)).toBeNull();
    },
  );
});

describe("a way out", () => {
  const taken = (pattern: string, host: string, port: number) => {
    const way = { host: "", port: null, ...patternNamed(pattern), from: "" };
    return wayTaken([way], hostNamed(host) ?? "", port) !== null;
  };

  it.each([
    ["mirror.example:443", "mirror.example", 443],
    ["mirror.example:443", "MIRROR.example.", 443],
    ["mirror.example", "mirror.example", 8080],
    ["*.example:443", "a.b.example", 443],
    ["*:443", "anything.example", 443],
    ["localhost:8080", "127.0.0.1", 8080],
    ["localhost:8080", "::1", 8080],
  ])("%j leads to %s port %i", (pattern, host, port) => {
    expect(taken(pattern, host, port)).toBe(true);
  });

  it.each([
    ["mirror.example:443", "mirror.example", 80],
    ["mirror.example:443", "a.mirror.example", 443],
    ["*.example:443", "example", 443],
    ["*.example:443", "evilexample", 443],
    ["*:443", "127.0.0.1", 443],
    ["*", "localhost", 80],
  ])("%j does not lead to %s port %i", (pattern, host, port) => {
    expect(taken(pattern, host, port)).toBe(false);
  });
});
