// Tool servers in the environment, and the addresses that a secret may be sent to.
import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { OrchError } from "../../../src/domain/errors.ts";

const HOME = { HOME: "/home/me" };

function refusal(env: Record<string, string>): OrchError {
  try {
    readConfig({ ...HOME, ...env });
  } catch (error) {
    if (error instanceof OrchError) return error;
  }
  throw new Error("the configuration was accepted");
}

describe("tool servers", () => {
  test("are added by their variables, named in lower case, all but the address optional", () => {
    const { tool_servers } = readConfig({
      ...HOME,
      MCP_NOTES_URL: "https://notes.example/mcp",
      MCP_NOTES_TOKEN: "secret",
      MCP_NOTES_PEER: "any",
      MCP_GIT_SERVER_2_URL: "http://127.0.0.1:9",
      MCP_OTHER: "not a pair",
    });
    expect([...tool_servers]).toEqual([
      ["notes", { url: "https://notes.example/mcp", token: "secret", peer: "any" }],
      ["git_server_2", { url: "http://127.0.0.1:9", token: null, peer: null }],
    ]);
  });

  test.each([
    ["a token", "http://notes.example/mcp", { MCP_NOTES_TOKEN: "secret" }],
    ["a token and an account", "http://notes.example/mcp", { MCP_NOTES_TOKEN: "secret", MCP_NOTES_PEER: "notes" }],
    ["a password", "http://op:secret@10.0.0.5:8770/mcp", {}],
    ["a name like loopback", "http://127.evil.example/mcp", { MCP_NOTES_TOKEN: "secret" }],
  ])("are refused beyond loopback over plain http, with %s", (_what, url, more) => {
    const { issues, message } = refusal({ MCP_NOTES_URL: url, ...more });
    expect(issues.map(({ path }) => path)).toEqual(["MCP_NOTES_URL"]);
    expect(message).toMatch(/must be https or on loopback, .*MCP_NOTES_PEER=any sends it in clear text/);
    expect(message).not.toContain("secret");
  });

  test.each([
    ["without a secret", { MCP_NOTES_URL: "http://notes.example/mcp" }],
    ["where the site says so", { MCP_NOTES_URL: "http://notes.example", MCP_NOTES_TOKEN: "s", MCP_NOTES_PEER: "any" }],
    ["on loopback", { MCP_NOTES_URL: "http://[::1]:8770/mcp", MCP_NOTES_TOKEN: "s", MCP_NOTES_PEER: "1001" }],
  ])("may be reached over plain http %s", (_where, env) => {
    expect(readConfig({ ...HOME, ...env }).tool_servers.size).toBe(1);
  });

  test("are refused with a peer that is no account, or with no address", () => {
    expect(refusal({ MCP_A_URL: "http://127.0.0.1:9", MCP_A_PEER: "a b" }).issues[0]?.path).toBe("MCP_A_PEER");
    expect(refusal({ MCP_A_PEER: "notes" }).message).toContain("MCP_A_PEER needs MCP_A_URL beside it");
  });

  test("may have the name of an object property", () => {
    expect(readConfig(HOME).tool_servers.get("constructor")).toBeUndefined();
    const { tool_servers } = readConfig({ ...HOME, MCP_CONSTRUCTOR_URL: "http://x", MCP___PROTO___URL: "http://y" });
    expect([...tool_servers.keys()]).toEqual(["constructor", "__proto__"]);
  });
});
