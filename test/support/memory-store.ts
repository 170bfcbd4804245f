// A Store in memory, for unit tests. It passes the suite of every Store (test/conformance/store-memory.test.ts).
import type { Approval } from "../../src/domain/approval.ts";
import { OrchError } from "../../src/domain/errors.ts";
import { chain, isMessage, type JournalEvent } from "../../src/domain/journal.ts";
import type { CheckLook } from "../../src/domain/proof.ts";
import type { Schedule } from "../../src/domain/schedule.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Change, Clock, Store } from "../../src/ports.ts";
import { AT } from "./builders.ts";

type Rows = {
  readonly tasks: Map<string, Task>;
  readonly sops: Map<string, Sop>;
  readonly approvals: Map<string, Approval>;
  readonly looks: Map<string, CheckLook>;
  readonly schedules: Map<string, Schedule>;
};

export function memoryStore(clock: Clock = () => new Date(AT)): Store {
  const journals = new Map<string, JournalEvent[]>();
  const messages: JournalEvent[] = [];
  const delivered = new Map<string, number>();
  let rows: Rows = {
    ...{ tasks: new Map(), sops: new Map(), approvals: new Map(), looks: new Map(), schedules: new Map() },
  };
  const journalOf = (thread_id: string) => journals.get(thread_id) ?? [];

  return {
    commit: async ({ thread_id, after, events, changes = [] }) => {
      const known = journalOf(thread_id);
      const tail = known.at(-1) ?? null;
      if (after !== "last" && after?.seq !== tail?.seq) return { ok: false, conflict: "journal" };
      const at = clock().toISOString();
      const { tasks, sops, approvals, looks, schedules } = rows;
      const changed: Rows = {
        ...{ tasks: new Map(tasks), sops: new Map(sops) },
        ...{ approvals: new Map(approvals), looks: new Map(looks), schedules: new Map(schedules) },
      };
      for (const change of changes) if (!applies(changed, change, at)) return { ok: false, conflict: change };
      const written = chain(thread_id, tail, structuredClone(events), at);
      rows = changed;
      journals.set(thread_id, [...known, ...written]);
      for (const change of changes) if (change.on === "delivered") delivered.set(change.receiver, change.cursor);
      messages.push(...written.filter(({ kind }) => isMessage(kind)));
      return { ok: true, events: written };
    },
    renewLeases: async (owner, lease_expires_at) => {
      for (const task of rows.tasks.values())
        if (task.owner === owner && isUnfinished(task)) rows.tasks.set(task.task_id, { ...task, lease_expires_at });
    },
    endLease: async (owner, task_id) => {
      const task = rows.tasks.get(task_id);
      if (task?.owner === owner) rows.tasks.set(task_id, { ...task, lease_expires_at: null });
    },
    readJournal: async (thread_id, page = { after: 0, limit: Number.POSITIVE_INFINITY }) =>
      journalOf(thread_id).slice(page.after, page.after + page.limit),
    readMessages: async (after, limit) =>
      messages.map((event, nth) => ({ cursor: nth + 1, event })).slice(after, after + limit),
    lastMessage: async () => messages.length,
    findDelivered: async (receiver) => delivered.get(receiver) ?? null,
    findTask: async (task_id) => rows.tasks.get(task_id) ?? null,
    listTasks: async ({ limit, after, ...given }) => {
      const tasks = inOrder(rows.tasks, "task_id").reverse();
      return pageOf(
        tasks.filter((task) => fits(task, given)),
        "task_id",
        { limit, after },
      );
    },
    listTaskColumns: async ({ limit, after, status, unended = false }) => {
      const tasks = inOrder(rows.tasks, "task_id");
      const start = after === undefined ? 0 : tasks.findIndex(({ task_id }) => task_id === after) + 1;
      return tasks
        .slice(start)
        .filter((task) => status.includes(task.status) || (unended && task.ended_at === null))
        .slice(0, limit);
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
    expiringApprovals: async (at) => {
      const pending = [...rows.approvals.values()]
        .filter(({ status }) => status === "pending")
        .sort((a, b) => a.expires_at.localeCompare(b.expires_at));
      const due = pending.filter(({ expires_at }) => expires_at <= at);
      return { due, next: pending[due.length]?.expires_at ?? null };
    },
  };
}

/** Applies the change to the rows; false when its expectation does not hold. */
function applies({ tasks, sops, approvals, looks, schedules }: Rows, change: Change, at: string): boolean {
  if (JSON.stringify(change).includes("\\u0000")) throw new OrchError("input_invalid", "a text contains NUL");
  switch (change.on) {
    case "task_created":
      return creates(tasks, change.task.task_id, change.task);
    case "task": {
      const { task_id, expect, set } = change;
      const task = tasks.get(task_id);
      const asked = expect.interrupt_id;
      if (task === undefined || (expect.status !== "any" && !expect.status.includes(task.status))) return false;
      if (asked !== undefined && task.waiting?.interrupt_id !== asked) return false;
      tasks.set(task_id, { ...task, updated_at: at, ...given(set) });
      return true;
    }
    case "sop_created": {
      const { sop } = change;
      const others = [...sops.values()].filter((other) => isOfKey(other, sop));
      const isTaken = others.some(({ version }) => version === sop.version) || isSecondActive(sops, sop, sop.status);
      return !isTaken && creates(sops, sop.sop_id, sop);
    }
    case "sop": {
      const { sop_id, expect, set } = change;
      const sop = sops.get(sop_id);
      if (sop === undefined || !fits(sop, expect) || isSecondActive(sops, sop, set.status ?? sop.status)) return false;
      sops.set(sop_id, { ...sop, ...given(set), updated_at: at });
      return true;
    }
    case "sop_counted": {
      const sop = sops.get(change.sop_id);
      if (sop === undefined) return false;
      const { success_count, failure_count } = sop;
      const counted = change.passed
        ? { success_count: success_count + 1, last_success_at: at }
        : { failure_count: failure_count + 1 };
      sops.set(sop.sop_id, { ...sop, ...counted, ...(change.proved && { level: "proved" }), updated_at: at });
      return true;
    }
    case "check_look":
      looks.set(`${change.look.kind} ${change.look.digest}`, change.look);
      return true;
    case "delivered":
      return true;
    case "schedule_created":
      return creates(schedules, change.schedule.name, change.schedule);
    case "schedule": {
      const schedule = schedules.get(change.name);
      if (schedule === undefined || !fits(schedule, change.expect)) return false;
      schedules.set(change.name, { ...schedule, ...given(change.set), updated_at: at });
      return true;
    }
    case "schedule_deleted":
      return schedules.get(change.name)?.created_at === change.expect.created_at && schedules.delete(change.name);
    case "approval_created":
      return creates(approvals, change.approval.approval_id, change.approval);
    case "approval": {
      const approval = approvals.get(change.approval_id);
      if (approval?.status !== "pending") return false;
      approvals.set(approval.approval_id, { ...approval, ...given(change.set) });
      return true;
    }
  }
}

const byName = (schedules: ReadonlyMap<string, Schedule>): Schedule[] =>
  [...schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

const isUnfinished = ({ status }: Task): boolean => status === "accepted" || status === "running";

function creates<Row>(rows: Map<string, Row>, id: string, row: Row): boolean {
  if (rows.has(id)) return false;
  rows.set(id, row);
  return true;
}

type Key = Pick<Sop, "intent" | "target_signature">;
const isOfKey = (sop: Key, key: Key): boolean =>
  sop.intent === key.intent && sop.target_signature === key.target_signature;

const isSecondActive = (sops: Rows["sops"], sop: Sop, status: Sop["status"]): boolean =>
  status === "active" &&
  [...sops.values()].some((other) => other.sop_id !== sop.sop_id && isOfKey(other, sop) && other.status === "active");

const given = <Set extends object>(set: Set): Set =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Set;

const fits = (row: object, wanted: object): boolean =>
  Object.entries(wanted).every(([key, value]) => value === undefined || Reflect.get(row, key) === value);

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
