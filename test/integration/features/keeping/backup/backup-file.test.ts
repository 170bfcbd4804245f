// The file of a backup: what is refused, with the part that is wrong, and what is in it.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accept } from "../../../../../src/engine/tasks/transitions.ts";
import { MANIFEST_BYTES, nameAs } from "../../../../../src/features/keeping/backup/backup-file.ts";
import { openDatabase } from "../../../../../src/store/database.ts";
import { createStore } from "../../../../../src/store/store.ts";
import { AT, aContract } from "../../../../support/builders.ts";
import { backUp, placeIn, restoreTo } from "../../../../support/copied-engine.ts";
import { temporaryFolder } from "../../../../support/database.ts";

const folder = temporaryFolder();
const from = placeIn(folder.path, "from");
const file = join(folder.path, "a.orch");
const SECRET = "a-token-of-the-data-directory-0123456789-abcdef";
afterAll(folder.remove);

beforeAll(async () => {
  mkdirSync(from.directory, { mode: 0o700 });
  writeFileSync(join(from.directory, "token"), `${SECRET}\n`, { mode: 0o600 });
  const database = await openDatabase({ url: `file:${join(from.directory, "orch.db")}`, exclusive: true });
  const store = createStore({ database, clock: () => new Date() });
  for (const task_id of ["a", "b"]) {
    const { task: _task, ...transition } = accept({ contract: aContract({ task_id }), backend: "local", at: AT });
    await store.commit({ thread_id: task_id, after: null, ...transition });
  }
  await database.close();
  await backUp(from, file);
});

let made = 0;
const emptyPlace = () => placeIn(folder.path, `to-${++made}`);

/** A copy of the backup with one byte changed. */
function changed(at: number, to?: string): string {
  const bytes = readFileSync(file);
  if (to === undefined) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  else bytes.write(to, at);
  const path = join(folder.path, `changed-${++made}.orch`);
  writeFileSync(path, bytes);
  return path;
}

describe("a backup", () => {
  test("can be read by its owner only, and says in its first line what it holds", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [line = ""] = readFileSync(file, "utf8").split("\n");
    expect(JSON.parse(line)).toMatchObject({ orch_backup: 1, tasks: 2, cursor: 2, head: { threads: 2 } });
  });

  test("has the token only when it is asked for", async () => {
    const [without, with_token] = [emptyPlace(), emptyPlace()];
    expect((await restoreTo(without, file)).token).toBe("none");
    const other = join(folder.path, "with-token.orch");
    await backUp(from, other, true);
    expect((await restoreTo(with_token, other)).token).toBe("restored");
    expect(readFileSync(join(with_token.directory, "token"), "utf8")).toBe(`${SECRET}\n`);
    expect(statSync(join(with_token.directory, "token")).mode & 0o777).toBe(0o600);
  });

  test("does not overwrite a file, and names the database or the directory that is not there", async () => {
    await expect(backUp(from, file)).rejects.toThrow(/is there already/);
    await expect(backUp(emptyPlace(), join(folder.path, "none.orch"))).rejects.toThrow(/there is no database at/);
    const missing = join(folder.path, "missing");
    await expect(backUp(from, join(missing, "a.orch"))).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be written: there is no directory .*\/missing$/),
      fix: `make it first: mkdir -p ${missing}`,
    });
  });
});

test("a file is named where the file system has no links, and none is overwritten there", async () => {
  const [aside, path] = [join(folder.path, "aside"), join(folder.path, "named")];
  const withoutLinks = () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" }));
  writeFileSync(aside, "whole");
  await nameAs(aside, path, withoutLinks);
  expect(readFileSync(path, "utf8")).toBe("whole");
  writeFileSync(aside, "another");
  await expect(nameAs(aside, path, withoutLinks)).rejects.toThrow(/is there already/);
  expect(readFileSync(path, "utf8")).toBe("whole");
});

describe("a restore", () => {
  test("refuses a place with a database", async () => {
    await expect(restoreTo(from, file)).rejects.toThrow(/there is a database at .* already/);
  });

  test("names the part of a file that is damaged or cut off, and leaves the place empty", async () => {
    const to = emptyPlace();
    const part = /its part "database" is not as it was written/;
    await expect(restoreTo(to, changed(MANIFEST_BYTES + 200))).rejects.toThrow(part);
    const cut = join(folder.path, "cut.orch");
    writeFileSync(cut, readFileSync(file).subarray(0, MANIFEST_BYTES + 100));
    await expect(restoreTo(to, cut)).rejects.toThrow(/and ends after 100 of its \d+ bytes/);
    expect((await restoreTo(to, file)).settled.parked).toBe(2);
  });

  test("that is refused leaves neither a token nor a part of a database", async () => {
    const whole = join(folder.path, "token-and-all.orch");
    await backUp(from, whole, true);
    const bytes = readFileSync(whole);
    const [line = ""] = bytes.toString("utf8").split("\n");
    bytes.write(line.replace('"tasks":2', '"tasks":3'));
    writeFileSync(whole, bytes);
    const to = emptyPlace();
    await expect(restoreTo(to, whole)).rejects.toThrow(/holds 2 tasks of 3/);
    expect(readdirSync(to.directory).filter((name) => name === "token" || name.includes("restoring"))).toEqual([]);
  });

  test("refuses a file of another kind, of a newer format and of a newer level", async () => {
    const manifest = readFileSync(file, "utf8").split("\n")[0] ?? "";
    const with_ = (before: string, after: string) =>
      changed(
        0,
        manifest
          .replace(before, after)
          .trimEnd()
          .padEnd(MANIFEST_BYTES - 1),
      );
    await expect(restoreTo(emptyPlace(), with_('"orch_backup":1', '"orch_backup":2'))).rejects.toThrow(
      /its format is 2/,
    );
    await expect(restoreTo(emptyPlace(), with_('"journal_level":52', '"journal_level":999'))).rejects.toThrow(
      /need level 999/,
    );
    await expect(restoreTo(emptyPlace(), with_('"sqlite"', '"postgresql"'))).rejects.toThrow(
      /is of a PostgreSQL database/,
    );
    await expect(restoreTo(emptyPlace(), join(from.directory, "token"))).rejects.toThrow(/is not a backup of orch/);
    await expect(restoreTo(emptyPlace(), with_('"tasks":2', '"tasks":3'))).rejects.toThrow(/holds 2 tasks of 3/);
  });

  test("names a journal that is not as it was written, as its backup did, and leaves it in quarantine", async () => {
    const altered = placeIn(folder.path, "altered");
    mkdirSync(altered.directory, { mode: 0o700 });
    writeFileSync(join(altered.directory, "orch.db"), readFileSync(join(from.directory, "orch.db")));
    const database = new DatabaseSync(join(altered.directory, "orch.db"));
    database.exec("UPDATE journal_event SET at = '2026-03-06T10:00:00.000Z' WHERE thread_id = 'a'");
    database.close();
    const wrong = join(folder.path, "altered.orch");
    expect((await backUp(altered, wrong)).broken).toEqual(["a"]);
    expect(await restoreTo(emptyPlace(), wrong)).toMatchObject({
      journals_verified: 1,
      journals_archived: 0,
      journals_broken: ["a"],
      settled: { parked: 1, quarantined: ["a"] },
    });
  });

  test("reads as many journals as it is asked to", async () => {
    expect((await restoreTo(emptyPlace(), file, 1)).journals_verified).toBe(1);
  });
});
