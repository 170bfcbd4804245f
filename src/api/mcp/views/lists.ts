// Lists as rows that say enough to choose one. A page ends where an answer would become too long.
import { z } from "zod";
import { Approval } from "../../../domain/approval.ts";
import { EventRecord } from "../../../domain/journal.ts";
import { OutcomeView } from "../../../domain/outcome.ts";
import type { ReasonCode } from "../../../domain/reason-code.ts";
import { SopRecord } from "../../../domain/scorecard/record.ts";
import { Sop } from "../../../domain/sop.ts";
import { listApprovals, listInbox } from "../../../features/approvals/shapes.ts";
import { listSops } from "../../../features/procedures/shapes.ts";
import { LATER_EVENTS } from "../../../features/records.ts";
import { limitOf } from "../../operations/operation.ts";
import { listMessages, readJournal } from "../../operations/shapes/journal.ts";
import { TaskSummary } from "../../operations/shapes/task-view.ts";
import { listTasks } from "../../operations/shapes/tasks.ts";
import { fitAnswer, fittingItems, MAX_TOKENS, tokensOf } from "../fit-answer.ts";
import { Cut, picked, viewOf, withCutMark } from "./view.ts";

/** Leaves room for the fields around a list. */
const SPARE = MAX_TOKENS - 150;
const MAX_EVENT_TOKENS = 1_000;

/** The first of them say that an operator is needed. */
const MOST_DAMAGED = 5;

const roomBeside = (damaged: readonly unknown[]): number => SPARE - tokensOf(damaged.slice(0, MOST_DAMAGED));

const fields = { limit: limitOf(20) };

/** The last item of a page that was cut short is where the next one goes on. */
const cutShort = <T>(rows: readonly T[], all: readonly unknown[]): T | undefined =>
  rows.length < all.length ? rows.at(-1) : undefined;

const TaskFields = TaskSummary.pick({
  task_id: true,
  status: true,
  label: true,
  intent: true,
  target_signature: true,
  queued_behind: true,
  queued_for: true,
  updated_at: true,
});
const TaskRow = TaskFields.extend({
  reason_code: z.string().nullable(),
  message: z.string().nullable(),
  approval_id: z.string().nullable(),
  waiting_text: z.string().optional().describe("what holds it up; absent where nothing does"),
});

const taskRow = (task: TaskSummary): z.infer<typeof TaskRow> => {
  const { outcome, waiting_text } = task;
  return {
    ...picked(TaskFields, task),
    reason_code: outcome?.reason_code ?? null,
    message: outcome && withCutMark(outcome.message),
    approval_id: outcome?.approval_id ?? null,
    ...(waiting_text !== null && { waiting_text }),
  };
};

export const tasksView = viewOf(listTasks.output, {
  fields,
  output: listTasks.output.extend({ tasks: z.array(TaskRow) }),
  show: ({ tasks: all, next_after, quarantined: damaged }) => {
    const tasks = fittingItems(all.map(taskRow), roomBeside(damaged));
    return {
      tasks,
      next_after: cutShort(tasks, all)?.task_id ?? next_after,
      quarantined: damaged.slice(0, MOST_DAMAGED),
    };
  },
});

export const SopRow = Sop.pick({
  sop_id: true,
  intent: true,
  target_signature: true,
  status: true,
  version: true,
  level: true,
  success_count: true,
  failure_count: true,
  updated_at: true,
}).extend({ steps: z.int().describe("how many") });

export const sopRow = (sop: Sop): z.infer<typeof SopRow> => {
  const { sop_id, intent, target_signature, status, version, level, success_count, failure_count, updated_at } = sop;
  const counts = { success_count, failure_count, steps: sop.steps.length };
  return { sop_id, intent, target_signature, status, version, level, ...counts, updated_at };
};

const MARK = SopRecord.shape.mark.nullable().describe("what its record shows; get_sop has it");

export const sopsView = viewOf(listSops.output, {
  fields,
  output: listSops.output.extend({ sops: z.array(SopRow.extend({ mark: MARK })) }),
  show: ({ sops: all, next_after, quarantined }) => {
    const rows = all.map((sop) => ({ ...sopRow(sop), mark: sop.record?.mark ?? null }));
    const sops = fittingItems(rows, roomBeside(quarantined));
    return {
      sops,
      next_after: cutShort(sops, all)?.sop_id ?? next_after,
      quarantined: quarantined.slice(0, MOST_DAMAGED),
    };
  },
});

