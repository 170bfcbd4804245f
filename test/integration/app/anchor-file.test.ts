// The file of the daily roots: lines are added, none is changed, and one that differs is reported.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { handingOn } from "../../../src/features/keeping/keeping.ts";
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
  await handOn({ anchors: [{ day: "2026-03-06", root: ROOT }], restores: [] });
  const both = [
    { day: "2026-03-06", root: ROOT },
    { day: "2026-03-07", root: ROOT },
  ];
  await handOn({ anchors: both, restores: [] });
  expect(readFileSync(file, "utf8")).toBe(`2026-03-06 ${ROOT}\n2026-03-07 ${ROOT}\n`);
  expect(said).toEqual([]);
  await handOn({ anchors: [{ day: "2026-03-06", root: OTHER }], restores: [] });
  expect(readFileSync(file, "utf8")).toBe(`2026-03-06 ${ROOT}\n2026-03-07 ${ROOT}\n`);
  expect(said).toEqual([expect.stringContaining("is not the one in ORCH_ANCHOR_FILE")]);
  writeFileSync(file, "something else\n");
  await handOn({ anchors: [{ day: "2026-03-08", root: ROOT }], restores: [] });
  expect(readFileSync(file, "utf8")).toBe("something else\n");
});

test("a file whose last line has no end gets it before the next root is added", async () => {
  const file = join(folder.path, "roots-by-hand");
  writeFileSync(file, `# by hand\n2026-03-06 ${ROOT}`);
  const handOn = handingOn(file, { error: () => expect.fail("nothing is wrong with the file") });
  const days = ["2026-03-06", "2026-03-07", "2026-03-08"];
  for (const count of [2, 3])
    await handOn({ anchors: days.slice(0, count).map((day) => ({ day, root: ROOT })), restores: [] });
  expect(readFileSync(file, "utf8")).toBe(`# by hand\n${days.map((day) => `${day} ${ROOT}\n`).join("")}`);
});

test("a restore is noted once, before the roots of the restored server, and explains a root of the other one", async () => {
  const file = join(folder.path, "restored-roots");
  const said: object[] = [];
  const handOn = handingOn(file, { error: (details: object) => void said.push(details) });
  const restores = [{ restored_at: "2026-03-09T10:00:00.000Z", taken_at: "2026-03-06T11:00:00.000Z" }];
  await handOn({ anchors: [{ day: "2026-03-09", root: OTHER }], restores: [] });
  const anchors = [
    { day: "2026-03-09", root: ROOT },
    { day: "2026-03-10", root: ROOT },
  ];
  await handOn({ anchors, restores });
  await handOn({ anchors, restores });
  const line = "# restored 2026-03-09T10:00:00.000Z from a backup of 2026-03-06T11:00:00.000Z";
  expect(readFileSync(file, "utf8")).toBe(`2026-03-09 ${OTHER}\n${line}\n2026-03-10 ${ROOT}\n`);
  const about = { file, day: "2026-03-09", restored_at: "2026-03-09T10:00:00.000Z" };
  expect(said).toEqual([about, about]);
});
