// What a tool call that verifies expects of its result (D-188).
import { describe, expect, test } from "vitest";
import { unmet } from "../../../local/call-tool.ts";

const structured = JSON.stringify({
  content: [],
  structuredContent: { state: "up", "a/b": { "~c": [1, { d: null }] } },
});
const textual = (text: string) => JSON.stringify({ content: [{ type: "text", text }] });

describe("an expectation that is met", () => {
  test.each([
    ["a value of the structured content", { path: "/state", equals: "up" }, structured],
    ["a path with escaped names and an index", { path: "/a~1b/~0c/1", equals: { d: null } }, structured],
    ["null where null is", { path: "/a~1b/~0c/1/d", equals: null }, structured],
    ["a text within a value", { path: "/state", contains: "u" }, structured],
    ["a text that is JSON", { path: "/n", equals: 3 }, textual('{"n":3}')],
    ["keys in another order", { path: "", equals: { a: 1, b: 2 } }, textual('{"b":2,"a":1}')],
    ["a text that is not JSON", { path: "", contains: "healthy" }, textual("all healthy\nreally")],
    ["a text within JSON", { path: "", contains: '"n":3' }, textual('{"n":3}')],
    ["a result that is no object", { path: "", equals: 7 }, "7"],
    ["a result of a server that knows little of the protocol", { path: "/ok", equals: true }, '{"ok":true}'],
  ])("%s", (_, expected, stdout) => {
    expect(unmet(expected, stdout)).toBeNull();
  });
});

const INEXACT = "/n holds a number with more digits than can be compared";

describe("an expectation that is not met says what was there", () => {
  test.each([
    ["another value", { path: "/state", equals: "down" }, structured, '/state is "up", and "down" was expected'],
    ["another type", { path: "/n", equals: "3" }, textual('{"n":3}'), '/n is 3, and "3" was expected'],
    ["nothing there", { path: "/other", equals: null }, structured, "/other is not in the answer"],
    ["an inherited name", { path: "/toString", contains: "x" }, structured, "/toString is not in the answer"],
    ["an index that is none", { path: "/0x1", equals: 1 }, textual("[1,2]"), "/0x1 is not in the answer"],
    ["no text", { path: "", equals: "x" }, JSON.stringify({ content: [] }), 'the result is "", and "x" was expected'],
    ["a number too long to be read", { path: "/n", equals: 2 ** 53 }, textual('{"n":9007199254740993}'), INEXACT],
    ["a number too large to be read", { path: "/n", equals: null }, textual('{"n":1e400}'), INEXACT],
    [
      "a text that is absent",
      { path: "", contains: "ok" },
      textual("bad"),
      'the result does not contain "ok"; it is "bad"',
    ],
  ])("%s", (_, expected, stdout, why) => {
    expect(unmet(expected, stdout)).toBe(why);
  });

  test("a long value is cut", () => {
    expect(unmet({ path: "", equals: 1 }, textual("x".repeat(10_000)))?.length).toBeLessThan(700);
  });
});
