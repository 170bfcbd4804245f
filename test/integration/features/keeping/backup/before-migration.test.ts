// The backup that a start makes before it migrates the database.
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { OrchError } from "../../../../../src/domain/errors.ts";
import { backupBefore } from "../../../../../src/features/keeping/backup/before-migration.ts";
import { openDatabase } from "../../../../../src/store/database.ts";
import { configOf, placeIn, restoreTo } from "../../../../support/copied-engine.ts";
import { temporaryFolder, writeMigrated } from "../../../../support/database.ts";
import { makeOlder } from "../../../../support/older-database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const said: string[] = [];
const log = { info: () => undefined, warn: (_details: object, message: string) => void said.push(message) };

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
  const write = () => alter(path, EVENT);
  for (const day of [1, 2, 5]) {
    if (day === 5) write();
    await open(`2026-11-0${day}T10:00:00.000Z`);
    makeOlder(path);
  }
  expect(readdirSync(backups).sort()).toEqual([1, 5].map((day) => `pre-upgrade-2.0.0-2026110${day}T100000Z.orch`));
});

test("a start backs up a database whose other history has come as far as the backup of an earlier try", async () => {
  const { path, open, backups } = await older("other-history");
  alter(path, EVENT);
  for (const day of [1, 2]) {
    await open(`2026-11-0${day}T10:00:00.000Z`);
    makeOlder(path);
    alter(path, "UPDATE journal_event SET hash = 'another'");
  }
  expect(readdirSync(backups).sort()).toEqual([1, 2].map((day) => `pre-upgrade-2.0.0-2026110${day}T100000Z.orch`));
});

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test("a directory for backups of another account is refused with the command that gives it to the server's", async () => {
  const { open, backups } = await older("of-another");
  mkdirSync(backups, { mode: 0o000 });
  for (const above of [folder.path, dirname(backups)]) chmodSync(above, 0o711);
  const isRoot = process.geteuid?.() === 0;
  // A migration reads the database before: it is the account's own.
  if (isRoot) for (const name of ["", "orch.db"]) chownSync(join(dirname(backups), name), STRANGER, STRANGER);
  if (isRoot) process.seteuid?.(STRANGER);
  const refused = await open("2026-11-01T10:00:00.000Z").catch((error: unknown) => error);
  const account = process.geteuid?.();
  if (isRoot) process.seteuid?.(0);
  expect(refused).toMatchObject({
    code: "database_unusable",
    message: expect.stringContaining("cannot be backed up: EACCES"),
    fix: `as root: chown -R ${account} ${backups}, or back it up yourself and set ORCH_BACKUP_BEFORE_MIGRATION=off`,
  });
});

const STRANGER = 65_534;

test("an earlier backup that cannot be removed is in the log, and the migration goes on", async () => {
  const { open, backups } = await older("kept-too-many");
  mkdirSync(backups);
  for (const day of [1, 2, 3]) mkdirSync(join(backups, `pre-upgrade-1.0.0-2026100${day}T100000Z.orch`));
  said.length = 0;
  await open("2026-11-01T10:00:00.000Z");
  expect(said).toEqual(["backups before earlier migrations cannot be removed"]);
  expect(readdirSync(backups)).toContain("pre-upgrade-2.0.0-20261101T100000Z.orch");
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
