import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { examineArchive } from "../../../../src/features/keeping/doctor.ts";
import { temporaryFolder } from "../../../support/database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

test("the doctor says whether the archive is there and is a directory", async () => {
  const archive = join(folder.path, "archive");
  expect(await examineArchive(archive)).toMatchObject({
    state: "falls_back",
    fix: expect.stringContaining("mount it"),
  });
  mkdirSync(archive);
  expect(await examineArchive(archive)).toMatchObject({ state: "works", found: archive });
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  expect(await examineArchive(file)).toMatchObject({ state: "broken", found: `${file} is not a directory` });
});
