// Whether checks can be tried in an empty world here, as `orch doctor` says it.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { examineCheckLooks } from "../../../src/doctor/execution.ts";
import { failing, fault } from "../../../src/execution/test/integration/local/control/a-control.ts";

const config = (env: Record<string, string> = {}) => readConfig({ ORCH_SANDBOX: "off", ...env });

describe("looks at checks", () => {
  test.skipIf(fault !== null)("work where an empty world can be made", async () => {
    const found = "each check is tried in an empty world, to learn if it can fail";
    expect(await examineCheckLooks(config())).toEqual({ state: "works", found, fix: null });
  });

  test("fall back where namespaces are missing, with the reason and what to do", async () => {
    const { state, found, fix } = await examineCheckLooks(config(), failing("/bin/false"));
    expect(state).toBe("falls_back");
    expect(found).toMatch(
      /^no empty world can be made here: .+; a check counts as proved only where it was red before a change$/,
    );
    expect(fix).toContain("user namespaces");
    const missing = await examineCheckLooks(config({ BEFORE_LOOK: "off" }), failing("/nowhere/unshare"));
    expect(missing.found).toMatch(
      /\/nowhere\/unshare.*; BEFORE_LOOK is off: none is run on its target before the change$/,
    );
  });

  test("are off with CHECK_LOOKS=off, and nothing is tried then", async () => {
    const directory = await mkdtemp(join(tmpdir(), "orch-looks-"));
    const tried = join(directory, "tried");
    const trying = failing(`: > ${tried}; exit 1`);
    const looks = await examineCheckLooks(config({ CHECK_LOOKS: "off" }), trying);
    expect(looks).toMatchObject({ state: "off", found: expect.stringMatching(/^CHECK_LOOKS is off/) });
    expect(existsSync(tried)).toBe(false);
    await examineCheckLooks(config(), trying);
    expect(existsSync(tried), "where they are on").toBe(true);
    await rm(directory, { recursive: true });
  });
});
