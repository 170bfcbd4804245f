// `orch doctor` on what orch uses: a routing model, tool servers and databases, each real or absent.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { ModelOptions } from "../simulators/ollama/model.ts";
import { answers, answersAfter, type Behaviour, refuses, startOllama } from "../simulators/ollama/ollama.ts";
import { runSql } from "../support/database.ts";
import { type DoctorDirectory, doctorDirectory } from "../support/doctor-directory.ts";
import { freePort } from "../support/free-port.ts";
import { startOrchProcess, TOKEN } from "../support/orch-process.ts";
import { postgres } from "../support/postgres.ts";
import { startSdkServer } from "../support/tool-server.ts";

let directory: DoctorDirectory;
beforeEach(async () => {
  directory = await doctorDirectory();
});
afterEach(() => directory[Symbol.asyncDispose]());

describe("the webhook", () => {
  const ORCH_WEBHOOK_SECRET = `whsec_${"A".repeat(32)}`;

  test("works when its receiver listens, which gets nothing, and is broken when nothing does", async () => {
    await using receiver = await startOllama(refuses(500, "unexpected"));
    const env = { ORCH_WEBHOOK_URL: `${receiver.base_url}/hook?token=hidden-token`, ORCH_WEBHOOK_SECRET };
    const { host } = new URL(receiver.base_url);
    expect(await directory.checkOf("webhook", env)).toMatchObject({
      state: "works",
      found: `a receiver listens at ${host}`,
    });
    const dead = {
      ORCH_WEBHOOK_URL: `http://127.0.0.1:${directory.unused_port}/?token=hidden-token`,
      ORCH_WEBHOOK_SECRET,
    };
    expect(await directory.checkOf("webhook", dead)).toMatchObject({
      state: "broken",
      found: `the receiver at 127.0.0.1:${directory.unused_port} cannot be reached (ECONNREFUSED)`,
    });
  });
});