/** Of a version, or of a record of a feature: what to do next is nowhere else. */
const isOfNoTask = (code: ReasonCode): boolean => OF_VERSION.has(code) || Object.hasOwn(LATER_EVENTS, code);

const OF_VERSION: ReadonlySet<ReasonCode> = new Set(["sop_set_back", "sop_failing"]);

const MessageRow = z.strictObject({
  cursor: z.int(),
  thread_id: z.string(),
  at: z.string(),
  ...OutcomeView.pick({ status: true, label: true, reason_code: true, message: true, approval_id: true }).shape,
  next: OutcomeView.shape.next.optional(),
});

export const messagesView = viewOf(listMessages.output, {
  fields,
  output: listMessages.output.extend({ messages: z.array(MessageRow) }),
  show: ({ messages: all, next_cursor, quarantined }) => {
    const rows = all.map(({ outcome: { status, label, reason_code, message, approval_id, next }, ...at }) => ({
      ...at,
      status,
      label,
      reason_code,
      message: withCutMark(message),
      approval_id,
      ...(isOfNoTask(reason_code) && { next }),
    }));
    const messages = fittingItems(rows, roomBeside(quarantined));
    const shown = { messages, next_cursor: cutShort(messages, all)?.cursor ?? next_cursor };
    return { ...shown, quarantined: quarantined.slice(0, MOST_DAMAGED) };
  },
});

const ALL_OF_IT = 'all of it: view "full"';

const ApprovalRow = Approval.extend({ content: z.looseObject({}).nullable() });

/** Less of a content says nothing of its steps. */
const LEAST_CONTENT = 200;

/** The content names each finding again. */
const MAX_REASON = 1_000;

/** Contents are whole until the room is used; the one that does not fit is shortened to it, and the rest are absent. */
export const approvalsView = viewOf(listApprovals.output, {
  fields,
  output: listApprovals.output.extend({ approvals: z.array(ApprovalRow), cut: Cut }),
  show: ({ approvals: all, next_after, quarantined }) => {
    const rows = fittingItems(
      all.map((approval) => ({ ...approval, reason: withCutMark(approval.reason, MAX_REASON), content: null })),
      roomBeside(quarantined),
    );
    let left = roomBeside(quarantined) - tokensOf(rows);
    const approvals = rows.map((row, index) => {
      const content = left < LEAST_CONTENT ? null : fitAnswer({ ...all[index]?.content }, ALL_OF_IT, left);
      if (content !== null) left -= tokensOf(content);
      return { ...row, content };
    });
    const shortened = approvals.filter(({ content }) => content === null || Object.hasOwn(content, "cut"));
    const how = `content of ${shortened.map(({ approval_id }) => approval_id).join(", ")}: list_approvals with its thread_id and view "full"`;
    return {
      approvals,
      next_after: cutShort(approvals, all)?.approval_id ?? next_after,
      quarantined: quarantined.slice(0, MOST_DAMAGED),
      ...(shortened.length > 0 && { cut: [how] }),
    };
  },
});

export const inboxView = viewOf(listInbox.output, {
  fields,
  output: listInbox.output,
  show: ({ items: all, more, frozen, quarantined, notices }) => {
    const items = fittingItems(
      all.map((item) => ({ ...item, text: withCutMark(item.text) })),
      roomBeside(quarantined),
    );
    return {
      items,
      more: more || items.length < all.length,
      frozen: frozen.slice(0, MOST_DAMAGED),
      quarantined: quarantined.slice(0, MOST_DAMAGED),
      notices,
    };
  },
});

const ShortEvent = EventRecord.pick({ seq: true, kind: true, at: true, body: true });

export const journalView = viewOf(readJournal.output, {
  fields,
  output: readJournal.output.extend({ events: z.array(ShortEvent) }),
  show: ({ events: all, next_after, status }) => {
    const short = all.map(({ seq, kind, at, body }) => ({ seq, kind, at, body: shortBody(body, seq) }));
    const events = fittingItems(short, SPARE);
    return { events, next_after: cutShort(events, all)?.seq ?? next_after, status };
  },
});

const Body = z.record(z.string(), z.unknown());

const shortBody = (body: unknown, seq: number): unknown =>
  fitAnswer(Body.parse(body), `all of it: after ${seq - 1}, limit 1, view "full"`, MAX_EVENT_TOKENS);
