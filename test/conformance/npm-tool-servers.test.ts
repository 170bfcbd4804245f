// Whole tasks with tool servers from npm, as they come and restarted, slow and without their answers.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpCall } from "../support/builders.ts";
import { type Engine, openEngine } from "../support/engine.ts";
import {
  hasChromium,
  startEverything,
  startFilesystem,
  startMemory,
  startPlaywright,
} from "../support/npm-tool-servers.ts";
import type { CallFate } from "../support/stdio-tool-server.ts";

const NAMES = ["memory", "files", "everything", "browser"];
const SCOPE = { constraints: { implicit_scope: NAMES, require_approval_for: [], max_minutes: 1 } };

let fate: CallFate = "passes";
let directory: string;
let engine: Engine;
const servers = new AsyncDisposableStack();
let memory: Awaited<ReturnType<typeof startMemory>>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-npm-"));
  memory = servers.use(await startMemory(directory, ({ name }) => (name === "create_entities" ? fate : "passes")));
  const files = servers.use(await startFilesystem(directory));
  const everything = servers.use(await startEverything());
  const browser = servers.use(await startPlaywright());
  const urls = [memory, files, everything, browser].map(({ url }, n) => [`MCP_${NAMES[n]?.toUpperCase()}_URL`, url]);
  engine = await openEngine({ env: Object.fromEntries(urls) });
}, 60_000);
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await servers.disposeAsync();
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
});

const call = (server: string, tool: string, args: object, expect?: object) =>
  mcpCall({ server, tool, arguments: args as never, ...(expect && { expect: expect as never }) });

async function taught(name: string, steps: readonly object[]) {
  await engine.run(name, { ...SCOPE, target: { service: name }, success_criteria: [] });
  return (await engine.call("teach", { task_id: name, steps, wait_seconds: 40 })).task;
}

const remembers = (name: string) => [
  call("memory", "create_entities", { entities: [{ name, entityType: "service", observations: ["it runs"] }] }),
  call("memory", "open_nodes", { names: [name] }, { path: "/entities/0/name", equals: name }),
];
const creations = (name: string) =>
  memory
    .calls()
    .filter(({ body }) => JSON.stringify(body.params).includes(`"create_entities"`))
    .filter(({ body }) => body.params.arguments.entities[0].name === name).length;

describe("the server of a memory, over stdio", () => {
  test("keeps what a step gives it, and its own answer is the check", async () => {
    expect(await taught("remembered", remembers("remembered"))).toMatchObject({ status: "ok" });
    expect(await readFile(join(directory, "memory.jsonl"), "utf8")).toContain("remembered");
  });

  test("T1: is called in a new session after a restart, and once", async () => {
    await memory.restart();
    expect(await taught("restarted", remembers("restarted"))).toMatchObject({ status: "ok" });
    await memory.restart();
    const version = await engine.plant("deploy", { service: "again" }, remembers("again") as never);
    expect(version).toBeDefined();
    const known = { ...SCOPE, target: { service: "again" }, delegation_mode: "known_only", success_criteria: [] };
    expect(await engine.run("again", known)).toMatchObject({ status: "ok" });
    // The refused call did not get to the tool.
    expect(creations("again")).toBeLessThanOrEqual(2);
    const kept = (await readFile(join(directory, "memory.jsonl"), "utf8")).split("\n");
    expect(kept.filter((line) => line.includes('"again"'))).toHaveLength(1);
  });

  test("is waited for where it is slow", async () => {
    fate = "is_late";
    expect(await taught("late", remembers("late"))).toMatchObject({ status: "ok" });
  });

  test("leaves its outcome unknown where its answer is lost, and is called once", async () => {
    fate = "is_lost";
    const task = await taught("lost", remembers("lost"));
    expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
    expect(creations("lost")).toBe(1);
    fate = "passes";
  });

  test("says what is wrong with its arguments in the first line that is quoted", async () => {
    const steps = [call("memory", "create_entities", { entities: "no list" }), remembers("x")[1] ?? {}];
    const task = await taught("wrong", steps);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
    expect(task.outcome.message).toMatch(/it said: ".*Invalid arguments for tool create_entities/);
  });
});

test("the server of files writes and reads", async () => {
  const path = join(directory, "note.txt");
  const steps = [
    call("files", "write_file", { path, content: "a note\n" }),
    call("files", "read_text_file", { path }, { path: "/content", contains: "a note" }),
  ];
  expect(await taught("file", steps)).toMatchObject({ status: "ok" });
  expect(await readFile(path, "utf8")).toBe("a note\n");
  await writeFile(path, "another\n");
  expect(await taught("file-again", steps)).toMatchObject({ status: "ok" });
});

test("the server with everything answers, and its sum is the check", async () => {
  const steps = [
    call("everything", "echo", { message: "größe" }),
    call("everything", "get-sum", { a: 2, b: 3 }, { contains: "5" }),
  ];
  expect(await taught("everything", steps)).toMatchObject({ status: "ok" });
});

describe("the server of a browser", () => {
  const PAGE = "data:text/html,<title>hi</title><p>Hello there";
  const visits = [
    call("browser", "browser_navigate", { url: PAGE }),
    call("browser", "browser_snapshot", {}, { contains: "Hello there" }),
  ];

  test.runIf(hasChromium)("opens a page, and its snapshot is the check", async () => {
    expect(await taught("browser", visits)).toMatchObject({ status: "ok" });
  });

  test("says that a page cannot be opened", async () => {
    const [, snapshot = {}] = visits;
    const task = await taught("no-page", [
      call("browser", "browser_navigate", { url: "http://127.0.0.1:9/" }),
      snapshot,
    ]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
  });
});
