import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { secretsOf } from "../../../src/config/secrets.ts";

const HOME = { HOME: "/home/op" };
const TOKEN = "t".repeat(40);

test("the secrets are all tokens and all passwords in URLs, encoded and decoded", () => {
  const config = readConfig({
    ...HOME,
    DATABASE_URL: "postgres://orch:p%40ss-word@db/orch",
    ORCH_TOKEN: TOKEN,
    ORCH_APPROVER_TOKEN: "a".repeat(40),
    MCP_NOTES_URL: "https://user:url-password@notes",
    MCP_NOTES_TOKEN: "notes-token",
    ORCH_WEBHOOK_URL: "https://hooks/?token=hook-token",
    ORCH_WEBHOOK_SECRET: `whsec_${"k".repeat(32)}`,
    MCP_OPEN_URL: "https://open",
  });
  expect(secretsOf(config).toSorted()).toEqual(
    [
      TOKEN,
      "a".repeat(40),
      "notes-token",
      "p%40ss-word",
      "p@ss-word",
      "url-password",
      "hook-token",
      "k".repeat(32),
      `whsec_${"k".repeat(32)}`,
    ].toSorted(),
  );
  expect(secretsOf(readConfig(HOME))).toEqual([]);
});

test("secrets in parameters are known too, and a user name alone where it is a token, but not that of a database", () => {
  const config = readConfig({
    ...HOME,
    DATABASE_URL: "postgresql://orch@db/orch?password=db-password&sslmode=require",
    MCP_NOTES_URL: "https://only-a-token@notes/mcp",
    MCP_WIKI_URL: "https://wiki/mcp?api_key=key-in-query&page=2",
  });
  expect(secretsOf(config).toSorted()).toEqual(["db-password", "key-in-query", "only-a-token"].toSorted());
});
