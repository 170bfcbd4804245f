// Settles a database that was restored, before any server has it: its journals are read, and nothing in it goes on by itself (D-370).
import type { Approval } from "../../../domain/approval.ts";
import type { BackupManifest } from "../../../domain/backup.ts";
import { isUnreadable } from "../../../domain/errors.ts";
import type { Task } from "../../../domain/task.ts";
import { ANCHOR_THREAD, PROMOTION_PREFIX } from "../../../domain/thread-id.ts";
import { settleVerification } from "../../../engine/tasks/admission.ts";
import { projection } from "../../../engine/tasks/projection.ts";
import { type Settled, settlePromotion, settleTask } from "../../../engine/tasks/settle-restored.ts";
import { restored } from "../../../engine/tasks/sop-versions.ts";
import { askedByWorker } from "../../../engine/worker/give-up.ts";
import { everyPage, openTasks } from "../../../engine/worker/recovery.ts";
import type { Clock, Commit, Store } from "../../../ports.ts";
import { moment } from "../../../process/moment.ts";
import { askThrough, contentsOf, judgeJournals, threadEnds } from "../../../store/copy/heads.ts";
import { forgetServers, noteBackup, raiseCursor } from "../../../store/copy/restored-rows.ts";
import { openDatabase } from "../../../store/database.ts";
import { createStore } from "../../../store/store.ts";
import { scheduleRestored } from "../../rows.ts";
import { ensureSame } from "./backup-file.ts";
import type { SettleReport } from "./reports.ts";

/** A backup whose database was unpacked. */
export type Unpacked = {
  readonly path: string;
  readonly manifest: BackupManifest;
  /** How many journals are read; undefined for all. */
  readonly sample: number | undefined;
  readonly clock: Clock;
};

/** Migrates it where it is of an earlier version; reads its journals; settles it. */
export async function settleRestored(url: string, { path, manifest, sample, clock }: Unpacked) {
  const database = await openDatabase({ url, restores: true });
  try {
    const ask = askThrough(database.client);
    const ends = await threadEnds(ask);
    ensureSame(path, manifest, await contentsOf(ask, ends));
    const { whole, archived, broken } = await judgeJournals(ask, chosen(ends, sample));
    moment("restore:verified");
    await raiseCursor(database);
    const store = createStore({ database, clock });
    const { taken_at } = manifest;
    const { report, freed } = await settleDatabase({ store, clock, taken_at });
    await forgetServers(database, freed);
    await noteBackup(ask, taken_at);
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
    await committed(store, scheduleRestored(schedule, settling.taken_at));
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
