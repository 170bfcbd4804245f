import { describe, expect, test } from "vitest";
import { durationMs } from "../../../src/domain/duration.ts";
import { SentSteps, Step, Steps } from "../../../src/domain/step.ts";

const issuesOf = (step: unknown): string[] =>
  Step.safeParse(step).error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];

describe("a step", () => {
  test.each([
    { kind: "cmd", value: "echo hi" },
    { kind: "check", value: "test -e x" },
    { kind: "wait", value: "30s" },
    { kind: "mcp_call", value: "", server: "notes", tool: "create", arguments: { a: 1 } },
  ])("with kind $kind is accepted [2.step.*]", (step) => expect(Step.parse(step)).toEqual(step));

  test.each([
    [{ kind: "cmd", value: "" }],
    [{ kind: "cmd", value: "a\0b" }],
    [{ kind: "cmd", value: "x".repeat(65_536) }],
    [{ kind: "cmd", value: "x", timeout: 3 }],
    [{ kind: "cmd", value: 5 }],
    [{ kind: "cmd", value: "x", server: "notes" }],
    [{ kind: "check", value: "x", tool: "t" }],
    [{ kind: "cmd", value: "x", arguments: {} }],
    [{ kind: "check", value: "x", params: {} }],
    [{ kind: "wait", value: "1s", server: "notes" }],
    [{ kind: "wait", value: "2h" }],
    [{ kind: "wait", value: "soon" }],
    [{ kind: "mcp_call", value: "x", server: "notes", tool: "t" }],
    [{ kind: "mcp_call", server: "no tes", tool: "t" }],
    [{ kind: "mcp_call", tool: "t" }],
    [{ kind: "shell", value: "x" }],
  ])("like %j is refused [2.step.*] [2.step_value.command] [2.step_value.duration] [2.step_value.empty]", (step) =>
    expect(issuesOf(step)).not.toEqual([]),
  );

  test("with a text that is too long is refused with the fix", () => {
    expect(issuesOf({ kind: "cmd", value: "x".repeat(65_536) })[0]).toMatch(
      /value: at most 16384 characters; put a longer script into a file/,
    );
  });

  test("accepts params as an alias of arguments [2.step_arguments.params]", () => {
    expect(Step.parse({ kind: "mcp_call", server: "notes", tool: "t", params: { a: 1 } })).toEqual({
      kind: "mcp_call",
      value: "",
      server: "notes",
      tool: "t",
      arguments: { a: 1 },
    });
  });

  test("refuses params that differ from arguments", () => {
    const step = { kind: "mcp_call", server: "notes", tool: "t", params: { a: 1 }, arguments: { a: 2 } };
    expect(issuesOf(step)).toEqual(["params: differs from arguments; give one of the two"]);
  });
});

test("a procedure has one step at least and a thousand at most", () => {
  expect(Steps.safeParse([]).success).toBe(false);
  const nulls = { server: null, tool: null, arguments: null };
  expect(Steps.parse([{ kind: "cmd", value: "true", ...nulls }])).toEqual([{ kind: "cmd", value: "true" }]);
  expect(Steps.safeParse(Array(10_000).fill({ kind: "cmd", value: "x" })).success).toBe(false);
});

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["1.5m", 90_000],
  ["1h", 3_600_000],
  ["61m", null],
  ["-1s", null],
  ["10", null],
])("the duration %s is %s ms", (text, ms) => expect(durationMs(text)).toBe(ms));

describe("T3: a parameter inside a longer text", () => {
  const splice = "$" + "{target.service}";
  const steps = [
    { kind: "cmd", value: `echo ${splice}` },
    {
      kind: "mcp_call",
      value: "",
      server: "files",
      tool: "write_file",
      arguments: { path: `/x/${splice}.txt`, content: splice },
      expect: { path: "", contains: `saved ${splice}` },
    },
  ];

  test("is refused where it is sent, with its place", () => {
    const issues = SentSteps.safeParse(steps).error?.issues.map(({ path }) => path.join("."));
    expect(issues).toEqual(["1.arguments.path", "1.expect.contains"]);
  });

  test("is loaded where it is stored", () => {
    expect(Steps.parse(steps)).toEqual(steps);
  });
});
