// Trials of skills by orch skill test: each finds what is wrong, and says what to do.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSkillCommands } from "../support/skill-commands.ts";

let commands: Awaited<ReturnType<typeof openSkillCommands>>;
beforeAll(async () => {
  commands = await openSkillCommands();
});
afterAll(() => commands[Symbol.asyncDispose]());
const orch = (...args: string[]) => commands.orch(...args);
const changed = (...of: Parameters<typeof commands.changed>) => commands.changed(...of);

const TOOLS = `import type { SkillTool } from "orch/agent-ports";
import { z } from "zod";
export const TOOLS: readonly SkillTool[] = [
  { name: "look", description: "Looks.", parameters: z.object({ a: z.number() }), scope: "tooled", effect: "reads",
    run: async (_ctx, { a }: { a: number }) => ({ b: a + 1 }) },
];
`;

test("a new skill passes its test as it is, outside of the checkout", async () => {
  expect(await orch("new", "water-plants")).toMatchObject({ exit: 0 });
  const tried = await orch("test", "water-plants");
  expect(tried.out).not.toContain("FAILED");
  expect(tried.out).toMatch(/^ok {6}stopped after commit \d+ \(step "set two" begun\), it ends as if it had not been/m);
  expect(tried.out).toMatch(/^ok {6}stopped when call 2 that changes something \(water_plants\.set\) is done and not/m);
  expect(tried).toMatchObject({ exit: 0, err: expect.stringMatching(/^\d\d ok, 0 FAILED\n$/) });
}, 240_000);

