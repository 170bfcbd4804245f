import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDataDir } from "../../../src/config/data-dir.ts";

test("the directory is created with its parents, for its owner only, and may exist already", async () => {
  const base = await mkdtemp(join(tmpdir(), "orch-data-"));
  const path = join(base, "a", "b", "c");
  await createDataDir(path);
  await createDataDir(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

test("a file at the path or above it is refused with the variable to set", async () => {
  const base = await mkdtemp(join(tmpdir(), "orch-data-"));
  await writeFile(join(base, "file"), "");
  await expect(createDataDir(join(base, "file"))).rejects.toMatchObject({ code: "config_invalid" });
  await expect(createDataDir(join(base, "file", "a"))).rejects.toMatchObject({
    message: expect.stringContaining("ENOTDIR"),
    fix: expect.stringContaining("ORCH_DATA_DIR"),
  });
});

test("a directory that cannot be created is refused with the variable to set", async () => {
  await expect(createDataDir("/proc/nope/a")).rejects.toMatchObject({
    message: expect.stringContaining("ENOENT"),
    fix: expect.stringContaining("ORCH_DATA_DIR"),
  });
});
