// Brings a backup back into an empty place: unpacked under another name or under a mark, examined, settled, and only then there. A stop at
// any moment leaves a place into which the same can be restored again.
import { createWriteStream } from "node:fs";
import { open, rename, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Config } from "../config/config.ts";
import { createDataDir } from "../config/data-dir.ts";
import { tokenPath } from "../config/token-file.ts";
import type { Approval } from "../domain/approval.ts";
import type { BackupManifest } from "../domain/backup.ts";
import { isUnreadable, OrchError } from "../domain/errors.ts";
import type { Task } from "../domain/task.ts";
import { ANCHOR_THREAD, PROMOTION_PREFIX } from "../domain/thread-id.ts";
import type { Clock, Commit, Store } from "../ports.ts";
import { moment } from "../process/moment.ts";
import { type Contents, contentsOf, judgeJournals, threadEnds } from "../store/copy/heads.ts";
import { fillPostgresql, unmarkPostgresql } from "../store/copy/postgresql-copy.ts";
import { forgetServers, noteBackup, raiseCursor } from "../store/copy/restored-rows.ts";
import { examineCopy, removeSqlite } from "../store/copy/sqlite-copy.ts";
import { openDatabase } from "../store/database.ts";
import { isPostgresql, sqlitePath } from "../store/database-target.ts";
import { lockDatabase } from "../store/ownership.ts";
import { createStore } from "../store/store.ts";
import { projection } from "../tasks/projection.ts";
import { type Settled, settlePromotion, settleSchedule, settleTask } from "../tasks/settle-restored.ts";
import { restored } from "../tasks/sop-versions.ts";
import { settleVerification } from "../tasks/verify-by.ts";
import { everyPage } from "../worker/every-page.ts";
import { askedByWorker } from "../worker/give-up.ts";
import { openTasks } from "../worker/recovery.ts";
import { damaged, readManifest, readParts, syncDirectory } from "./backup-file.ts";
import type { RestoreOrder, RestoreReport, SettleReport } from "./reports.ts";

type Target = Pick<Config, "database_url" | "data_dir">;

export async function restoreBackup(target: Target, order: RestoreOrder, clock: Clock): Promise<RestoreReport> {
  const path = resolve(order.file);
  const manifest = await readManifest(path);
  ensureKind(target, manifest);
  await createDataDir(target.data_dir);
  const unpacked = { path, manifest, sample: order.sample, clock };
  return isPostgresql(target.database_url) ? intoServer(target, unpacked) : intoFile(target, unpacked);
}

type Unpacked = {
  readonly path: string;
  readonly manifest: BackupManifest;
  readonly sample: number | undefined;
  readonly clock: Clock;
};

function ensureKind({ database_url }: Target, { database }: BackupManifest): void {
  const kind = isPostgresql(database_url) ? "postgresql" : "sqlite";
  if (kind === database) return;
  const names = { postgresql: "a PostgreSQL database", sqlite: "a SQLite file" };
  throw new OrchError("input_invalid", `the backup is of ${names[database]}, and DATABASE_URL names ${names[kind]}`, {
    fix: `set DATABASE_URL to ${names[database]}`,
  });
}

