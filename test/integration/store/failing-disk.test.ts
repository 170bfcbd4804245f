// Distinguishes a disk that fails from a damaged file: strace lets reads of the file fail with EIO from the n-th read of SQLite on.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMigrated } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const OPEN = join(import.meta.dirname, "../../support/open-database-process.ts");
const hasStrace = spawnSync("strace", ["-V"]).status === 0;

describe("a database whose file cannot be used [promises 5.7]", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let intact: string;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    intact = join(directory.path, "intact.db");
    await writeMigrated(intact);
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  const copyTo = (name: string): string => {
    const path = join(directory.path, name);
    copyFileSync(intact, path);
    return path;
  };
  const opened = (path: string, tracer: readonly string[] = []): string => {
    const [program = "", ...args] = [...tracer, process.execPath, OPEN, path];
    return spawnSync(program, args, { encoding: "utf8" }).stdout;
  };
  const failingReads = (path: string, nth: number) => [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-P",
    path,
    "-e",
    `inject=pread64:error=EIO:when=${nth}+`,
    // SQLite reads with pread64; what reads the file as a whole comes after its fault.
    "-e",
    "inject=read:error=EIO",
  ];

  test.skipIf(!hasStrace).each([1, 3, 5, 8, 20, 40])("says that the disk failed: read %i and later fail", (nth) => {
    const path = copyTo(`failing-${nth}.db`);
    const said = opened(path, failingReads(path, nth));
    expect(said).toMatch(/the disk failed|the disk is full or broken/);
    expect(said).not.toContain("damaged");
  });

  test("says that the file is damaged: its content is wrong, and the disk reads it", () => {
    const path = copyTo("overwritten.db");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xab, 8 * 4096, 12 * 4096));
    expect(opened(path)).toContain("the file is damaged; restore a backup");
  });

  test("opens an intact file", () => {
    expect(opened(copyTo("good.db"))).toBe("opened\n");
  });
});
