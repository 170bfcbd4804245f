// What steps run in, where it does not do what is asked.

import { execFile } from "node:child_process";
import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { examineSandbox, requireSandbox } from "../../../src/doctor/execution.ts";
import { readableSecrets } from "../../../src/execution/execution.ts";
import { canSandbox } from "../../../src/execution/test/integration/local/a-command.ts";

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

describe("a step that tries to read the files with secrets (promises 2.6)", () => {
  const directory = mkdtempSync(join(tmpdir(), "orch-doctor-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  const token = join(directory, "approver");
  writeFileSync(token, "a".repeat(40), { mode: 0o600 });
  const given = { HOME: directory, ORCH_APPROVER_TOKEN_FILE: token };

  test.skipIf(!canSandbox)("finds none that is hidden", async () => {
    // Root can take away what hides them.
    const state = process.getuid?.() === 0 ? "falls_back" : "works";
    expect(await examineSandbox(readConfig({ ...given, ORCH_SANDBOX: "required" }))).toMatchObject({
      state,
      found: expect.stringContaining("cannot read the files of orch"),
    });
  });

  test("finds each that is not hidden", async () => {
    const shows = { sandboxed: false, reason: "it is off here", visible: "it is off here" } as const;
    const read = (over: object) => readableSecrets({ ...readConfig(given), ...over }, shows);
    expect(await read({ data_dir: directory, secret_paths: [join(directory, "none")] })).toContain(token);
    expect(await read({ data_dir: join(directory, "none"), secret_paths: [token] })).toContain(token);
  });

  test("is not needed where nothing can be hidden: a step could approve", async () => {
    expect(await examineSandbox(readConfig({ ...given, ORCH_SANDBOX: "off" }))).toMatchObject({
      state: "broken",
      found: expect.stringContaining("a step could approve"),
      fix: expect.stringContaining("ORCH_ACCEPT_READABLE_TOKENS=on"),
    });
    const accepted = { ...given, ORCH_SANDBOX: "off", ORCH_ACCEPT_READABLE_TOKENS: "on" };
    expect(await examineSandbox(readConfig(accepted))).toMatchObject({ state: "falls_back" });
  });

  test.skipIf(!canSandbox)("cannot see a hard link, which is said", async () => {
    const linked = join(directory, "linked");
    writeFileSync(linked, "a".repeat(40), { mode: 0o600 });
    linkSync(linked, join(directory, "other-name"));
    const config = readConfig({ ...given, ORCH_APPROVER_TOKEN_FILE: linked, ORCH_SANDBOX: "required" });
    expect(await examineSandbox(config)).toMatchObject({ state: "broken", found: expect.stringContaining(linked) });
  });
});
