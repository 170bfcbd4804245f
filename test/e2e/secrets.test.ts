// No secret leaves the server: not in the environment of a command, an answer, a log line, a file of the database or a
// request to the routing model, though steps print every secret they find. An uncontained step can read the environment
// of the server; its output is still redacted.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import type { Step } from "../../src/domain/step.ts";
import { answers, startOllama } from "../simulators/ollama/ollama.ts";
import { check, cmd, contractBody } from "../support/builders.ts";
import { type Answer, type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { postgres } from "../support/postgres.ts";
import { startEchoServer } from "./secrets/echo-server.ts";
import { CALLING, FAILING, PRINTING } from "./secrets/steps.ts";
import { expectNoTrace, filesIn, rowsOf } from "./secrets/traces.ts";

const TOKEN = "Tk9n+main/Zq0Wv3rT~6yUi8oPaSdFgHjKl.w=";
const SECRETS = {
  token: TOKEN,
  approver: "Ap7rover-Xc4vBn6mQw8eRt1yUi3oPaSd5fGh",
  tool: "To0l-Lk9jHg7fDs5aPo3iUy1tRe8wQm6nBv4cX",
  in_address: "Ad5ress=Zx2cVb4nMa6sDf8gHj0kLq1wEr3tYu",
  engine: "En4gine/Bn7mVc2xZa9sDf5gHj1kLq6wErTyUi",
  webhook: "whsec_V2ViaG9va1NlY3JldFdlYmhvb2tTZWNyZXQh",
  database: "Da8base.Qa1zWs2xEd3cRf4vTg5bYh6nUj7mIk",
  in_parameter: "Ro6ting_Pl0oKi9jUh8yGt7fRd6eSw5aQz4xCv",
};
/** Not in the server's configuration: recognized by its format. */
const KEY_LINE = "Mi1EvQpLkJhGfDsAzXcVbNm0QwErTyUi";
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${KEY_LINE}\n`.repeat(40)}-----END PRIVATE KEY-----\n`;

const ENVIRONMENT = {
  // Empty counts as not set: the token is in its file.
  ORCH_TOKEN: "",
  ORCH_APPROVER_TOKEN: SECRETS.approver,
  MCP_NOTES_URL: `http://orch:${encodeURIComponent(SECRETS.in_address)}@127.0.0.1:9/mcp`,
  MCP_NOTES_TOKEN: SECRETS.tool,
  FLOWENGINE_URL: "http://127.0.0.1:9",
  FLOWENGINE_TOKEN: SECRETS.engine,
  FLOWENGINE_WORKSPACE: "lab",
  ORCH_WEBHOOK_URL: "http://127.0.0.1:9/hook",
  ORCH_WEBHOOK_SECRET: SECRETS.webhook,
};
const WITH_PARAMETER = {
  ROUTING_MODEL: "nobody-serves-it",
  ROUTING_URL: "http://127.0.0.1:9",
  MCP_WIKI_URL: `http://127.0.0.1:9/mcp?api_key=${SECRETS.in_parameter}`,
};

const NOT_THE_SERVERS = ["vault", "key", join("state", "token")];

/** Writes the token file, and a vault with the server's secrets for steps to print. */
function furnish(home: string, secrets: Readonly<Record<string, string>>): void {
  mkdirSync(join(home, "state"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "state", "token"), `${TOKEN}\n`, { mode: 0o600 });
  writeFileSync(join(home, "key"), KEY);
  mkdirSync(join(home, "vault"), { recursive: true });
  // Steps do not see the file of the token itself.
  writeFileSync(join(home, "vault", "token"), `${TOKEN}\n`);
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(home, "vault", name), `${value}\n`);
}

/** Requires an approval for everything, and calls every error unknown. */
const startModel = () =>
  startOllama((response, body) => {
    const asksForCategory = body.includes("categories\\");
    const answer = asksForCategory
      ? { requires_approval: true, matched_category: "writes" }
      : { error_type: "unknown" };
    return answers(answer)(response, body);
  });

/** Sends requests to the server, and keeps every answer. */
function asker({ url }: OrchProcess, heard: string[]) {
  return async (path: string, sent?: object, token = TOKEN): Promise<Answer> => {
    const method = sent === undefined ? "GET" : "POST";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const answer = await fetch(url + path, { method, headers, ...body });
    const text = await answer.text();
    heard.push(JSON.stringify([...answer.headers]), text);
    return { status: answer.status, body: JSON.parse(text) };
  };
}
type Ask = ReturnType<typeof asker>;

