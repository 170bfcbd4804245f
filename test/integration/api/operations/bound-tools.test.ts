// An approval binds the tools that it covers as their servers define them; a promotion does so as well. A tool that says that it may
// destroy something is found by code.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedDefinition } from "../../../support/changing-tools.ts";
import {
  ASKED,
  DELETE,
  DONE,
  deletes,
  evidenceFaults,
  OTHER,
  openWithMemory,
  READ,
  SCOPE,
  TOOLS,
} from "../../../support/promoted-version.ts";

let engine: Engine;
let promoted: Opened["promoted"];
let decide: Opened["decide"];
let opened: Opened;
type Opened = Awaited<ReturnType<typeof openWithMemory>>;
type Engine = Opened["engine"];
beforeAll(async () => {
  opened = await openWithMemory();
  ({ engine, promoted, decide } = opened);
});
afterAll(() => opened[Symbol.asyncDispose]());

const GONE = "no such tool any more";
const CHANGES: readonly (readonly [string, readonly ListedDefinition[]])[] = [
  ["another description", [{ ...DELETE, description: "Deletes everything" }, READ]],
  ["one invisible character in the description", [{ ...DELETE, description: "Deletes one\u200b entry" }, READ]],
  [
    "a new required field",
    [
      { ...DELETE, inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id", "force"] } },
      READ,
    ],
  ],
  ["a destructive hint", [{ ...DELETE, annotations: { destructiveHint: true } }, READ]],
  ["a hint that it only reads", [{ ...DELETE, annotations: { readOnlyHint: true } }, READ]],
  ["another title", [{ ...DELETE, title: "Delete all" }, READ]],
  ["an output schema", [{ ...DELETE, outputSchema: { type: "object" } }, READ]],
  ["a second tool of the same name", [DELETE, { ...DELETE, description: "Deletes all" }, READ]],
  [GONE, [READ]],
];

const SAME: readonly (readonly [string, readonly ListedDefinition[]])[] = [
  ["another order of the list", [READ, DELETE]],
  ["other tools beside it", [{ ...OTHER, name: "third" }, READ, DELETE]],
  [
    "another order of the keys",
    [
      {
        inputSchema: { required: ["id"], properties: { id: { type: "string" } }, type: "object" },
        description: "Deletes one entry",
        name: "delete",
      },
      READ,
    ],
  ],
  ["another description of another tool", [DELETE, READ, { ...OTHER, description: "Others" }]],
  ["icons", [{ ...DELETE, icons: [{ src: "data:," }] }, READ]],
];

const ASKS = { safety_level: "approval_required" };
const calls = () => opened.memory.calls().filter(({ body }) => body.params.name === "delete").length;

describe("promises 2.11: a tool whose definition changes between the question and the yes", () => {
  async function asked(task_id: string, before: readonly object[] = []) {
    opened.memory.list(TOOLS);
    const target = engine.targetOf(task_id);
    await engine.run(task_id, { intent: "deploy", success_criteria: [], ...SCOPE, target });
    await engine.call("teach", { task_id, steps: [...before, deletes, DONE], ...ASKS });
    const { content } = await engine.approvalOf(task_id);
    return content;
  }

  test.each(CHANGES)("is not called: %s", async (name, tools) => {
    const task_id = `stale-${name.replaceAll(" ", "-")}`;
    await asked(task_id);
    const before = calls();
    opened.memory.list(tools);
    const task = await decide(task_id, "approve");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(task.outcome?.message).toContain("memory.delete has changed");
    expect(calls()).toBe(before);
  });

  test.each(SAME)("is called: %s", async (name, tools) => {
    const task_id = `same-${name.replaceAll(" ", "-")}`;
    await asked(task_id);
    opened.memory.list(tools);
    expect(await decide(task_id, "approve")).toMatchObject({ status: "ok" });
  });

  test("is not called where it changes while an earlier step of the approved plan runs", async () => {
    await asked("meanwhile", [engine.holding("meanwhile")]);
    const before = calls();
    const decided = decide("meanwhile", "approve");
    await engine.begun("meanwhile");
    opened.memory.list([{ ...DELETE, description: "Deletes everything" }, READ]);
    engine.letGo("meanwhile");
    const stale = { status: "blocked", outcome: { reason_code: "approval_stale", step_index: 1 } };
    expect(await decided).toMatchObject(stale);
    expect(calls()).toBe(before);
  });

  test("is not called where its server gives no list any more", async () => {
    await asked("unlisted");
    opened.memory.list(null);
    const task = await decide("unlisted", "approve");
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "tool_list_unread" } });
  });

  test("is shown in the server's own words, shortened, and without invisible characters", async () => {
    opened.memory.list([{ ...DELETE, description: `Deletes\u202e one\n${"x".repeat(5_000)}` }, READ]);
    const target = engine.targetOf("words");
    await engine.run("words", { intent: "deploy", success_criteria: [], ...SCOPE, target });
    await engine.call("teach", { task_id: "words", steps: [deletes, DONE], ...ASKS });
    const { content } = await engine.approvalOf("words");
    const [tool] = content.tools;
    expect(tool).toMatchObject({ server: "memory", tool: "delete", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(tool.says[0]).toMatch(/^description: "Deletes\\u\{202e\} one\\nx/);
    expect(tool.says[0].length).toBeLessThan(700);
    expect(tool.says).toContain('input id (required): {"type":"string"}');
  });
});

describe("promises 2.11: a tool whose definition changes after the promotion", () => {
  // The same digest decides as above.
  const SOME = CHANGES.filter(([name]) => ["another description", "a destructive hint", GONE].includes(name));

  test.each(SOME)("asks once: %s", async (name, tools) => {
    opened.memory.list(TOOLS);
    const version = await promoted(`tool-${name.replaceAll(" ", "-")}`, [deletes, DONE]);
    expect((await version.run()).task).toMatchObject({ status: "ok" });
    opened.memory.list(tools);
    const { task_id, task } = await version.run();
    expect(task).toMatchObject(ASKED);
    if (name === GONE) return;
    expect(await decide(task_id, "approve")).toMatchObject({ status: "ok" });
    expect((await version.run()).task).toMatchObject({ status: "ok" });
    expect(await evidenceFaults(engine, task_id)).toEqual([]);
  });

  test("does not ask where only the list has another order", async () => {
    opened.memory.list(TOOLS);
    const version = await promoted("tool-same", [deletes, DONE]);
    opened.memory.list([READ, DELETE]);
    expect((await version.run()).task).toMatchObject({ status: "ok" });
  });

  test("shows the difference", async () => {
    opened.memory.list(TOOLS);
    const version = await promoted("tool-difference", [deletes, DONE]);
    opened.memory.list([{ ...DELETE, description: "Deletes everything" }, READ]);
    const { task } = await version.run();
    expect(task.outcome?.message).toContain('- description: "Deletes one entry"\n+ description: "Deletes everything"');
  });
});

describe("promises 2.12: a tool that says that it is destructive", () => {
  const DESTROYS = [{ ...DELETE, annotations: { destructiveHint: true } }, READ];
  const contract = (categories: readonly string[]) => ({
    intent: "deploy",
    success_criteria: [],
    constraints: { ...SCOPE.constraints, require_approval_for: categories },
  });

  test.each([
    [["deletes_data"], "deletes_data"],
    [["restarts_service", "deletes_data"], "deletes_data"],
    [["force_push"], "force_push"],
    [["removes something of value"], "removes something of value"],
    [["destructive operations"], "destructive operations"],
    [["reboots"], "reboots"],
  ])("is found by code under %j", async (categories, category) => {
    opened.memory.list(DESTROYS);
    const steps = [deletes, DONE];
    const given = contract(categories);
    const target = { service: `destroys-${category.replaceAll(" ", "-")}` };
    const explained = await engine.call("explain", { contract: engine.contract("x", { ...given, target }), steps });
    expect(explained.would).toBe("ask");
    expect(explained.steps[0].tool).toMatchObject({
      destructive: true,
      says: expect.arrayContaining(["hint destructiveHint: true"]),
    });
    expect(explained.steps[0].findings).toMatchObject([{ code: "category.matched", category }]);
    expect(explained.steps[0].findings[0].reason).toContain('"Deletes one entry"');
  });

  test.each([
    ["an absent hint", {}],
    ["a hint that it is not", { destructiveHint: false }],
    ["null", { destructiveHint: null }],
    ["a tool that only reads", { readOnlyHint: true }],
  ])("is left to the model: %s", async (_, annotations) => {
    opened.memory.list([{ ...DELETE, annotations }, READ]);
    const target = { service: "not-destroying" };
    const { steps } = await engine.call("explain", {
      contract: engine.contract("x", { ...contract(["deletes_data"]), target }),
      steps: [deletes, DONE],
    });
    expect(steps[0].findings).toEqual([]);
  });

  test.each([
    ["the text true", "true"],
    ["1", 1],
  ])("counts also where the hint is %s", async (_, destructiveHint) => {
    opened.memory.list([{ ...DELETE, annotations: { readOnlyHint: true, destructiveHint } }, READ]);
    const { would } = await engine.call("explain", {
      contract: engine.contract("x", { ...contract(["deletes_data"]), target: { service: "odd" } }),
      steps: [deletes, DONE],
    });
    expect(would).toBe("ask");
  });
});