async function intoFile({ database_url, data_dir }: Target, unpacked: Unpacked): Promise<RestoreReport> {
  const path = sqlitePath(database_url);
  const lock = await lockDatabase(path);
  try {
    await ensureNoFile(path);
    const aside = `${path}.restoring`;
    await removeSqlite(aside);
    try {
      const done = await fillFile(aside, unpacked);
      const token = await writeToken(data_dir, done.token);
      await rename(aside, path);
      moment("restore:named");
      await syncDirectory(dirname(path));
      return { ...done, manifest: unpacked.manifest, token };
    } catch (error) {
      await removeSqlite(aside);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

async function fillFile(aside: string, unpacked: Unpacked) {
  const token = await unpack(unpacked, (source) => source(createWriteStream(aside, { mode: 0o600, flags: "wx" })));
  moment("restore:unpacked");
  const { path, manifest } = unpacked;
  ensureSame(path, manifest, await examineCopy(aside, { reads: false }));
  const done = await settled(`file:${aside}`, unpacked);
  moment("restore:settled");
  await syncFile(aside);
  return { ...done, token };
}

async function ensureNoFile(path: string): Promise<void> {
  for (const name of [path, `${path}-wal`]) {
    const found = await stat(name).catch(() => null);
    if (found === null) continue;
    throw new OrchError("database_unusable", `there is a database at ${path} already`, {
      fix: "restore into an empty place: set ORCH_DATA_DIR or DATABASE_URL to it. A backup is never restored over anything",
    });
  }
}

async function syncFile(path: string): Promise<void> {
  if ((await stat(`${path}-wal`).catch(() => null)) !== null) throw new Error(`the log of ${path} was not closed`);
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

async function intoServer({ database_url, data_dir }: Target, unpacked: Unpacked): Promise<RestoreReport> {
  const given = await unpack(unpacked, async (source) => {
    const dump = new PassThrough();
    await Promise.all([source(dump), fillPostgresql(database_url, dump).finally(() => dump.destroy())]);
  });
  moment("restore:unpacked");
  const done = await settled(database_url, unpacked);
  moment("restore:settled");
  const token = await writeToken(data_dir, given);
  await unmarkPostgresql(database_url);
  return { manifest: unpacked.manifest, ...done, token };
}

type Source = (into: NodeJS.WritableStream) => Promise<void>;

/** Resolves with the token; null where there is none. */
async function unpack({ path, manifest }: Unpacked, fill: (source: Source) => Promise<void>): Promise<string | null> {
  let token: string | null = null;
  await readParts(path, manifest, async (name, source) => {
    if (name === "database") return fill(source);
    const into = new PassThrough();
    const [bytes] = await Promise.all([buffer(into), source(into)]);
    token = bytes.toString("utf8");
  });
  return token;
}

/** Once everything is verified: what was refused leaves nothing. */
async function writeToken(data_dir: string, token: string | null): Promise<RestoreReport["token"]> {
  if (token === null) return "none";
  return writeFile(tokenPath(data_dir), `${token}\n`, { flag: "wx", mode: 0o600, flush: true }).then(
    () => "restored",
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return "kept";
      throw error;
    },
  );
}

/** Migrates it where it is of an earlier version; reads its journals; settles it. */
async function settled(url: string, { path, manifest, sample, clock }: Unpacked) {
  const database = await openDatabase({ url, restores: true });
  try {
    const { connection } = database;
    const ends = await threadEnds(connection);
    ensureSame(path, manifest, await contentsOf(connection, ends));
    const { whole, archived, broken } = await judgeJournals(connection, chosen(ends, sample));
    moment("restore:verified");
    await raiseCursor(database);
    const store = createStore({ database, clock });
    const { taken_at } = manifest;
    const { report, freed } = await settleDatabase({ store, clock, taken_at });
    await forgetServers(database, freed);
    await noteBackup(connection, taken_at);
    return { journals_verified: whole, journals_archived: archived, journals_broken: broken, settled: report };
  } finally {
    await database.close();
  }
}

/** Any of them, so that a part that is always left out is none. */
function chosen<T>(ends: readonly T[], sample: number | undefined): readonly T[] {
  if (sample === undefined || sample >= ends.length) return ends;
  const left = [...ends];
  return Array.from({ length: sample }, () => left.splice(Math.floor(Math.random() * left.length), 1)).flat();
}

function ensureSame(path: string, { tasks, cursor, head }: BackupManifest, found: Contents): void {
  if (found.tasks !== tasks) throw damaged(path, `it holds ${found.tasks} tasks of ${tasks}`);
  if (found.cursor !== cursor) throw damaged(path, `its last event is ${found.cursor}, and should be ${cursor}`);
  if (found.head.root === head.root) return;
  throw damaged(path, `the last hashes of its ${found.head.threads} journals are not those that it was made with`);
}

// Settles a database that was restored, before any server has it: nothing in it goes on by itself (D-370).

type Settling = { readonly store: Store; readonly clock: Clock; readonly taken_at: string };

/** Resolves with what was settled and the tasks that keep no target. */
async function settleDatabase(settling: Settling): Promise<{ report: SettleReport; freed: string[] }> {
  const report: SettleReport = {
    asked: 0,
    parked: 0,
    expired: 0,
    left: 0,
    promotions: 0,
    schedules: 0,
    unverified: 0,
    quarantined: [],
  };
  const freed: string[] = [];
  const pending = await pendingByThread(settling.store);
  const unreadable = async ({ task_id }: Pick<Task, "task_id">, error: unknown) => {
    if (!isUnreadable(error)) throw error;
    report.quarantined.push(task_id);
  };
  for (const task of await openTasks(settling.store, unreadable)) {
    try {
      const { as, transition } = await settleOne(settling, task, pending.get(task.task_id) ?? []);
      report[as] += 1;
      if (transition.changes.some(({ on }) => on === "target_freed")) freed.push(task.task_id);
    } catch (error) {
      await unreadable(task, error);
    }
  }
  await settlePromotions(settling, pending, report);
  await settleSchedules(settling, report);
  await settleVerifications(settling, report);
  // Anchors begin anew on the day of the restore.
  const events = [{ kind: "restored", body: { taken_at: settling.taken_at } } as const];
  await committed(settling.store, { thread_id: ANCHOR_THREAD, after: "last", events });
  return { report, freed };
}

const timesOf = ({ clock, taken_at }: Settling) => ({ taken_at, at: clock().toISOString() });

async function settleOne(settling: Settling, task: Task, pending: readonly Approval[]): Promise<Settled> {
  const { store } = settling;
  const journal = await store.readJournal(task.task_id);
  const state = projection(journal);
  const replaced = pending.length === 0 ? null : await restored(store, state);
  const interrupt_id = askedByWorker(journal.length);
  const settled = settleTask({ task, state, pending, replaced, interrupt_id }, timesOf(settling));
  await committed(store, { thread_id: task.task_id, after: journal.at(-1) ?? null, ...settled.transition });
  return settled;
}

/** There is no other writer. */
async function committed(store: Store, commit: Commit): Promise<void> {
  const result = await store.commit(commit);
  if (!result.ok)
    throw new Error(`what was restored of ${commit.thread_id} cannot be settled: ${JSON.stringify(result)}`);
}

async function pendingByThread(store: Store): Promise<Map<string, Approval[]>> {
  const approvals = await everyPage(
    (page) => store.listApprovals({ ...page, status: "pending" }),
    ({ approval_id }) => approval_id,
  );
  return Map.groupBy(approvals, ({ thread_id }) => thread_id);
}

async function settlePromotions(settling: Settling, pending: ReadonlyMap<string, Approval[]>, report: SettleReport) {
  for (const [thread_id, approvals] of pending) {
    if (!thread_id.startsWith(PROMOTION_PREFIX)) continue;
    for (const approval of approvals) {
      const transition = settlePromotion(approval, timesOf(settling));
      await committed(settling.store, { thread_id, after: "last", ...transition });
      report.promotions += 1;
    }
  }
}

async function settleSchedules(settling: Settling, report: SettleReport): Promise<void> {
  const { store } = settling;
  const schedules = await everyPage(
    (page) => store.listSchedules(page),
    ({ name }) => name,
  );
  for (const schedule of schedules) {
    await committed(store, settleSchedule(schedule, settling));
    if (schedule.status === "active") report.schedules += 1;
  }
}

async function settleVerifications(settling: Settling, report: SettleReport): Promise<void> {
  const { store, taken_at } = settling;
  const owed = await everyPage(
    (page) => store.listUnverified({ ...page, wants: "verify_by" }),
    ({ task_id }) => task_id,
  );
  const missed = `a backup of ${taken_at} was restored, and what has become of the target since is not known`;
  for (const { task_id } of owed) {
    const task = await store.findTask(task_id);
    if (task === null) continue;
    const transition = settleVerification(task, { missed, diagnostic: null }, timesOf(settling).at);
    await committed(store, { thread_id: task_id, after: "last", ...transition });
    report.unverified += 1;
  }
}