/** Submits, teaches, approves, requests every view of the task, and returns its evidence. */
async function runTask(ask: Ask, contract: Record<string, unknown>, steps: readonly Step[]): Promise<Answer["body"]> {
  let { task_id, status } = (await ask("/v1/tasks", { ...contractBody(contract), wait_seconds: 30 })).body;
  if (status === "need_input") {
    const taught = await ask("/v1/teach", { task_id, steps, wait_seconds: 30 });
    status = taught.body.task.status;
  }
  await ask("/v1/approvals");
  if (status === "need_approval") {
    expect((await ask("/v1/approve", { task_id, decision: "approve" })).status, "not with this token").toBe(403);
    await ask("/v1/approve", { task_id, decision: "approve", wait_seconds: 50 }, SECRETS.approver);
  }
  for (const path of ["", "/evidence"]) await ask(`/v1/tasks/${task_id}${path}`);
  for (const path of ["/v1/tasks", "/v1/sops", "/v1/messages", "/v1/approvals"]) await ask(path);
  return (await ask(`/v1/tasks/${task_id}/evidence`)).body;
}

/** Sends invalid requests: no answer may repeat a secret. */
async function misbehave(ask: Ask): Promise<void> {
  await ask("/v1/tasks", undefined, `${TOKEN}x`);
  await ask("/v1/tasks", { Authorization: 1 });
  await ask("/v1/tasks/t-none");
  await ask("/v1/nothing");
  await ask("/openapi.json");
  await ask("/healthz");
  await ask("/readyz");
}

