// Which connections of an agent's command are made, and to which addresses, with every name resolved by a table.
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { type WayOut, waysOutOf } from "../../../../../domain/network-scope.ts";
import { createConnectionJudge, kindOf, plainAddress } from "../../../../local/network/judge-connection.ts";

const OWN = new Set(["192.168.1.5", "fd00::5"]);
const NAMES: Record<string, readonly string[]> = {
  "app.example": ["203.0.113.7", "2001:db8::7"],
  "bound.example": ["127.0.0.1"],
  "mixed.example": ["::ffff:127.0.0.1", "203.0.113.8"],
  "cloud.example": ["169.254.169.254"],
  "lan.example": ["192.168.1.5"],
  "gpu.example": ["203.0.113.9"],
  "other-name-of-gpu.example": ["203.0.113.9"],
  [hostname().toLowerCase()]: ["127.0.1.1"],
};
const KEPT = [
  { what: "orch itself", host: "0.0.0.0", port: 3400 },
  { what: "the model server (AGENT_URL)", host: "gpu.example", port: 11_434 },
  { what: "the tool server lab", host: "192.168.1.5", port: 8770 },
];

function judgeOf(scope: readonly string[], more: readonly WayOut[] = []) {
  const constraints = { implicit_scope: [...scope], require_approval_for: [], max_minutes: 1 };
  return createConnectionJudge(
    { ways: [...waysOutOf({ constraints, target: {} }), ...more], kept: KEPT },
    { resolve: async (name) => NAMES[name] ?? [], kind: (address) => kindOf(address, OWN) },
  );
}

describe("a connection is made", () => {
  it.each([
    ["app.example:443", "app.example", 443, ["203.0.113.7", "2001:db8::7"]],
    ["app.example", "APP.example.", 8080, ["203.0.113.7", "2001:db8::7"]],
    ["localhost:8080", "localhost", 8080, ["127.0.0.1", "::1"]],
    ["http://127.0.0.1:8080/health", "127.0.0.1", 8080, ["127.0.0.1"]],
    ["localhost:8080", "[::1]", 8080, ["::1"]],
    ["192.168.1.5:8080", "192.168.1.5", 8080, ["192.168.1.5"]],
    ["[fd00::5]:8080", "[fd00::5]", 8080, ["fd00::5"]],
    ["10.0.0.9:22", "10.0.0.9", 22, ["10.0.0.9"]],
    ["gpu.example:443", "gpu.example", 443, ["203.0.113.9"]],
    ["mixed.example:443", "mixed.example", 443, ["203.0.113.8"]],
    [`${hostname()}:8080`, hostname(), 8080, ["127.0.1.1"]],
  ])("that %j names, to %s port %i", async (entry, host, port, addresses) => {
    expect(await judgeOf([entry])(host, port)).toEqual({ ok: true, addresses });
  });
});

describe("a connection is refused", () => {
  it.each([
    ["", "app.example", 443, 'the contract does not name it. "app.example:443" in constraints.implicit_scope opens it'],
    ["app.example:443", "app.example", 80, "the contract does not name it"],
    ["shell", "127.0.0.1", 8080, '"localhost:8080" in constraints.implicit_scope opens it'],
    ["127.0.0.1", "localhost", 8080, "constraints.implicit_scope names no port"],
    ["bound.example:80", "bound.example", 80, 'resolves to 127.0.0.1, an address of this machine. "127.0.0.1:80" in'],
    ["lan.example:80", "lan.example", 80, "resolves to 192.168.1.5, an address of this machine"],
    ["cloud.example:80", "cloud.example", 80, "resolves to 169.254.169.254, a link-local address"],
    ["169.254.169.254:80", "169.254.169.254", 80, "it is a link-local address, which no contract and no setting opens"],
    ["[fe80::1]:80", "[fe80::1]", 80, "link-local"],
    ["[::ffff:169.254.169.254]:80", "[::ffff:169.254.169.254]", 80, "link-local"],
    ["[64:ff9b::a9fe:a9fe]:80", "[64:ff9b::a9fe:a9fe]", 80, "link-local"],
    ["[fd00:ec2::254]:80", "[fd00:ec2::254]", 80, "link-local"],
    ["224.0.0.1:80", "224.0.0.1", 80, "an address of no single host"],
    ["unknown.example:80", "unknown.example", 80, "the name unknown.example cannot be resolved"],
    ["app.example:443", "app.example/", 443, "it is no name of a host"],
  ])("where the scope is %j, to %s port %i", async (entry, host, port, reason) => {
    expect(await judgeOf(entry === "" ? [] : [entry])(host, port)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ["127.0.0.1:3400", "127.0.0.1", 3400, "orch itself"],
    ["127.0.0.9:3400", "127.0.0.9", 3400, "orch itself"],
    ["[::1]:3400", "[::1]", 3400, "orch itself"],
    ["192.168.1.5:3400", "192.168.1.5", 3400, "orch itself"],
    [`${hostname()}:3400`, hostname(), 3400, "orch itself"],
    ["gpu.example:11434", "gpu.example", 11_434, "the model server (AGENT_URL)"],
    ["203.0.113.9:11434", "203.0.113.9", 11_434, "the model server (AGENT_URL)"],
    ["other-name-of-gpu.example", "other-name-of-gpu.example", 11_434, "the model server (AGENT_URL)"],
    ["localhost:8770", "localhost", 8770, "the tool server lab"],
  ])("although the contract names %j, to %s port %i, which is one of orch's own", async (entry, host, port, what) => {
    const reason = `it is ${what}, which no contract and no setting opens`;
    expect(await judgeOf([entry])(host, port)).toEqual({ ok: false, reason });
  });

  it("to this machine and to link-local addresses by a setting that opens everything", async () => {
    const judge = judgeOf([], [{ host: "*", port: null, from: "AGENT_NETWORK" }]);
    for (const host of ["localhost", "127.0.0.1", "192.168.1.5", "lan.example", "bound.example", "169.254.169.254"])
      expect(await judge(host, 80), host).toMatchObject({ ok: false });
    expect(await judge("app.example", 443)).toMatchObject({ ok: true });
  });
});

describe("an address in plain spelling", () => {
  it.each([
    ["::ffff:7f00:1", "127.0.0.1"],
    ["::FFFF:127.0.0.1", "127.0.0.1"],
    ["64:ff9b::10.0.0.1", "10.0.0.1"],
    ["FE80:0::1%eth0", "fe80::1"],
    ["[2001:DB8::0:7]", "2001:db8::7"],
    ["203.0.113.7", "203.0.113.7"],
  ])("%s is %s", (given, plain) => {
    expect(plainAddress(given)).toBe(plain);
  });
});
