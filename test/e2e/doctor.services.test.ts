// `orch doctor` on what orch uses: a routing model, tool servers and databases, each real or absent.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import { openDatabase } from "../../src/store/database.ts";
import { refuses, startOllama } from "../simulators/ollama/ollama.ts";
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
  const withOllama = async (model: string, options: ModelOptions = { names }) => {
    await using ollama = await startOllama(judges, 0, options);
    return await directory.checkOf("routing model", { ROUTING_MODEL: model, ROUTING_URL: `${ollama.base_url}/` });
  };

  test("works when Ollama has it", async () => {
    expect(await withOllama("small:1b")).toMatchObject({ state: "works" });
    expect(await withOllama("other")).toMatchObject({ state: "works" });
  });

  test("is broken when Ollama does not have it, or no server or another one answers", async () => {
    expect(await withOllama("large:70b")).toMatchObject({ state: "broken", fix: "ollama pull large:70b" });
    expect(await withOllama("small:1b", refuses(404, "<html>"))).toMatchObject({
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
    expect(await withOllama("small:1b", () => undefined)).toMatchObject({
      state: "broken",
      found: expect.stringContaining("no answer within"),
    });
    expect(performance.now() - begun).toBeLessThan(20_000);
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
    await database.connection.run({ sql: rename, args: [] });
    await database.close();
    expect(await directory.checkOf("database")).toMatchObject({
      state: "broken",
      found: expect.stringContaining("2999_later"),
    });
    const again = await openDatabase({ url: `file:${join(directory.state, "empty.db")}` });
    await again.connection.run({ sql: "DELETE FROM _prisma_migrations", args: [] });
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