const printed = (evidence: Answer["body"]): string[] =>
  evidence.step_results.map(({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr);

function expectPrinted(evidence: Answer["body"]): void {
  expect(evidence.status, JSON.stringify(evidence.outcome)).toBe("ok");
  const texts = printed(evidence);
  for (const [index, text] of texts.entries()) {
    if (index === 0 || index === 1 || index === 2 || index === texts.length - 1) continue;
    expect(text, PRINTING[index]?.kind).toContain("[redacted]");
  }
  // The step prints the server's environment where it can read it.
  if (texts[2]?.includes("\nORCH_DATA_DIR=")) expect(texts[2]).toContain("\nORCH_APPROVER_TOKEN=[redacted]\n");
  for (const text of texts.slice(8, 10)) {
    expect(text).toMatch(/^x{32748}\[redacted\]\n\[\.\.\. \d+ bytes left out \.\.\.\]\n(\[redacted\]\n?)?x+$/);
  }
}

async function expectNoLeak(database_url: string | null): Promise<void> {
  await using directory = await temporaryDirectory();
  await using model = await startModel();
  await using teller = await startEchoServer();
  const home = directory.path;
  const url = database_url ?? `file:${join(home, "state", "orch.db")}`;
  const { in_parameter, database, ...always } = SECRETS;
  const tools = { MCP_TELLER_URL: teller.url, MCP_TELLER_TOKEN: SECRETS.tool };
  const base = { ...ENVIRONMENT, ...tools, ...(database_url !== null && { DATABASE_URL: database_url }) };
  const heard: string[] = [];
  const kept: string[] = [];

  const rounds = [
    { env: { ROUTING_MODEL: "small:1b", ROUTING_URL: model.base_url }, secrets: always },
    { env: WITH_PARAMETER, secrets: { ...always, in_parameter } },
  ];
  for (const [round, { env, secrets }] of rounds.entries()) {
    furnish(home, database_url === null ? secrets : { ...secrets, database });
    const orch = await startOrchProcess({ data_dir: home, env: { ...base, ...env } });
    const ask = asker(orch, heard);
    const of = (name: string) => ({ task_id: `${name}-${round}`, target: { service: `${name}-${round}` } });
    const cautious = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
    expectPrinted(await runTask(ask, { ...of("printing"), constraints: cautious }, PRINTING));
    kept.push(await rowsOf(url));
    const failed = await runTask(ask, of("failing"), FAILING);
    expect(failed).toMatchObject({ status: "failed", outcome: { step_index: 0 } });
    expect(failed.gate_answers.at(-1)).toMatchObject({ question: "error", model: env.ROUTING_MODEL });
    const scope = { implicit_scope: ["teller"], require_approval_for: [], max_minutes: 1 };
    const called = await runTask(ask, { ...of("calling"), constraints: scope }, CALLING);
    expect(called, JSON.stringify(called.outcome)).toMatchObject({ status: "failed", outcome: { step_index: 1 } });
    for (const text of printed(called)) expect(text).toContain("[redacted]");
    await misbehave(ask);
    kept.push(await rowsOf(url), ...filesIn(home, NOT_THE_SERVERS).map(([path, text]) => `${path}\n${text}`));
    expect(await orch.kill("SIGTERM"), orch.output()).toBe(0);
    kept.push(orch.output(), ...filesIn(home, NOT_THE_SERVERS).map(([path, text]) => `${path}\n${text}`));
  }

  const secrets = [...Object.values(SECRETS), KEY_LINE];
  expect(model.asked.length, "the model was asked about every step and a failed command").toBe(PRINTING.length + 1);
  expectNoTrace("a question to the model", JSON.stringify(model.asked), secrets);
  expectNoTrace("an answer", heard.join("\n"), secrets);
  for (const text of kept) expectNoTrace(text.slice(0, 80), text, secrets);
  const environment = readFileSync(join(home, "environment-of-a-step"), "utf8");
  expect(environment).toContain("ORCH_TASK_ID=printing-1");
  expect(environment).not.toMatch(/TOKEN|DATABASE|ROUTING|MCP_/);
}

describe("no secret is outside its own file", () => {
  test("with the embedded database", () => expectNoLeak(null));

  const server = postgres();
  afterAll(() => server?.stop());
  test.skipIf(server === null || process.env["ORCH_TESTS"] !== "all")("with PostgreSQL and a password", async () => {
    const url = new URL((await server?.createDatabase()) ?? "");
    url.password = SECRETS.database;
    await expectNoLeak(url.href);
  });
});

/** The events that quote the contract or its steps. No other event may hold a text that the caller sent. */
const QUOTING = ["gate_answered", "policy_judged", "reported", "task_accepted", "taught", "verdict_reached"];

test("a secret in a request is stored as it was sent, and redacted in what comes from it", async () => {
  await using directory = await temporaryDirectory();
  await using model = await startModel();
  const home = directory.path;
  furnish(home, {});
  const orch = await startOrchProcess({
    data_dir: home,
    env: { ...ENVIRONMENT, ROUTING_MODEL: "small:1b", ROUTING_URL: model.base_url, LOG_LEVEL: "debug" },
  });
  const ask = asker(orch, []);
  const told = SECRETS.approver;
  const contract = {
    task_id: told,
    requested_by: told,
    success_criteria: [told],
    payload: { told },
    target: { service: told },
    constraints: { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 },
  };
  const steps = [
    cmd(`echo ${told}; env; printf '%s' "$ORCH_PAYLOAD" | base64`),
    cmd(`echo "$ORCH_TARGET_SERVICE ${told}" >&2; ${told}`),
    check("test -d /"),
  ];
  const evidence = await runTask(ask, contract, steps);
  expect(evidence).toMatchObject({ status: "failed", contract, outcome: { step_index: 1 } });
  expectNoTrace("a step's output", JSON.stringify(evidence.step_results), [told]);
  expectNoTrace("a question to the model", JSON.stringify(model.asked), [told]);
  const events: { kind: string; body: unknown }[] = evidence.journal;
  const holding = events.filter(({ body }) => JSON.stringify(body).includes(told)).map(({ kind }) => kind);
  expect([...new Set(holding)].sort()).toEqual(QUOTING);
  await withFailingStore(home, `no luck with ${told}`, async () => {
    const { status, body } = await ask("/v1/tasks", contractBody({ task_id: "t-2" }));
    expect(status).toBe(503);
    expectNoTrace("the answer to an unexpected error", JSON.stringify(body), [told]);
  });
  expect(await orch.kill("SIGTERM")).toBe(0);
  expect(orch.output()).toContain("no luck with [redacted]");
  expectNoTrace("the log", orch.output(), [told]);
});

/** While `work` runs, the store refuses every new task with this message. */
async function withFailingStore(home: string, message: string, work: () => Promise<void>): Promise<void> {
  // The running server may hold the write lock.
  const database = new DatabaseSync(join(home, "state", "orch.db"), { timeout: 15_000 });
  database.exec(`CREATE TRIGGER fails BEFORE INSERT ON task BEGIN SELECT RAISE(ABORT, '${message}'); END`);
  await work();
  database.exec("DROP TRIGGER fails");
  database.close();
}
