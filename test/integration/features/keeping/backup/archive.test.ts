// Journals that are archived are read as before, stay chained to what comes later, and survive a kill at each moment.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { verifyBundle } from "../../../../../src/engine/evidence/verify/bundle.ts";
import { openDatabase } from "../../../../../src/store/database.ts";
import { check, cmd } from "../../../../support/builders.ts";
import { backUp, restoreTo } from "../../../../support/copied-engine.ts";
import { sqlRows, temporaryFolder } from "../../../../support/database.ts";
import { type Engine, openEngine } from "../../../../support/engine.ts";
import { orderIn } from "../../../../support/kill-at.ts";
import { databases, postgres } from "../../../../support/postgres.ts";

const run = promisify(execFile);
const KILL_AT = join(import.meta.dirname, "../../../../support/kill-at.ts");
const ARCHIVE = join(import.meta.dirname, "../../../../support/archive-process.ts");

const server = postgres();
const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

/** False where it was killed. */
async function archive(place: { url: string; archive_dir: string }, kill_at?: string): Promise<boolean> {
  const kill_dir = join(folder.path, "kill");
  mkdirSync(kill_dir, { recursive: true });
  if (kill_at !== undefined) writeFileSync(orderIn(kill_dir), kill_at);
  const env = { ...process.env, KILL_DIR: kill_dir };
  const args = ["--import", KILL_AT, ARCHIVE, place.url, place.archive_dir];
  return run(process.execPath, args, { env }).then(
    () => true,
    ({ signal }) => {
      expect(signal).toBe("SIGKILL");
      return false;
    },
  );
}

async function work(engine: Engine): Promise<void> {
  await engine.plant("deploy", engine.targetOf("a"), [cmd("echo x >> a.ran"), check("test -e a.ran")]);
  await engine.plant("deploy", engine.targetOf("b"), [check("test -e nowhere")]);
  for (const name of ["first", "second"]) await engine.run(name, { target: engine.targetOf("a") });
  await engine.run("failing", { target: engine.targetOf("b") });
  await engine.run("waiting");
  await engine.run("refuted", { target: engine.targetOf("a") });
  const refuted = { verified: false, source: "a look" };
  await engine.call("record_verification", { task_id: "refuted", ...refuted });
}

const countIn = async (url: string) => {
  const database = await openDatabase({ url });
  const sql = "SELECT thread_id, COUNT(*) AS events FROM journal_event GROUP BY thread_id";
  const rows = await sqlRows<{ thread_id: string; events: unknown }>(database, sql);
  const placed = await sqlRows<{ file: string; file_bytes: unknown; task_id: string }>(
    database,
    "SELECT task_id, file, file_bytes FROM archived ORDER BY task_id",
  );
  await database.close();
  return { events: new Map(rows.map(({ thread_id, events }) => [thread_id, Number(events)])), placed };
};

test.each(databases(server))(
  "old journals of %s go to files, once each, also when the archiving is killed",
  { timeout: 120_000 },
  async (name, settings) => {
    const directory = join(folder.path, name.replaceAll(" ", "-"));
    const archive_dir = join(directory, "archive");
    mkdirSync(directory);
    const env = { ORCH_DRAIN_SECONDS: "0", ORCH_ARCHIVE_DIR: archive_dir, ...(await settings()) };
    const url = "DATABASE_URL" in env ? String(env.DATABASE_URL) : `file:${join(directory, "orch.db")}`;
    const engine = await openEngine({ env, directory });
    await work(engine);
    const asked = ["first", "second", "failing", "waiting", "refuted"];
    const read = async (from: Engine) =>
      Promise.all(
        asked.map(async (task_id) => [
          await from.call("get_task", { task_id }),
          await from.call("get_evidence", { task_id }),
        ]),
      );
    const before = await read(engine);
    await engine.scores.foldAll();
    await engine.shutDown();
    const whole = (await countIn(url)).events;

    for (const moment of ["archive:written#1", "archive:read back#1"]) {
      expect(await archive({ url, archive_dir }, moment)).toBe(false);
      expect(await countIn(url)).toMatchObject({ events: whole, placed: [] });
    }
    expect(await archive({ url, archive_dir })).toBe(true);
    const { events, placed } = await countIn(url);
    // `waiting` has not ended, and `refuted` was refuted; it is the last run that has passed too.
    const ids = placed.map(({ task_id }) => task_id);
    expect(ids).toEqual(["failing", "first", "second"]);
    for (const id of ids) expect(events.get(id)).toBe(1);
    const [{ file } = { file: "" }] = placed;
    const bytes = placed.reduce((sum, { file_bytes }) => sum + Number(file_bytes), 0);
    expect(statSync(join(archive_dir, file)).size, "nothing of a run that was cut off is in the file").toBe(bytes);
    const archived = readFileSync(join(archive_dir, file));
    const index = readFileSync(join(archive_dir, `${file}.index`), "utf8")
      .trimEnd()
      .split("\n");
    const inFile = index.map((line) => {
      const { file_offset, file_bytes } = JSON.parse(line);
      return JSON.parse(zstdDecompressSync(archived.subarray(file_offset, file_offset + file_bytes)).toString())
        .task_id;
    });
    expect(inFile.sort()).toEqual(ids);
    expect(await archive({ url, archive_dir })).toBe(true);
    expect((await countIn(url)).placed).toEqual(placed);

    await using again = await openEngine({ env, directory });
    expect(await read(again)).toEqual(before);
    await again.call("record_verification", { task_id: "first", verified: true, source: "a look" });
    expect(verifyBundle(await again.call("get_evidence", { task_id: "first" })).faults).toEqual([]);
    const tail = await again.call("read_journal", { task_id: "first", after: 2, limit: 2 });
    expect(tail.events.map(({ seq }: { seq: number }) => seq)).toEqual([3, 4]);
    const backup = join(folder.path, `${name}.orch`.replaceAll(" ", "-"));
    await backUp({ directory, env }, backup);
    const restored = join(folder.path, `restored-${name}`.replaceAll(" ", "-"));
    const to = { directory: restored, env: { ...env, ...(await settings()) } };
    const report = await restoreTo(to, backup);
    expect(report).toMatchObject({ journals_archived: 3, journals_broken: [] });
    expect(report.journals_verified).toBeGreaterThan(1);
  },
);
