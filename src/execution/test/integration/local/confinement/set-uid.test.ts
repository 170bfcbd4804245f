// Which steps run beside the space that hides the files of orch: those whose text names a program with rights of another account.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNamesSetUid } from "../../../../sandbox/spaces.ts";
import { home } from "../a-command.ts";

test.each([
  ["become true", true],
  ["true && become true", true],
  ["become; true", true],
  ["(become)", true],
  ["$HERE/become", false],
  ["FULL x", true],
  ["/elsewhere/become", false],
  ["plain --become", false],
  ["becomes", false],
  ["un-become", false],
  ["echo $become", false],
  ["podman ps", true],
  ["plain", false],
  ["", false],
])("%s: %s", async (script, named) => {
  for (const [name, mode] of [
    ["become", 0o4755],
    ["plain", 0o755],
  ] as const) {
    writeFileSync(join(home(), name), "");
    chmodSync(join(home(), name), mode);
  }
  expect(await createNamesSetUid()(script.replace("FULL", join(home(), "become")), `${home()}:/no/such`)).toBe(named);
});
