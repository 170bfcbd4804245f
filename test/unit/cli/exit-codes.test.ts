import { describe, expect, test } from "vitest";
import { EXIT, EXIT_MEANINGS, failureOf, taskExit } from "../../../src/cli/failure.ts";
import { OrchError } from "../../../src/domain/errors.ts";
import { TASK_STATUSES } from "../../../src/domain/outcome.ts";
import { runInProcess } from "../../support/cli-in-process.ts";

describe("exit codes", () => {
  test("differ from one another and are in the help, each with what it means", async () => {
    const codes = Object.values(EXIT);
    expect(new Set(codes).size).toBe(codes.length);
    const { exit, stdout } = await runInProcess(["--help"], { columns: 200 });
    expect(exit).toBe(0);
    for (const [name, code] of Object.entries(EXIT)) {
      expect(stdout).toContain(`  ${String(code).padEnd(4)} ${EXIT_MEANINGS[name as keyof typeof EXIT]}`);
    }
  });

  test.each(TASK_STATUSES)("are fixed for a task that is %s", (status) => {
    const expected = {
      ok: 0,
      failed: 1,
      blocked: 1,
      cancelled: 1,
      need_input: 3,
      need_approval: 4,
      accepted: 7,
      running: 7,
    };
    expect(taskExit(status, true)).toBe(expected[status]);
  });

  test.each([
    ["config_invalid", 2],
    ["database_unusable", 2],
    ["input_invalid", 2],
    ["internal_error", 70],
  ] as const)("are fixed for a start that fails with %s: %i", (code, exit) => {
    expect(failureOf(new OrchError(code, "no")).exit).toBe(exit);
  });

  test.each(["accepted", "running"] as const)("are 0 for a task that is %s and was not waited for", (status) => {
    expect(taskExit(status, false)).toBe(0);
  });
});