describe("the test of a skill", () => {
  test("says what was expected, what was found and what to do, and prints what the skill prints", async () => {
    await changed("wrong", {
      "handler.ts": (text) =>
        text
          .replace("  const { success, data, error }", '  console.log("it begins");\n  const { success, data, error }')
          .replace('code: "items_set"', 'code: "all_set"'),
    });
    const { exit, out } = await orch("test", "wrong");
    expect(exit).toBe(1);
    expect(out).toMatch(/^FAILED {2}a task ends as expected\n {8}expected {2}ok items_set\n {8}found {5}ok all_set: /m);
    expect(out).toMatch(
      /^ {8}to do {5}Correct the handler, or `task` and `code` in test\.ts\. Stops and cancellations are not tried until it does\.\n {8}printed {3}it begins$/m,
    );
    expect(out).not.toMatch(/after commit|when call/);
  }, 120_000);

  test("finds a change before the approval, and a tool that no case uses", async () => {
    const early = 'await ctx.step("early", () => ctx.call("hasty", "set", { item: "early" }));\n  const details';
    await changed("hasty", {
      "handler.ts": (text) => text.replace("const details", early),
      "test.ts": (text) =>
        text.replace('changes: ["one is set", "two is set"]', 'changes: ["early is set", "one is set", "two is set"]'),
      "tools.ts": () => TOOLS,
    });
    const { exit, out } = await orch("test", "hasty");
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^FAILED {2}a rejected task changes nothing\n {8}expected {2}no change\n {8}found {5}"early is set"/m,
    );
    expect(out).toMatch(/^FAILED {2}the tool look\n {8}expected {2}a use of it/m);
  }, 120_000);

  test("compares what a task asks and gives where its test.ts says it", async () => {
    await changed("gives", {
      "handler.ts": (text) =>
        text
          .replace('code: "items_set",', 'code: "items_set", result: { set: data.items },')
          .replace(
            "  const details",
            '  if (data.items[0] === "none") return { status: "ok", code: "none", message: "None." };\n  const details',
          ),
      "test.ts": (text) =>
        text
          .replace("asks: true,", 'asks: true,\n  result: { set: ["one"] },')
          .replace(
            "cases: [",
            `cases: [
    { title: "it asks", task: {}, asks: false, status: "ok", code: "items_set", changes: ["one is set", "two is set"] },
    { title: "it asks not", task: { payload: { items: ["none"] } }, asks: true, status: "ok", code: "none", changes: [] },
    { title: "it gives", task: { payload: { items: ["{{directory}}"] } }, asks: true, result: { set: ["{{directory}}"] },
      status: "ok", code: "items_set", changes: [] },
    { title: "it gives nothing", task: { payload: { items: ["none"] } }, asks: false, result: null, status: "ok", code: "none", changes: [] },`,
          )
          .replace("if (!done.has(item)) changed", 'if (!done.has(item) && !item.startsWith("/")) changed'),
    });
    const { exit, out } = await orch("test", "gives");
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^FAILED {2}a task ends as expected\n {8}expected {2}\{"set":\["one"\]\}\n {8}found {5}\{"set":\["one","two"\]\}\n {8}to do {5}Correct the handler, or `result`/m,
    );
    expect(out).toMatch(/^FAILED {2}it asks\n {8}expected {2}no approval\n {8}found {5}an approval\n/m);
    expect(out).toMatch(/^FAILED {2}it asks not\n {8}expected {2}an approval\n {8}found {5}no approval\n/m);
    expect(out).toMatch(/^ok {6}it gives {2}/m);
    expect(out).toMatch(/^ok {6}it gives nothing {2}/m);
  }, 60_000);

  test("uses the tools for agents as its test.ts says", async () => {
    await changed("tooled", {
      "test.ts": (text) =>
        text
          .replace('code: "items_set"', 'code: "another"')
          .replace(
            "asks: true,",
            'asks: true,\n  tools: [{ tool: "look", given: { a: 1 }, gives: { b: 2 } }, { tool: "look", given: {}, fails: true }],',
          ),
      "tools.ts": () => TOOLS,
    });
    const { out } = await orch("test", "tooled");
    expect(out).toMatch(/^ok {6}the tool look \{"a":1\}/m);
    expect(out).toMatch(/^ok {6}the tool look \{\}/m);
  }, 60_000);

  test("takes a question about a step that nothing can look into, where the test.ts names it, and about no other", async () => {
    await changed("mails", {
      "handler.ts": (text) =>
        text
          .replace(", set, set)", ", set)")
          .replace("answer.ok", "answer?.ok")
          .replace("answer.stderr", "answer?.stderr"),
      "test.ts": (text) => text.replace("asks: true,", 'asks: true,\n  asks_about: ["set two"],'),
    });
    const { exit, out } = await orch("test", "mails");
    expect([exit, out.match(/^FAILED.*\n.*\n.*found {5}.*$/gm)]).toEqual([
      1,
      [
        expect.stringMatching(/^FAILED {2}stopped after commit \d+ .*\n.*\n.*need_input step_outcome_unknown: Step 0 /),
        expect.stringMatching(/^FAILED {2}stopped when call 1 .*\n.*\n.*need_input step_outcome_unknown: Step 0 /),
      ],
    ]);
    expect(out).toMatch(/name the step in `asks_about` of test\.ts/);
  }, 120_000);

  test("finds a change that is made again when the server is stopped between the change and its record", async () => {
    await changed("blind", { "test.ts": (text) => text.replace("if (!done.has(item)) changed", "changed") });
    const { exit, out } = await orch("test", "blind");
    const found = out.match(/^FAILED.*\n.*\n.*found {5}.*$/gm) ?? [];
    expect([exit, found]).toEqual([
      1,
      [
        expect.stringMatching(
          /^FAILED {2}stopped when call 1 that changes .*\n.*\n.*"one is set", "one is set", "two is set"/,
        ),
        expect.stringMatching(
          /^FAILED {2}stopped when call 2 that changes .*\n.*\n.*"one is set", "two is set", "two is set"/,
        ),
      ],
    ]);
    expect(out).toMatch(/finds out whether it was done, does it where it was not, and does not do it again/);
  }, 120_000);

  test('names the steps of which one changes something and has "repeat"', async () => {
    await changed("repeats", {
      "handler.ts": (text) =>
        text
          .replace(", set, set)", ', set, "repeat")')
          .replace("  for (const item", '  await ctx.step("look", () => 1, "repeat");\n  for (const item'),
      // Then nothing is stopped or cancelled.
      "test.ts": (text) => text.replace('code: "items_set"', 'code: "another"'),
    });
    const { exit, out } = await orch("test", "repeats");
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^FAILED {2}a step with "repeat" only reads\n.*\n {8}found {5}repeats\.set, .* is called in one of the steps "look", "set one", "set two"\n/m,
    );
  }, 60_000);

  test("names the step that does not end", async () => {
    await changed("sticks", {
      "handler.ts": (text) =>
        text.replace('ctx.call("sticks", "set", { item })', "new Promise<{ ok: true }>(() => {})"),
      "test.ts": (text) => text.replace("asks: true,", "asks: true,\n  limit_seconds: 1,"),
    });
    const { exit, out } = await orch("test", "sticks");
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/step 0, "set one", has not ended, and the task has run for 1 s/),
    ]);
  }, 120_000);
});