describe("the routing model", () => {
  const names = ["small:1b", "other:latest"];
  const judges: Behaviour = (response, body) =>
    answers(body.includes("error_output") ? { error_type: "transient" } : { requires_approval: false })(response, body);
  const withOllama = async (
    model: string,
    options: ModelOptions = {},
    { behaviour = judges, env = {} }: { behaviour?: Behaviour; env?: Record<string, string> } = {},
  ) => {
    await using ollama = await startOllama(behaviour, 0, { names, ...options });
    const url = `${ollama.base_url}/`;
    return await directory.checkOf("routing model", { ROUTING_MODEL: model, ROUTING_URL: url, ...env });
  };

  test("works when Ollama has it, and says what it holds and how long it takes", async () => {
    const times =
      /; answers in [\d.]+ s cold, [\d.]+ s warm; ROUTING_TIMEOUT_MS is 10 s; context 16384 of 131072 tokens$/;
    expect(await withOllama("small:1b")).toMatchObject({ state: "works", found: expect.stringMatching(times) });
    expect(await withOllama("other")).toMatchObject({ state: "works" });
  });

  test("asks one question of each kind, of the context of the server: clients M5", async () => {
    await using ollama = await startOllama(judges);
    const env = { ROUTING_MODEL: "small:1b", ROUTING_URL: ollama.base_url };
    await directory.checkOf("routing model", env);
    await directory.checkOf("routing model", env).then((check) => expect(check?.found).not.toContain("cold"));
    expect(ollama.asked.map(({ body }) => body.includes("error_output"))).toEqual([true, false, true, false]);
    expect(ollama.model.loads).toEqual([16_384]);
    const shown = ollama.model.looks.filter(({ route }) => route === "/api/show");
    expect(shown.length, "once in each run, for questions and agents").toBe(2);
  });

  test.each<[string, ModelOptions, Behaviour | undefined, Record<string, string>, RegExp, RegExp]>([
    [
      "whose cold questions take longer than they may",
      { load_ms: 1_500 },
      undefined,
      { ROUTING_TIMEOUT_MS: "1400" },
      /answers in [\d.]+ s cold, [\d.]+ s warm; ROUTING_TIMEOUT_MS is 1\.4 s: (cold questions take their|every question takes its) fallback/,
      /ROUTING_TIMEOUT_MS/,
    ],
    [
      "whose warm questions take longer too",
      {},
      (response, body) =>
        answersAfter(60, body.includes("error_output") ? { error_type: "unknown" } : { requires_approval: false })(
          response,
          body,
        ),
      { ROUTING_TIMEOUT_MS: "50" },
      /ROUTING_TIMEOUT_MS is 0\.1 s: every question takes its fallback/,
      /^Raise ROUTING_TIMEOUT_MS/,
    ],
    [
      "that holds less than is set",
      { context_length: 2_048 },
      undefined,
      {},
      /its context holds 2048 tokens, and 8192 are needed/,
      /larger context/,
    ],
    [
      "that answers half",
      {},
      answers('{"error_'),
      {},
      /the error question had no usable answer \(not_json\); the approval question had no usable answer \(not_json\)/,
      /eval routing/,
    ],
  ])("takes its fallback with a model %s: clients M5", async (_title, options, behaviour, env, found, fix) => {
    const check = await withOllama("small:1b", options, { behaviour: behaviour ?? judges, env });
    expect(check).toMatchObject({
      state: "falls_back",
      found: expect.stringMatching(found),
      fix: expect.stringMatching(fix),
    });
  });

  test("is broken when Ollama does not have it, or no server or another one answers", async () => {
    expect(await withOllama("large:70b")).toMatchObject({ state: "broken", fix: "ollama pull large:70b" });
    const page = { "/api/tags": [404, "<html>"], "/api/show": [404, "<html>"] } as const;
    expect(await withOllama("small:1b", { routes: page })).toMatchObject({
      state: "broken",
      found: expect.stringMatching(/^another program than Ollama answers at http:\/\/127\.0\.0\.1:\d+ \(HTTP 404\)$/),
    });
    const dead = { ROUTING_MODEL: "small:1b", ROUTING_URL: `http://127.0.0.1:${directory.unused_port}` };
    expect(await directory.checkOf("routing model", dead)).toMatchObject({
      state: "broken",
      found: expect.stringContaining("cannot be reached"),
    });
  });

  test("is given up when it does not answer in time", async () => {
    const begun = performance.now();
    expect(await withOllama("small:1b", { routes: { "/api/tags": "is silent" } })).toMatchObject({
      state: "broken",
      found: expect.stringContaining("no answer within"),
    });
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe("the agent model", () => {
  const withOllama = async (options: ModelOptions, env: Record<string, string> = {}) => {
    await using ollama = await startOllama(answers("Done."), 0, options);
    return await directory.checkOf("agent model", { AGENT_MODEL: "agent:8b", AGENT_URL: ollama.base_url, ...env });
  };

  test("works when it can call tools and holds what is set", async () => {
    expect(await withOllama({})).toMatchObject({ state: "works", found: expect.stringContaining("16384 of 131072") });
  });

  test("is broken without tools, and falls back with less context than is set: clients M5", async () => {
    expect(await withOllama({ capabilities: ["completion"] })).toMatchObject({
      state: "broken",
      found: "agent:8b cannot call tools (it can do: completion): agent tasks end at once",
      fix: expect.stringContaining("AGENT_MODEL"),
    });
    expect(await withOllama({ context_length: 8_192 })).toMatchObject({
      state: "falls_back",
      found: expect.stringContaining("its context holds 8192 tokens, and 16384 are needed"),
    });
  });

  test("that is the routing model and has no tools is no fault: clients M5", async () => {
    const off = await withOllama({ capabilities: ["completion"] }, { ROUTING_MODEL: "agent:8b" });
    expect(off).toMatchObject({ state: "off", found: expect.stringContaining("cannot call tools") });
  });
});

describe("a tool server", () => {
  test("that answers works, and some of its tools are named", async () => {
    await using server = await startSdkServer();
    const check = await directory.checkOf("tool server notes", { MCP_NOTES_URL: server.url });
    expect(check).toMatchObject({ state: "works", found: "9 tools: add, set, create, turn, drop, ..." });
  });

  test("that answers is checked with this environment, and doctor says that a running server read its own", async () => {
    await using tools = await startSdkServer();
    const orch = await startOrchProcess({ data_dir: directory.path });
    const { port } = new URL(orch.url);
    const given = { HOME: directory.path, ORCH_DATA_DIR: directory.state, ORCH_PORT: port, ORCH_TOKEN: TOKEN };
    const checks = await doctor({ ...given, MCP_NOTES_URL: tools.url });
    expect(checks.find(({ name }) => name === "tool server notes")).toMatchObject({
      state: "works",
      found: expect.stringMatching(/^9 tools.*\nfrom this environment; the running server read its own/),
    });
    expect(checks.map(({ name }) => name)).not.toContain("tool servers");
    await orch.kill("SIGTERM");
  });

  test("that cannot be reached is broken, and its token is not shown", async () => {
    const url = `http://op:a-password-in-a-url@127.0.0.1:${await freePort()}/mcp`;
    const environment = { MCP_NOTES_URL: url, MCP_NOTES_TOKEN: "a-token-for-the-notes" };
    const checks = await directory.examine(environment);
    expect(checks.get("tool server notes")).toMatchObject({
      state: "broken",
      fix: expect.stringContaining("MCP_NOTES_URL and MCP_NOTES_TOKEN"),
    });
    expect(JSON.stringify([...checks])).not.toMatch(/a-password-in-a-url|a-token-for-the-notes/);
  });
});

describe("the database", () => {
  test("is reported when a SQLite file lacks changes, and broken when its version is newer", async () => {
    mkdirSync(directory.state, { mode: 0o700 });
    const url = `file:${join(directory.state, "orch.db")}`;
    const database = await openDatabase({ url });
    const rename = "UPDATE _prisma_migrations SET migration_name = '2999_later'";
    await runSql(database, rename);
    await database.close();
    expect(await directory.checkOf("database")).toMatchObject({
      state: "broken",
      found: expect.stringContaining("2999_later"),
    });
    const again = await openDatabase({ url: `file:${join(directory.state, "empty.db")}` });
    await runSql(again, "DELETE FROM _prisma_migrations");
    await again.close();
    const empty = { DATABASE_URL: `file:${join(directory.state, "empty.db")}` };
    expect(await directory.checkOf("database", empty)).toMatchObject({
      state: "falls_back",
      found: expect.stringContaining("needs"),
    });
  });

  test("that is not a database, or whose folder is missing, is broken", async () => {
    mkdirSync(directory.state, { mode: 0o700 });
    writeFileSync(join(directory.state, "orch.db"), "not a database at all, but a note ".repeat(40));
    expect(await directory.checkOf("database")).toMatchObject({
      state: "broken",
      found: expect.stringContaining("not a database"),
    });
    const nowhere = { DATABASE_URL: "file:/nonexistent/folder/orch.db" };
    expect(await directory.checkOf("database", nowhere)).toMatchObject({
      state: "broken",
      found: "there is no folder /nonexistent/folder",
    });
  });

  const server = postgres();
  afterAll(() => server?.stop());

  test.skipIf(server === null)("is reached on PostgreSQL, and not changed", async () => {
    const url = (await server?.createDatabase()) ?? "";
    expect(await directory.checkOf("database", { DATABASE_URL: url })).toMatchObject({
      state: "falls_back",
      found: expect.stringMatching(/^PostgreSQL \d+.*, needs \d+ migrations/),
    });
    expect(await directory.checkOf("database", { DATABASE_URL: url }), "nothing was made").toMatchObject({
      state: "falls_back",
    });
    const database = await openDatabase({ url, exclusive: true });
    const held = await directory.checkOf("database", { DATABASE_URL: url });
    expect(held).toMatchObject({ state: "broken", found: expect.stringContaining(`pid ${process.pid} on `) });
    await database.close();
    expect(await directory.checkOf("database", { DATABASE_URL: url })).toMatchObject({
      state: "works",
      found: expect.stringMatching(/^PostgreSQL \d+.*, up to date$/),
    });
  });

  test("is broken when PostgreSQL does not answer, and its password is not shown", async () => {
    const url = `postgresql://op:a-password-of-the-database@127.0.0.1:${await freePort()}/x`;
    const check = await directory.checkOf("database", { DATABASE_URL: url });
    expect(check).toMatchObject({ state: "broken", found: expect.stringContaining("cannot be reached") });
    expect(JSON.stringify(check)).not.toContain("a-password");
  });
});
