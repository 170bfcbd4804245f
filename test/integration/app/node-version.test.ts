// What an installation says of a Node that cannot run orch.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const CHECK = join(import.meta.dirname, "../../../prisma/node-version.cjs");

function checkedBy(version: string) {
  const as = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require(${JSON.stringify(CHECK)})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", as], { encoding: "utf8" });
  return { status, stderr };
}

test.each(["20.20.2", "22.17.1", "18.0.0"])("an installation on Node %s says which Node orch needs", (version) => {
  expect(checkedBy(version)).toEqual({ status: 1, stderr: expect.stringMatching(/needs Node 22\.18 .*\n.*npm ci /) });
});

test.each(["22.18.0", "24.0.0", process.versions.node])("an installation on Node %s goes on", (version) => {
  expect(checkedBy(version)).toEqual({ status: 0, stderr: "" });
});
