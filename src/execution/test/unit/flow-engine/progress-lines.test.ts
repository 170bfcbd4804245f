// Only the lines that the shipped flow writes say anything: all others, however near, are words.
import { describe, expect, test } from "vitest";
import { stepLine } from "../../../flow-engine/follow-job.ts";

test.each(["cmd", "check", "wait", "mcp_call"])("a %s that has begun", (kind) => {
  expect(stepLine(`orch: step 0 ${kind} started`)).toEqual({ index: 0, kind, end: null });
});

test.each<[string, string, number | null, number]>([
  ["passed exit_code=0 duration_ms=12", "passed", 0, 12],
  ["failed exit_code=137 duration_ms=0", "failed", 137, 0],
  ["failed exit_code=-1 duration_ms=3600000", "failed", -1, 3_600_000],
  ["failed exit_code=none duration_ms=5", "failed", null, 5],
  ["outcome_unknown exit_code=none duration_ms=60000", "outcome_unknown", null, 60_000],
])("a step that has ended: %s", (words, status, exit_code, duration_ms) => {
  expect(stepLine(`orch: step 999 mcp_call ${words}`)).toEqual({
    index: 999,
    kind: "mcp_call",
    end: { status, exit_code, duration_ms },
  });
});

describe("a line that is not exactly one of these says nothing", () => {
  test.each([
    "",
    "orch: step 0 cmd",
    " orch: step 0 cmd started",
    "orch: step 0 cmd started ",
    "orch: step 0 cmd started\n",
    "orch: step 0 cmd started\r",
    "ORCH: step 0 cmd started",
    "[worker] orch: step 0 cmd started",
    "orch: step -1 cmd started",
    "orch: step 0x1 cmd started",
    "orch: step 10000 cmd started",
    "orch: step ٣ cmd started",
    "orch: step 0 __proto__ started",
    "orch: step 0 cmd stopped",
    "orch: step 0 cmd passed",
    "orch: step 0 cmd skipped exit_code=0 duration_ms=1",
    "orch: step 0 cmd passed exit_code=0",
    "orch: step 0 cmd passed exit_code= duration_ms=1",
    "orch: step 0 cmd passed exit_code=1e3 duration_ms=1",
    "orch: step 0 cmd passed exit_code=0 duration_ms=1.5",
    "orch: step 0 cmd passed exit_code=0 duration_ms=-1",
    "orch: step 0 cmd passed exit_code=0 duration_ms=99999999999",
    "orch: step 0 cmd passed duration_ms=1 exit_code=0",
    "orch: step 0 cmd started orch: step 0 cmd passed exit_code=0 duration_ms=1",
    "orch: step 0 cmd started\norch: step 0 cmd passed exit_code=0 duration_ms=1",
  ])("%j", (line) => {
    expect(stepLine(line)).toBeNull();
  });
});
