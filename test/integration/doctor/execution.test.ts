// What steps run in, where it does not do what is asked.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { examineSandbox, requireSandbox } from "../../../src/doctor/execution.ts";

test("limits that cannot be set are broken, with the variables to look at", async () => {
  const config = readConfig({ ORCH_SANDBOX: "off" });
  const step_limits = { ...config.step_limits, processes: 2 ** 62 };
  expect(await examineSandbox({ ...config, step_limits })).toEqual({
    state: "broken",
    found: expect.stringContaining("No step could run"),
    fix: expect.stringContaining("ORCH_STEP_"),
  });
});

test.each([
  { has_bubblewrap: false, fix: /^Install bubblewrap\. Where no step uses sudo or ssh, set ORCH_SANDBOX to required/ },
  { has_bubblewrap: true, fix: /^Where no step uses sudo or ssh, set ORCH_SANDBOX to required/ },
])("bubblewrap is to be installed where it is missing only: $has_bubblewrap", ({ has_bubblewrap, fix }) => {
  expect(requireSandbox(has_bubblewrap)).toMatch(fix);
});

test.skipIf(process.getuid?.() !== 0)(
  "where no namespace can be made, agents get no shell, and what to install is said",
  async () => {
    const src = join(import.meta.dirname, "../../../src");
    const script = `
    import { readConfig } from ${JSON.stringify(join(src, "config/config.ts"))};
    import { examineAgentShell } from ${JSON.stringify(join(src, "doctor/execution.ts"))};
    console.log(JSON.stringify(await examineAgentShell(readConfig({ HOME: "/root" }))));`;
    // As in a container: root by name, without the right to make a namespace.
    const rights = ["--bounding-set=-all", "--inh-caps=-all"];
    const { stdout } = await promisify(execFile)("setpriv", [
      ...rights,
      process.execPath,
      "--input-type=module",
      "-e",
      script,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      state: "falls_back",
      found: expect.stringMatching(/^agents get no shell: no network of its own can be made: /),
      fix: expect.stringMatching(/^Install util-linux and iproute2, and allow this account to create .* namespaces\.$/),
    });
  },
);
