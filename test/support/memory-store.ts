// A Store in memory, for unit tests. It passes the suite of every Store (test/conformance/store-memory.test.ts).
import { timedAs } from "../../src/domain/change.ts";
import { neededHere } from "../../src/domain/contract.ts";
import { chain, changesScore, isMessage, type JournalEvent, levelOf } from "../../src/domain/journal.ts";
import type { Task } from "../../src/domain/task.ts";
import { UnverifiedTask } from "../../src/domain/verification.ts";
import type { Freeze } from "../../src/features/freeze/freeze.ts";
import type { Schedule } from "../../src/features/schedules/schedule.ts";
import type { Clock, Store } from "../../src/ports.ts";
import { AT } from "./builders.ts";
import { memoryAnchors } from "./memory-anchors.ts";
import { memoryArchive } from "./memory-archive.ts";
import { applies, copyOf, fits, isOfKey, noRows } from "./memory-rows.ts";
import { memoryScores } from "./memory-scores.ts";

export function memoryStore(clock: Clock = () => new Date(AT)): Store {
  const journals = new Map<string, JournalEvent[]>();
  const messages: JournalEvent[] = [];
  const scoring: string[] = [];
  const written_events: JournalEvent[] = [];
  const delivered = new Map<string, number>();
  let rows = noRows();
  const journalOf = (thread_id: string) => journals.get(thread_id) ?? [];

  return {
    commit: async ({ thread_id, after, events, changes = [], unless_frozen, onWritten }) => {
      const known = journalOf(thread_id);
      const tail = known.at(-1) ?? null;
      if (after !== "last" && after?.seq !== tail?.seq) return { ok: false, conflict: "journal" };
      const holding = openOf(rows.freezes).filter(({ freeze_id }) => unless_frozen?.includes(freeze_id) === false);
      if (holding.length > 0) return { ok: false, conflict: "held" };
      const at = clock().toISOString();
      const changed = copyOf(rows);
      for (const change of changes) {
        if (change.on !== "task_archived") continue;
        const end = journalOf(change.archived.task_id).at(-1);
        if (end?.seq !== change.archived.last_seq || end.hash !== change.archived.last_hash)
          return { ok: false, conflict: change };
      }
      const written = frozen(chain(thread_id, tail, structuredClone(events), at));
      for (const change of changes)
        if (!applies(changed, timedAs(change, written, at), at)) return { ok: false, conflict: change };
      const level = levelOf(events);
      if (level !== null) applies(changed, { on: "task_level", task_id: thread_id, level }, at);
      rows = changed;
      journals.set(thread_id, [...known, ...written]);
      for (const change of changes) if (change.on === "delivered") delivered.set(change.receiver, change.cursor);
      written_events.push(...written);
      messages.push(...written.filter(({ kind }) => isMessage(kind)));
      scoring.push(...written.filter(({ kind }) => changesScore(kind)).map((event) => event.thread_id));
      onWritten?.(written);
      return { ok: true, events: written };
    },
    appendLateResult: async (thread_id, after, late) => {
      const known = journalOf(thread_id);
      const tail = known.at(-1);
      if (tail?.seq !== after.seq) return { ok: false, conflict: "journal" };
      const [event] = chain(thread_id, tail, [{ kind: "late_result", body: late }], clock().toISOString());
      if (event === undefined) throw new Error("one event was chained");
      journals.set(thread_id, [...known, event]);
      messages.push(event);
      written_events.push(event);
      return { ok: true, events: [event] };
    },
    renewLeases: async (owner, lease_expires_at) => {
      for (const task of rows.tasks.values())
        if (task.owner === owner && isUnfinished(task)) rows.tasks.set(task.task_id, { ...task, lease_expires_at });
    },
    readJournal: async (thread_id, page = { after: 0, limit: Number.POSITIVE_INFINITY }) =>
      journalOf(thread_id).slice(page.after, page.after + page.limit),
    readMessages: async (after, limit) =>
      messages.map((event, nth) => ({ cursor: nth + 1, event })).slice(after, after + limit),
    lastMessage: async () => messages.length,
    findDelivered: async (receiver) => delivered.get(receiver) ?? null,
    listHolds: async () => [],
    findTask: async (task_id) => rows.tasks.get(task_id) ?? null,
    listTasks: async ({ limit, after, verified, since = "", q = "", waits_for, ...given }) => {
      const tasks = inOrder(rows.tasks, "task_id").reverse();
      return pageOf(
        tasks
          .filter((task) => waits_for === undefined || task.waiting?.kind === waits_for)
          .filter(
            (task) => fits(task, given) && task.created_at >= since && isVerifiedAs(task, verified) && isNamed(task, q),
          ),
        "task_id",
        { limit, after },
      );
    },
    listTaskColumns: async ({ limit, after, status, unended = false, labelled = false, target_signature }) => {
      const tasks = inOrder(rows.tasks, "task_id");
      const start = after === undefined ? 0 : tasks.findIndex(({ task_id }) => task_id === after) + 1;
      return tasks
        .slice(start)
        .filter((task) => target_signature === undefined || task.target_signature === target_signature)
        .filter((task) => !labelled || neededHere(task) !== null)
        .filter((task) => status.includes(task.status) || (unended && task.ended_at === null))
        .slice(0, limit);
    },
    listUnverified: async ({ limit, after, wants }) => {
      const isMissed = ({ task_id }: Task) => journalOf(task_id).some(({ kind }) => kind === "verification_missed");
      const wanted = [...rows.tasks.values()]
        .filter(
          ({ status, verification, contract }) =>
            status === "ok" && verification === null && contract[wants] !== undefined,
        )
        .filter((task) => wants !== "verify_by" || !isMissed(task))
        .sort((a, b) => `${a.ended_at} ${a.task_id}`.localeCompare(`${b.ended_at} ${b.task_id}`))
        .map(({ task_id, intent, target_signature, ended_at, contract }) =>
          UnverifiedTask.parse({ task_id, intent, target_signature, ended_at, contract }),
        );
      const before = after === undefined ? undefined : rows.tasks.get(after);
      const isAfter = (task: UnverifiedTask) =>
        before === undefined || `${task.ended_at} ${task.task_id}` > `${before.ended_at} ${before.task_id}`;
      return wanted.filter(isAfter).slice(0, limit);
    },
    findSop: async (sop_id) => rows.sops.get(sop_id) ?? null,
    findActiveSop: async (intent, target_signature) =>
      [...rows.sops.values()].find((sop) => isOfKey(sop, { intent, target_signature }) && sop.status === "active") ??
      null,
    listSops: async ({ limit, after, ...given }) => {
      const sops = inOrder(rows.sops, "sop_id").reverse();
      return pageOf(
        sops.filter((sop) => fits(sop, given)),
        "sop_id",
        { limit, after },
      );
    },
    mostUsedSops: async (limit) =>
      inOrder(rows.sops, "sop_id")
        .reverse()
        .filter(({ status }) => status === "active")
        .sort((a, b) => b.success_count - a.success_count)
        .slice(0, limit),
    findApproval: async (approval_id) => rows.approvals.get(approval_id) ?? null,
    listApprovals: async ({ limit, after, ...given }) => {
      const approvals = inOrder(rows.approvals, "approval_id");
      return pageOf(
        approvals.filter((approval) => fits(approval, given)),
        "approval_id",
        { limit, after },
      );
    },
    findCheckLook: async (kind, digest) => rows.looks.get(`${kind} ${digest}`) ?? null,
    ...memoryScores(() => ({ ...rows, scoring })),
    // What is in memory is as it was written.
    judgeChains: async () => ({ judged: journals.size, broken: [], last: null }),
    missingEnds: async () => ({ judged: 0, broken: [], last: null }),
    ...memoryArchive(() => rows),
    ...memoryAnchors(() => ({ events: written_events, leaves: rows.leaves })),
    findSchedule: async (name) => rows.schedules.get(name) ?? null,
    listSchedules: async ({ limit, after = "" }) =>
      byName(rows.schedules)
        .filter(({ name }) => name > after)
        .slice(0, limit),
    dueSchedules: async (at) => {
      const open = byName(rows.schedules).sort((a, b) => (a.next_due ?? "").localeCompare(b.next_due ?? ""));
      const isDue = ({ open_due, next_due }: Schedule) => open_due !== null || (next_due !== null && next_due <= at);
      const next = open.find(({ next_due }) => next_due !== null && next_due > at)?.next_due ?? null;
      return { due: open.filter(isDue), next };
    },
    findFreeze: async (freeze_id) => rows.freezes.get(freeze_id) ?? null,
    listFreezes: async (page) => {
      const thawed = [...rows.freezes.values()].filter(({ thawed_at }) => thawed_at !== null);
      const newest = thawed.sort((a, b) => ((a.thawed_at ?? "") < (b.thawed_at ?? "") ? 1 : -1));
      return pageOf([...openOf(rows.freezes).reverse(), ...newest], "freeze_id", page);
    },
    openFreezes: async () => ({ freezes: openOf(rows.freezes), unreadable: [] }),
    // What others see of servers is in their rows of a database; here there is one server, and it sees itself.
    listServers: async () => [],
    describeServers: async () => ({
      now: clock().toISOString(),
      servers: [],
      held: [],
      unread: [],
      waiting: { tasks: 0, oldest_seconds: null },
    }),
    askToDrain: async () => undefined,
    expiringApprovals: async (at) => {
      const pending = [...rows.approvals.values()]
        .filter(({ status }) => status === "pending")
        .sort((a, b) => a.expires_at.localeCompare(b.expires_at));
      const due = pending.filter(({ expires_at }) => expires_at <= at);
      return { due, next: pending[due.length]?.expires_at ?? null };
    },
  };
}

