// Wrong arguments of what a handler calls: refused in its process, with the line.
import { expect, test } from "vitest";
import { faultOf } from "./a-run.ts";

const MUST = 'it must be "repeat" (the step only reads) or a function that finds out what happened (handler.ts:';

test.each([
  ["the third", 'ctx.step("list", () => 1, "repaet")', `the third argument of step "list" is "repaet": ${MUST}`],
  ["the third", 'ctx.step("list", () => 1, true)', `the third argument of step "list" is true: ${MUST}`],
  [
    "the third",
    'ctx.step("list", () => 1, Promise.resolve(1))',
    `the third argument of step "list" is a promise: ${MUST}`,
  ],
  [
    "the third",
    'ctx.step("list", () => 1, { repeat: true })',
    `the third argument of step "list" is an object: ${MUST}`,
  ],
  ["the third", 'ctx.step("list", () => 1, "x".repeat(99))', "is a text of 99 characters: it must be"],
  ["the second", 'ctx.step("list", [1])', 'the second argument of step "list" is a list: it must be a function'],
  ["the second", 'ctx.step("list")', 'the second argument of step "list" is undefined: it must be a function'],
  ["the first", 'ctx.step("", () => 1)', 'a step needs a name: the first argument of ctx.step is "" (handler.ts:'],
  ["the first", "ctx.step(() => 1)", "a step needs a name: the first argument of ctx.step is a function (handler.ts:"],
  ["the server", 'ctx.step("a", () => ctx.call(undefined, "b", {}))', "ctx.call has a wrong argument: server: "],
  ["the server", "ctx.listTools()", "ctx.listTools has a wrong argument: server: "],
  ["the approval", "ctx.approvals.wait()", "ctx.approvals.wait has a wrong argument: approval_id: "],
  ["the name of a lock", "ctx.exclusive(3, () => 1)", "ctx.exclusive has a wrong argument: name: "],
])("a handler that gives %s as in %s breaks off there", async (_which, code, words) => {
  const fault = await faultOf(`await ${code}; return done;`);
  expect(fault).toContain(words);
  expect(fault).toMatch(/ \(handler\.ts:5\)$/);
});
