// No secret leaves the server: not in an answer, a log line, the journal, the evidence, a checkpoint or the environment of
// a command, even when a step prints the token file and the routing model's address holds a password.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { contractBody } from "../../support/builders.ts";
import { type Answer, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { postgres } from "../../support/postgres.ts";
import { databaseIn, startServer } from "./sound-server.ts";

const APPROVER = "approver-secret-0123456789-abcdefghijklm";
const DATABASE_PASSWORD = "database-secret-0123456789";
const ROUTING_PASSWORD = "routing-secret-0123456789";
const TOOL_TOKEN = "tool-server-secret-0123456789";
const SECRETS = [TOKEN, APPROVER, DATABASE_PASSWORD, ROUTING_PASSWORD, TOOL_TOKEN];

const ENVIRONMENT = {
  // Empty is not set: the token is in its file.
  ORCH_TOKEN: "",
  ORCH_APPROVER_TOKEN: APPROVER,
  ROUTING_MODEL: "nobody-serves-it",
  ROUTING_URL: `http://gate:${ROUTING_PASSWORD}@127.0.0.1:9`,
  MCP_NOTES_URL: "http://127.0.0.1:9/mcp",
  MCP_NOTES_TOKEN: TOOL_TOKEN,
};

const STEPS = [
  { kind: "cmd", value: 'env | tee "$HOME/environment-of-a-step"' },
  { kind: "cmd", value: 'cat "$HOME/state/token"; base64 -w0 "$HOME/state/token"' },
  { kind: "cmd", value: 'echo "refused: Bearer $(cat "$HOME/state/token")" >&2; exit 3' },
  { kind: "check", value: "true" },
];

const TABLES = ["task", "journal_event", "sop", "approval", "checkpoint", "checkpoint_blob", "checkpoint_write"];

/** Every row of every table; bytes as the text they hold. */
async function rowsOf(url: string): Promise<string> {
  const database = await openDatabase({ url });
  const rows = await Promise.all(TABLES.map((table) => database.query({ sql: `SELECT * FROM ${table}`, args: [] })));
  await database.close();
  return JSON.stringify(rows, (_key, held: unknown) =>
    held instanceof Uint8Array ? Buffer.from(held).toString("latin1") : held,
  );
}

/** Every file below, except the one where the token belongs. */
const filesIn = (directory: string): [string, string][] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile() && path !== join(directory, "state", "token"))
    .map((path) => [path, readFileSync(path, "latin1")]);

function expectNoSecret(where: string, text: string): void {
  for (const secret of SECRETS) {
    const encoded = Buffer.from(secret).toString("base64").replace(/.{4}$/, "");
    for (const form of [secret, encodeURIComponent(secret), encoded]) {
      expect(text.includes(form), `${where} holds ${secret}`).toBe(false);
    }
  }
}

async function expectNoLeak(database_url: string | null): Promise<void> {
  await using directory = await temporaryDirectory();
  const data_dir = directory.path;
  mkdirSync(join(data_dir, "state"), { mode: 0o700 });
  writeFileSync(join(data_dir, "state", "token"), `${TOKEN}\n`, { mode: 0o600 });
  const env = database_url === null ? ENVIRONMENT : { ...ENVIRONMENT, DATABASE_URL: database_url };
  const orch = await startServer({ data_dir, env });
  const said: string[] = [];
  const ask = async (method: string, path: string, sent?: object, token = TOKEN): Promise<Answer["body"]> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const answer = await fetch(orch.url + path, { method, headers, ...body });
    said.push(JSON.stringify([...answer.headers]) + (await answer.clone().text()));
    return answer.json();
  };

  const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
  await ask("POST", "/v1/tasks", contractBody({ constraints, wait_seconds: 30 }));
  await ask("POST", "/v1/teach", { task_id: "t-1", steps: STEPS, wait_seconds: 30 });
  await ask("POST", "/v1/approve", { decision: "approve" });
  const paused = await rowsOf(database_url ?? `file:${databaseIn(data_dir)}`);
  const decided = await ask("POST", "/v1/approve", { decision: "approve", wait_seconds: 30 }, APPROVER);
  expect(decided.task).toMatchObject({ status: "failed", outcome: { step_index: 2 } });
  await ask("GET", "/v1/tasks", undefined, `${TOKEN}x`);
  await ask("POST", "/v1/tasks", { Authorization: 1 });
  for (const path of ["/v1/tasks", "/v1/approvals", "/v1/messages", "/openapi.json"]) await ask("GET", path);

  const evidence = await ask("GET", "/v1/tasks/t-1/evidence");
  expect(evidence.gate_answers.map(({ question }: { question: string }) => question)).toContain("error");
  expect(evidence.step_results[1].stdout, "what the step printed was taken out").toMatch(
    /^\[redacted\]\n.*\[redacted\]/,
  );
  expect(evidence.step_results[2].stderr).toContain("refused: Bearer [redacted]");
  expect(readFileSync(join(data_dir, "environment-of-a-step"), "utf8")).not.toMatch(/TOKEN|DATABASE|ROUTING|MCP_/);

  expect(paused, "a checkpoint was there to be looked at").toContain("request_approval");
  const rows = await rowsOf(database_url ?? `file:${databaseIn(data_dir)}`);
  for (const [where, text] of filesIn(data_dir)) expectNoSecret(where, text);
  expect(await orch.kill("SIGTERM")).toBe(0);
  for (const [where, text] of filesIn(data_dir)) expectNoSecret(where, text);
  expectNoSecret("an answer", said.join("\n"));
  expectNoSecret("the output", orch.output());
  expectNoSecret("the database", paused + rows);
}

describe("no secret is anywhere but in its place", () => {
  test("with the embedded database", () => expectNoLeak(null));

  const server = postgres();
  afterAll(() => server?.stop());
  test.skipIf(server === null)("with PostgreSQL and a password", async () => {
    const url = new URL((await server?.createDatabase()) ?? "");
    url.password = DATABASE_PASSWORD;
    await expectNoLeak(url.href);
  });
});
