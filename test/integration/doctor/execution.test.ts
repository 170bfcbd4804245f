// What steps run in, where it does not do what is asked.
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { examineSandbox } from "../../../src/doctor/execution.ts";

test("limits that cannot be set are broken, with the variables to look at", async () => {
  const config = readConfig({ ORCH_SANDBOX: "off" });
  const step_limits = { ...config.step_limits, processes: 2 ** 62 };
  expect(await examineSandbox({ ...config, step_limits })).toEqual({
    state: "broken",
    found: expect.stringContaining("No step could run"),
    fix: expect.stringContaining("ORCH_STEP_"),
  });
});
