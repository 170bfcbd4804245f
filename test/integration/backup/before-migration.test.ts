// The backup that a start makes before it migrates the database.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { backupBefore } from "../../../src/backup/before-migration.ts";
import { OrchError } from "../../../src/domain/errors.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { configOf, placeIn, restoreTo } from "../../support/copied-engine.ts";
import { temporaryFolder, writeMigrated } from "../../support/database.ts";
import { makeOlder } from "../../support/older-database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const log = { info: () => undefined, warn: () => undefined };

async function older(name: string, env: Readonly<Record<string, string>> = {}) {
  const place = { ...placeIn(folder.path, name), env };
  mkdirSync(place.directory, { mode: 0o700 });
  const path = join(place.directory, "orch.db");
  await writeMigrated(path);
  makeOlder(path);
  const config = configOf(place);
  const open = async (at: string, version = "2.0.0") => {
    const before = backupBefore(config, { version, clock: () => new Date(at), log });
    await (await openDatabase({ url: config.database_url, exclusive: true, beforeMigration: before })).close();
  };
  return { path, open, backups: join(place.directory, "backups") };
}

test("a start that migrates backs up first, and keeps the last three", async () => {
  const { path, open, backups } = await older("kept");
  for (const day of [1, 2, 3, 4]) {
    await open(`2026-11-0${day}T10:00:00.000Z`, `2.0.${day}`);
    // Nothing is pending now, so nothing is backed up.
    await open("2026-12-01T10:00:00.000Z");
    makeOlder(path);
  }
  const names = readdirSync(backups).sort();
  expect(names).toEqual([2, 3, 4].map((day) => `pre-upgrade-2.0.${day}-2026110${day}T100000Z.orch`));
  const { manifest } = await restoreTo(placeIn(folder.path, "undone"), join(backups, names[0] ?? ""));
  expect(manifest).toMatchObject({ journal_level: 52, tasks: 0 });
});

test("a start that tries the same migration again keeps the backup of the first, until something was written since", async () => {
  const { path, open, backups } = await older("again");
  const write = () => {
    const database = new DatabaseSync(path);
    database.exec(EVENT);
    database.close();
  };
  for (const day of [1, 2, 5]) {
    if (day === 5) write();
    await open(`2026-11-0${day}T10:00:00.000Z`);
    makeOlder(path);
  }
  expect(readdirSync(backups).sort()).toEqual([1, 5].map((day) => `pre-upgrade-2.0.0-2026110${day}T100000Z.orch`));
});

const EVENT = `INSERT INTO journal_event (thread_id, seq, kind, message, body, at, prev_hash, hash)
  VALUES ('x', 1, 'cancel_requested', 0, '{}', '2026-11-05T09:00:00.000Z', '', '')`;

test("a database that cannot be backed up is not migrated, unless the backup is off", async () => {
  const { open, backups } = await older("refused");
  writeFileSync(backups, "a file in the place of the directory");
  const refused = await open("2026-11-01T10:00:00.000Z").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OrchError);
  expect(refused).toMatchObject({
    message: expect.stringContaining("cannot be backed up"),
    fix: expect.stringContaining("ORCH_BACKUP_BEFORE_MIGRATION=off"),
  });
  const off = await older("off", { ORCH_BACKUP_BEFORE_MIGRATION: "off" });
  await off.open("2026-11-01T10:00:00.000Z");
  expect(readdirSync(join(off.path, ".."))).not.toContain("backups");
});
