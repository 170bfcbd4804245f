// The file of the daily roots: lines are added, none is changed, and one that differs is reported.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { handingOn } from "../../../src/app/compose-anchors.ts";
import { temporaryFolder } from "../../support/database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const ROOT = "a".repeat(64);
const OTHER = "b".repeat(64);

test("roots that are missing are added to ORCH_ANCHOR_FILE, and one that differs stays and is reported", async () => {
  const file = join(folder.path, "roots");
  const said: string[] = [];
  const log = { error: (_details: object, message: string) => void said.push(message) };
  const handOn = handingOn(file, log);
  await handOn([{ day: "2026-03-06", root: ROOT }]);
  await handOn([
    { day: "2026-03-06", root: ROOT },
    { day: "2026-03-07", root: ROOT },
  ]);
  expect(readFileSync(file, "utf8")).toBe(`2026-03-06 ${ROOT}\n2026-03-07 ${ROOT}\n`);
  expect(said).toEqual([]);
  await handOn([{ day: "2026-03-06", root: OTHER }]);
  expect(readFileSync(file, "utf8")).toBe(`2026-03-06 ${ROOT}\n2026-03-07 ${ROOT}\n`);
  expect(said).toEqual([expect.stringContaining("is not the one in ORCH_ANCHOR_FILE")]);
  writeFileSync(file, "something else\n");
  await handOn([{ day: "2026-03-08", root: ROOT }]);
  expect(readFileSync(file, "utf8")).toBe("something else\n");
});
