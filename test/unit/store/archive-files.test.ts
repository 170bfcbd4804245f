import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createArchiveFiles, ensureThere, type Placed } from "../../../src/store/archive-file.ts";
import { temporaryFolder } from "../../support/database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

/** A database, as far as the archive asks it. */
const knowing =
  (...placed: readonly Placed[]) =>
  async (file: string) =>
    Math.max(0, ...placed.map((one) => (one.file === file ? one.file_offset + one.file_bytes : 0)));
const bundle = (task_id: string) => [{ task_id, text: `{"task_id":"${task_id}"}\n` }];

test("the archive of another database, or of what came after a backup, is never written over", async () => {
  const { append } = createArchiveFiles(folder.path);
  const first = await append("2026-03", knowing(), bundle("first"));
  const later = await append("2026-03", knowing(...first), bundle("later"));
  expect(later.map(({ file }) => file)).toEqual(["2026-03.ndjson.zst"]);
  const before = readFileSync(join(folder.path, "2026-03.ndjson.zst"));
  const restored = await append("2026-03", knowing(...first), bundle("restored"));
  const other = await append("2026-03", knowing(), bundle("other"));
  expect([...restored, ...other].map(({ file, file_offset }) => [file, file_offset])).toEqual([
    ["2026-03.2.ndjson.zst", 0],
    ["2026-03.3.ndjson.zst", 0],
  ]);
  expect(readFileSync(join(folder.path, "2026-03.ndjson.zst"))).toEqual(before);
});

test("nothing is added where a file is shorter than the database knows", async () => {
  const { append } = createArchiveFiles(join(folder.path, "gone"));
  const placed = await append("2026-04", knowing(), bundle("first"));
  writeFileSync(join(folder.path, "gone", "2026-04.ndjson.zst"), "");
  await expect(append("2026-04", knowing(...placed), bundle("second"))).rejects.toThrow("is ORCH_ARCHIVE_DIR mounted?");
});

test("an archive that is not mounted is found out before anything is added, also in another month", async () => {
  const directory = join(folder.path, "mounted");
  const [placed] = await createArchiveFiles(directory).append("2026-05", knowing(), bundle("first"));
  const files = [{ file: "2026-05.ndjson.zst", file_end: placed?.file_bytes ?? 0 }];
  await expect(ensureThere(directory, files)).resolves.toBeUndefined();
  await expect(ensureThere(join(folder.path, "not-mounted"), files)).rejects.toThrow("is ORCH_ARCHIVE_DIR mounted?");
});
