// Says at start that a part of an earlier life is missing: the write-ahead log of a copied file, or the file itself.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

describe("a start on a database of which something is missing [promises 5.8]", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  const dataDir = (name: string): string => {
    const data_dir = join(directory.path, name);
    mkdirSync(data_dir);
    return data_dir;
  };
  const fileIn = (data_dir: string): string => join(data_dir, "orch.db");
  async function start(data_dir: string): Promise<{ database: Database; warnings: string[] }> {
    const warnings: string[] = [];
    const database = await openDatabase({
      url: `file:${fileIn(data_dir)}`,
      exclusive: true,
      self: { name: "house", labels: [], data_dir },
      warn: (_details, message) => void warnings.push(message),
    });
    return { database, warnings };
  }
  async function startAndStop(data_dir: string): Promise<string[]> {
    const { database, warnings } = await start(data_dir);
    await database.close();
    return warnings;
  }
  /** What `cp` of these files gives while a server has the database. */
  async function copyWhileRunning(name: string, ...endings: string[]): Promise<string> {
    const from = dataDir(`${name}-from`);
    const to = dataDir(name);
    await startAndStop(from);
    const { database } = await start(from);
    for (const ending of endings) copyFileSync(`${fileIn(from)}${ending}`, `${fileIn(to)}${ending}`);
    await database.close();
    return to;
  }

  test("a file that was copied without its log", async () => {
    const copied = await copyWhileRunning("without-log", "");
    expect(await startAndStop(copied)).toEqual([expect.stringContaining("write-ahead log (-wal) is missing")]);
    expect(await startAndStop(copied), "once").toEqual([]);
  });

  test("a file that was deleted beside the notes of a server", async () => {
    const data_dir = dataDir("deleted");
    await startAndStop(data_dir);
    mkdirSync(join(data_dir, "running"));
    rmSync(fileIn(data_dir));
    expect(await startAndStop(data_dir)).toEqual([expect.stringContaining("its data directory was used before")]);
    expect(await startAndStop(data_dir), "once").toEqual([]);
  });

  test("nothing is said of a first start, of a clean one, and of a file that was copied with its log", async () => {
    const data_dir = dataDir("whole");
    expect(await startAndStop(data_dir)).toEqual([]);
    mkdirSync(join(data_dir, "running"));
    expect(await startAndStop(data_dir)).toEqual([]);
    expect(await startAndStop(await copyWhileRunning("with-log", "", "-wal"))).toEqual([]);
  });
});
