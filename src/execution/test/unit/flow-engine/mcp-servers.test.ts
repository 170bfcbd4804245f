// The tool servers that a flow receives: those in the contract's scope that its steps call.
import { describe, expect, test } from "vitest";
import { aContract, check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { mcpServersFor, type ToolServerAddresses } from "../../../flow-engine/submit-job.ts";

const KNOWN: ToolServerAddresses = new Map([
  ["notes", { url: "http://notes/mcp", token: "$var:f/orch/notes_token" }],
  ["gitserver", { url: "http://git/mcp", token: null }],
  ["tickets", { url: "http://tickets/mcp", token: "plain-token" }],
]);

const scoped = (...implicit_scope: string[]) =>
  aContract({ constraints: { implicit_scope, require_approval_for: [], max_minutes: 1 } });
const calls = (...servers: string[]) => servers.map((server) => mcpCall({ server }));

describe("a flow receives a server", () => {
  test("that its steps call, once, with its token as it is configured [4.mcp.flow_context] [2.flow_input.mcp_servers]", () => {
    const steps = [cmd("true"), ...calls("notes", "gitserver", "notes"), wait("1s"), check("true")];
    expect(mcpServersFor(steps, scoped("notes", "gitserver", "tickets"), KNOWN)).toEqual({
      notes: { url: "http://notes/mcp", token: "$var:f/orch/notes_token" },
      gitserver: { url: "http://git/mcp", token: "" },
    });
  });

  test("under the name that its steps use, in any letter case", () => {
    const { Notes, NOTES, notes } = mcpServersFor(calls("Notes", "NOTES"), scoped("nOtEs"), KNOWN);
    expect([Notes?.url, NOTES?.url, notes]).toEqual(["http://notes/mcp", "http://notes/mcp", undefined]);
  });
});

describe("a flow does not receive a server", () => {
  test("that no step calls, though the scope has it", () => {
    expect(mcpServersFor([cmd("curl http://notes/mcp")], scoped("notes", "tickets"), KNOWN)).toEqual({});
  });

  test("that is not in the scope, though a step calls it", () => {
    expect(mcpServersFor(calls("notes", "tickets"), scoped("gitserver", "cmd:notes"), KNOWN)).toEqual({});
  });

  test("that is not configured", () => {
    expect(mcpServersFor(calls("wiki", "notes"), scoped("wiki"), KNOWN)).toEqual({});
  });
});

describe("a server name that is a property of objects is an ordinary name", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s", (server) => {
    expect(mcpServersFor(calls(server), scoped(server), KNOWN)).toEqual({});
    const known = new Map([[server.toLowerCase(), { url: "http://odd/mcp", token: "odd-token" }]]);
    const told = mcpServersFor(calls(server), scoped(server), known);
    expect(Object.keys(told)).toEqual([server]);
    expect(Object.getPrototypeOf(told)).toBe(Object.prototype);
    expect(JSON.parse(JSON.stringify({ told })).told[server]).toEqual({ url: "http://odd/mcp", token: "odd-token" });
  });
});
