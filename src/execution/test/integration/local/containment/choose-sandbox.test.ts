// orch tries whether steps can run in a pid namespace.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { abilityHere } from "../../../../sandbox/machine.ts";
import { NO_LIMITS } from "../../../../sandbox/sandbox.ts";
import { canSandbox } from "../a-command.ts";

test("off chooses no sandbox, with the reason", async () => {
  expect(await abilityHere("off", NO_LIMITS)).toEqual({
    sandboxed: false,
    reason: "ORCH_SANDBOX is off",
    visible: "ORCH_SANDBOX is off",
  });
});

test.skipIf(!canSandbox)("required and, for root, auto choose the sandbox where it works", async () => {
  expect(await abilityHere("auto", NO_LIMITS, 0)).toEqual({ sandboxed: true, reason: null, visible: null });
  expect(await abilityHere("required", NO_LIMITS)).toEqual({ sandboxed: true, reason: null, visible: null });
});

test.each(["auto", "off"] as const)("limits that cannot be set are refused, sandbox %s", async (mode) => {
  const choosing = abilityHere(mode, { ...NO_LIMITS, processes: 2 ** 62 });
  await expect(choosing).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining("ulimit") });
});

/** Chooses in a separate process, as another account or with fewer rights. */
async function chooseAs(setpriv: readonly string[], mode: string) {
  const module = new URL("../../../../sandbox/machine.ts", import.meta.url);
  const script = `
    import { abilityHere } from "${module}";
    const limits = { memory_mb: null, file_mb: null, processes: null };
    const told = await abilityHere("${mode}", limits).catch(({ code, message, fix }) => ({ code, message, fix }));
    console.log(JSON.stringify(told));`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("setpriv", [...setpriv, ...node]);
  return JSON.parse(stdout);
}

describe.skipIf(process.getuid?.() !== 0)("as root", () => {
  // Root without the right to make a namespace, as in a container.
  const CONTAINER = ["--bounding-set=-all", "--inh-caps=-all"];

  test("in a container that may not make namespaces, auto falls back with the reason", async () => {
    const { sandboxed, reason, visible } = await chooseAs(CONTAINER, "auto");
    expect(sandboxed).toBe(false);
    expect(reason).toContain("Operation not permitted");
    expect(visible).toContain("Operation not permitted");
  });

  test("in such a container, required is refused with a fix", async () => {
    expect(await chooseAs(CONTAINER, "required")).toEqual({
      code: "config_invalid",
      message: expect.stringMatching(/^ORCH_SANDBOX is required, but .*not permitted/s),
      fix: expect.stringContaining("Install bubblewrap"),
    });
  });

  test.skipIf(!canSandbox)(
    "an ordinary account gets it only with required, because it would lose sudo and ssh",
    async () => {
      const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
      expect(await chooseAs(nobody, "required")).toEqual({ sandboxed: true, reason: null, visible: null });
      expect(await chooseAs(nobody, "auto")).toEqual({
        sandboxed: false,
        reason: expect.stringContaining("sudo and ssh"),
        visible: null,
      });
    },
  );
});
