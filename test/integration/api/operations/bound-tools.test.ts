// An approval binds the tools that it covers as their servers define them; a promotion does so as well. A tool that says that it may
// destroy something is found by code.
import { describe, expect, test } from "vitest";
import type { ListedDefinition } from "../../../support/changing-tools.ts";
import { held } from "../../../support/held.ts";
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
type Opened = Awaited<ReturnType<typeof openWithMemory>>;
type Engine = Opened["engine"];
const opened = held(await openWithMemory());
({ engine, promoted, decide } = opened);

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

  test.each(SOME)("asks once, showing the difference: %s", async (name, tools) => {
    opened.memory.list(TOOLS);
    const version = await promoted(`tool-${name.replaceAll(" ", "-")}`, [deletes, DONE]);
    expect((await version.run()).task).toMatchObject({ status: "ok" });
    opened.memory.list(tools);
    const { task_id, task } = await version.run();
    expect(task).toMatchObject(ASKED);
    if (name === GONE) return;
    if (name === "another description")
      expect(task.outcome?.message).toContain(
        '- description: "Deletes one entry"\n+ description: "Deletes everything"',
      );
    expect(await decide(task_id, "approve")).toMatchObject({ status: "ok" });
    opened.memory.list(tools.toReversed());
    expect((await version.run()).task, "the order of the list does not matter").toMatchObject({ status: "ok" });
    expect(await evidenceFaults(engine, task_id)).toEqual([]);
  });
});

describe("promises 2.12: a tool that says that it is destructive", () => {
  const explain = async (
    service: string,
    categories: readonly string[],
    annotations: object = { destructiveHint: true },
  ) => {
    opened.memory.list([{ ...DELETE, annotations }, READ]);
    const constraints = { ...SCOPE.constraints, require_approval_for: categories };
    const over = { intent: "deploy", success_criteria: [], constraints, target: { service } };
    return engine.call("explain", { contract: engine.contract("x", over), steps: [deletes, DONE] });
  };

  test.each([
    [["deletes_data"], "deletes_data"],
    [["restarts_service", "deletes_data"], "deletes_data"],
    [["force_push"], "force_push"],
    [["removes something of value"], "removes something of value"],
    [["destructive operations"], "destructive operations"],
    [["reboots"], "reboots"],
  ])("is found by code under %j", async (categories, category) => {
    const { would, steps } = await explain(`destroys-${category.replaceAll(" ", "-")}`, categories);
    expect(would).toBe("ask");
    const says = expect.arrayContaining(["hint destructiveHint: true"]);
    expect(steps[0].tool).toMatchObject({ destructive: true, says });
    const reason = expect.stringContaining('"Deletes one entry"');
    expect(steps[0].findings).toMatchObject([{ code: "category.matched", category, reason }]);
  });

  test.each([
    ["an absent hint", {}, 0],
    ["a hint that it is not", { destructiveHint: false }, 0],
    ["null", { destructiveHint: null }, 0],
    ["a tool that only reads", { readOnlyHint: true }, 0],
    ["the text true beside that", { readOnlyHint: true, destructiveHint: "true" }, 1],
    ["1 beside that", { readOnlyHint: true, destructiveHint: 1 }, 1],
  ])("is left to the model unless the hint says so in any form: %s", async (_, annotations, found) => {
    expect((await explain("other-hints", ["deletes_data"], annotations)).steps[0].findings).toHaveLength(found);
  });
});
