// What an installation, and the program, say of a Node that cannot run orch.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import metadata from "../../../package.json" with { type: "json" };
import { temporaryDirectory } from "../../support/orch-process.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CHECK = join(ROOT, "prisma/node-version.cjs");
const PROGRAM = join(ROOT, metadata.bin.orch);

function checkedBy(version: string, file = CHECK) {
  const as = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require(${JSON.stringify(file)})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", as], { encoding: "utf8" });
  return { status, stderr };
}

test.each(["20.20.2", "22.17.1", "18.0.0"])(
  "an installation on Node %s says in one sentence which Node orch needs",
  (version) => {
    expect(checkedBy(version)).toEqual({
      status: 2,
      stderr: expect.stringMatching(
        /^error: orch needs Node 22\.18 .*npm ci has brought .*: export PATH=\/.*\/node_modules\/\.bin:\$PATH\n$/,
      ),
    });
  },
);

test("an older Node without the project's own beside it is said what brings one", async () => {
  await using directory = await temporaryDirectory();
  mkdirSync(join(directory.path, "prisma"));
  copyFileSync(CHECK, join(directory.path, "prisma/node-version.cjs"));
  const { stderr } = checkedBy("20.20.2", join(directory.path, "prisma/node-version.cjs"));
  expect(stderr).toMatch(/; in a checkout, npm ci without --omit=dev brings Node 24\.\n$/);
});

test.each(["22.18.0", "24.0.0", process.versions.node])("an installation on Node %s goes on", (version) => {
  expect(checkedBy(version)).toEqual({ status: 0, stderr: "" });
});

test("the program says on an older Node which Node it needs, and runs on a later one", () => {
  expect(checkedBy("20.20.2", PROGRAM)).toEqual({ status: 2, stderr: expect.stringMatching(/needs Node 22\.18 /) });
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, "--version"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${metadata.version}\n` });
});
