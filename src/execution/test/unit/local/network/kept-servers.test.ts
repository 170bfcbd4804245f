// Which servers of orch no contract opens to an agent's command.
import { expect, test } from "vitest";
import { readConfig } from "../../../../../config/config.ts";
import { keptServers } from "../../../../local/network/agent-networks.ts";

const endpoints = (env: Record<string, string>) =>
  keptServers(readConfig({ HOME: "/home/me", ...env }), 3400).map(({ host, port }) => `${host}:${port}`);

test("orch and the servers of its models are always among them", () => {
  expect(endpoints({})).toEqual(["127.0.0.1:3400", "127.0.0.1:11434", "127.0.0.1:11434"]);
});

test("the database, the flow engine and every tool server are among them, each with its port", () => {
  const env = {
    ORCH_HOST: "0.0.0.0",
    ORCH_PUBLIC_HOST: "orch.example",
    AGENT_URL: "https://models.example",
    DATABASE_URL: "postgresql://orch:secret@db.example/orch",
    MCP_LAB_URL: "http://lab.example/mcp",
    FLOWENGINE_URL: "https://flow.example",
    FLOWENGINE_TOKEN: "t",
    FLOWENGINE_WORKSPACE: "lab",
    MCP_NOTES_URL: "http://[::1]:8770/mcp",
  };
  expect(endpoints(env)).toEqual([
    ...["0.0.0.0:3400", "127.0.0.1:11434", "models.example:443", "flow.example:443"],
    ...["lab.example:80", "[::1]:8770", "db.example:5432"],
  ]);
});

test("a database that is reached by a socket of the file system has no address", () => {
  expect(endpoints({ DATABASE_URL: "postgresql:///orch?host=/run/postgresql" })).toHaveLength(3);
});
