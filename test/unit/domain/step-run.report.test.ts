// The report on a run.
import { expect, test } from "vitest";
import type { StepResult } from "../../../src/domain/step.ts";
import { flowOutput } from "../../../src/domain/step-run.ts";
import { aResult, cmd, mcpCall, wait } from "../../support/builders.ts";

const ran = (over: Partial<StepResult> = {}, step = cmd("true"), executed = true) => ({
  step,
  executed,
  result: aResult(over),
});

test("the summary says how the run ended [2.flow_output.summary]", () => {
  const failed = { index: 2, status: "failed" } as const;
  expect(flowOutput([ran()], null).summary).toBe("1 step passed");
  expect(flowOutput([ran(), ran()], null).summary).toBe("2 steps passed");
  expect(flowOutput([ran()], 1).summary).toBe("stopped before step 1; 1 step passed");
  expect(flowOutput([ran({ ...failed, exit_code: 5 })], null).summary).toBe("step 2 (cmd) failed with exit code 5");
  expect(flowOutput([ran({ ...failed, exit_code: null })], null).summary).toBe("step 2 (cmd) was ended");
  expect(flowOutput([ran({ ...failed, timed_out: true })], null).summary).toBe("step 2 (cmd) reached its time limit");
});

test("a run that was stopped before its end is not ok [2.flow_output.ok]", () => {
  expect(flowOutput([ran()], 1).ok).toBe(false);
  expect(flowOutput([ran()], null).ok).toBe(true);
});

test("evidence names tool calls by server and tool, and omits waits and unexecuted steps [2.flow_output.executed_commands]", () => {
  const all = [ran(), ran({}, mcpCall({ server: "notes", tool: "create_note" })), ran({}, wait("1s"))];
  const { executed_commands } = flowOutput([...all, ran({}, cmd("rm x"), false)], null).evidence;
  expect(executed_commands).toEqual(["true", "notes.create_note {}"]);
});

test("a key output is the last line, bounded and never cut within a character", () => {
  const lines = (stdout: string) => flowOutput([ran({ stdout })], null).evidence.key_outputs;
  expect(lines("one\ntwo\n\n")).toEqual(["two"]);
  expect(lines(" \n")).toEqual([]);
  expect(lines(`${"a".repeat(199)}😀`)).toEqual([`${"a".repeat(199)}\ufffd`]);
});

test("the key output of a failed step is its stderr, and of a passed step its stdout", () => {
  const both = { stdout: "out", stderr: "err" };
  expect(flowOutput([ran(both)], null).evidence.key_outputs).toEqual(["out"]);
  expect(flowOutput([ran({ ...both, status: "failed" })], null).evidence.key_outputs).toEqual(["err"]);
});
