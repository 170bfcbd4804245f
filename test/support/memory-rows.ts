// The rows of a Store in memory, and what a change does to them.
import type { Approval } from "../../src/domain/approval.ts";
import type { ThreadEnd } from "../../src/domain/backup.ts";
import type { Change } from "../../src/domain/change.ts";
import { OrchError } from "../../src/domain/errors.ts";
import { canRead } from "../../src/domain/journal.ts";
import type { CheckLook } from "../../src/domain/proof.ts";
import type { TaskScore } from "../../src/domain/scorecard/task-score.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { ArchivedTask, Task } from "../../src/domain/task.ts";
import { type Freeze, isSameFreeze } from "../../src/features/freeze/freeze.ts";
import type { Schedule } from "../../src/features/schedules/schedule.ts";

export type Rows = {
  readonly tasks: Map<string, Task>;
  readonly sops: Map<string, Sop>;
  readonly approvals: Map<string, Approval>;
  readonly looks: Map<string, CheckLook>;
  readonly scores: Map<string, TaskScore>;
  readonly duties: Map<string, number>;
  readonly schedules: Map<string, Schedule>;
  readonly freezes: Map<string, Freeze>;
  /** By day. */
  readonly leaves: Map<string, readonly ThreadEnd[]>;
  readonly archived: Map<string, ArchivedTask>;
};

export const noRows = (): Rows => ({
  tasks: new Map(),
  sops: new Map(),
  approvals: new Map(),
  looks: new Map(),
  scores: new Map(),
  duties: new Map(),
  schedules: new Map(),
  freezes: new Map(),
  leaves: new Map(),
  archived: new Map(),
});

export const copyOf = ({
  tasks,
  sops,
  approvals,
  looks,
  scores,
  duties,
  schedules,
  freezes,
  leaves,
  archived,
}: Rows): Rows => ({
  tasks: new Map(tasks),
  sops: new Map(sops),
  approvals: new Map(approvals),
  looks: new Map(looks),
  scores: new Map(scores),
  duties: new Map(duties),
  schedules: new Map(schedules),
  freezes: new Map(freezes),
  leaves: new Map(leaves),
  archived: new Map(archived),
});

/** Applies the change to the rows; false when its expectation does not hold. */
export function applies(
  { tasks, sops, approvals, looks, schedules, freezes, scores, duties, leaves, archived }: Rows,
  change: Change,
  at: string,
): boolean {
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
      if (expect.owner !== undefined && !expect.owner.includes(task.owner)) return false;
      if (expect.readable_at !== undefined && !canRead(expect.readable_at, task.needs_level)) return false;
      tasks.set(task_id, { ...task, updated_at: at, ...given(set) });
      return true;
    }
    case "task_level": {
      const task = tasks.get(change.task_id);
      if (task !== undefined)
        tasks.set(task.task_id, { ...task, needs_level: Math.max(task.needs_level ?? 0, change.level) });
      return true;
    }
    case "task_archived":
      return creates(archived, change.archived.task_id, change.archived);
    case "anchor_leaves":
      leaves.set(change.day, change.leaves);
      return true;
    // The only server has its targets in memory.
    case "target_held":
    case "target_freed":
      return true;
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
    case "task_scored":
      scores.set(change.score.task_id, change.score);
      return true;
    case "scores_deleted":
      scores.clear();
      return true;
    case "duty_done":
      if (change.expect !== undefined && change.expect !== (duties.get(change.name) ?? 0)) return false;
      duties.set(change.name, change.cursor);
      return true;
    case "schedule_created":
      return creates(schedules, change.schedule.name, change.schedule);
    case "schedule": {
      const schedule = schedules.get(change.name);
      if (schedule === undefined || !fits(schedule, change.expect)) return false;
      schedules.set(change.name, { ...schedule, ...given(change.set), updated_at: at });
      return true;
    }
    case "freeze_created": {
      const isOpen = [...freezes.values()].some((one) => one.thawed_at === null && isSameFreeze(one, change.freeze));
      return !isOpen && creates(freezes, change.freeze.freeze_id, change.freeze);
    }
    case "freeze_thawed": {
      const freeze = freezes.get(change.freeze_id);
      if (freeze === undefined || freeze.thawed_at !== null) return false;
      freezes.set(change.freeze_id, { ...freeze, ...change.damaged, ...change.set });
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

function creates<Row>(rows: Map<string, Row>, id: string, row: Row): boolean {
  if (rows.has(id)) return false;
  rows.set(id, row);
  return true;
}

type Key = Pick<Sop, "intent" | "target_signature">;
export const isOfKey = (sop: Key, key: Key): boolean =>
  sop.intent === key.intent && sop.target_signature === key.target_signature;

const isSecondActive = (sops: Rows["sops"], sop: Sop, status: Sop["status"]): boolean =>
  status === "active" &&
  [...sops.values()].some((other) => other.sop_id !== sop.sop_id && isOfKey(other, sop) && other.status === "active");

const given = <Set extends object>(set: Set): Set =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Set;

export const fits = (row: object, wanted: object): boolean =>
  Object.entries(wanted).every(([key, value]) => value === undefined || Reflect.get(row, key) === value);