const isVerifiedAs = ({ verification }: Task, wanted: string | undefined): boolean =>
  wanted === undefined || String(verification?.verified ?? "none") === wanted;

/** In letters of any case, as far as they are of ASCII. */
const isNamed = ({ task_id, intent, target_signature }: Task, text: string): boolean =>
  [task_id, intent, target_signature].some((name) => inSmall(name).includes(inSmall(text)));

const inSmall = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The oldest first. */
const openOf = (freezes: ReadonlyMap<string, Freeze>): Freeze[] =>
  [...freezes.values()].filter(({ thawed_at }) => thawed_at === null).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const keyOf = ({ created_at, freeze_id }: Freeze): string => `${created_at} ${freeze_id}`;

const byName = (schedules: ReadonlyMap<string, Schedule>): Schedule[] =>
  [...schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

const isUnfinished = ({ status }: Task): boolean => status === "accepted" || status === "running";

/** Oldest first. */
const inOrder = <Row extends { readonly created_at: string }>(rows: Map<string, Row>, id: keyof Row): Row[] =>
  [...rows.values()].sort((a, b) =>
    `${a.created_at} ${String(a[id])}`.localeCompare(`${b.created_at} ${String(b[id])}`),
  );

function pageOf<Row>(
  rows: readonly Row[],
  id: keyof Row,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Row[] {
  const start = after === undefined ? 0 : rows.findIndex((row) => row[id] === after) + 1;
  return rows.slice(start, start + limit);
}

/** With all that is in it, because others are given the same. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
