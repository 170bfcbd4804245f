// Runs orch approvals, which lists the pending approvals or shows one with everything that it covers, and orch approve and reject.
import { z } from "zod";
import { listMessages } from "../../api/operations/shapes/journal.ts";
import { type CommandContext, type CommandRun, command } from "../../cli/context.ts";
import { EXIT, type ExitCode, type Failure, failed, taskExit, tried } from "../../cli/failure.ts";
import { allPages, quarantineNotes } from "../../cli/lists.ts";
import { nextLines } from "../../cli/next-commands.ts";
import { WaitOption } from "../../cli/option-values.ts";
import type { Out } from "../../cli/out.ts";
import { approvalLines, approvalTable, purposeOf } from "../../cli/show-approval.ts";
import { lookLines } from "../../cli/show-proof.ts";
import { age, block, heading, indented, inForceLines, painted, subjectOf } from "../../cli/text-format.ts";
import { showTask } from "../../cli/wait-for-task.ts";
import { createPatientCall } from "../../cli/while-restarting.ts";
import type { Approval } from "../../domain/approval.ts";
import { reasonOf } from "../../domain/outcome.ts";
import { printable } from "../../domain/printable.ts";
import {
  type ApprovalStep,
  approve as approveOperation,
  getApproval,
  type InboxItem,
  listApprovals,
  listInbox,
  lookAtApproval,
} from "./shapes.ts";

const Given = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  task: z.string().optional(),
  look: z.boolean().default(false),
});

export const approvals = command(Given, async (context, { id, status, task, look }) => {
  const { clock, out } = context;
  if (id !== undefined) {
    if (look) return showLook(context, id);
    const found = await approvalOf(context, id);
    const { approval, steps } = found;
    out.answer(approval, () => approvalLines(approval, out, steps));
    return EXIT.done;
  }
  const wanted = status === "all" || (status === undefined && task !== undefined) ? undefined : (status ?? "pending");
  const result = await listed(context, { status: wanted, thread_id: task });
  out.answer(result, () => approvalTable(result.approvals, clock(), out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.approvals.length > 0) out.note(`Show everything that one covers: ${out.program} approvals ID`);
  return EXIT.done;
});

/** Of the approval with this id, or of the last one of the task with this id. */
async function showLook(context: CommandContext, id: string) {
  const { call, out } = context;
  const first = await tried(call(lookAtApproval, { approval_id: id }));
  if (!first.ok && first.failure.code !== "approval_not_found") return failed(first.failure);
  const lookAtLast = async () =>
    call(lookAtApproval, { approval_id: (await approvalOf(context, id)).approval.approval_id });
  const looked = first.ok ? first.value : await lookAtLast();
  out.answer(looked, () => lookLines(looked, out));
  return EXIT.done;
}

type Query = { readonly status?: string | undefined; readonly thread_id?: string | undefined };

const listed = ({ call }: CommandContext, query: Query) =>
  allPages(true, "approvals", (after) => call(listApprovals, { ...query, limit: 500, after }));

type Found = { readonly approval: Approval; readonly steps: readonly ApprovalStep[] };

/** The approval with this id, or the last one of the task with this id. An older server is asked for all of them. */
async function approvalOf(context: CommandContext, id: string): Promise<Found> {
  const known = await tried(context.call(getApproval, { approval_id: id }));
  if (known.ok) return { approval: known.value.approval, steps: known.value.steps };
  if (known.failure.code === "unreachable") return failed(known.failure);
  const all = await listed(context, {});
  const { approvals: list } = all;
  const one = list.find(({ approval_id }) => approval_id === id) ?? list.findLast(({ thread_id }) => thread_id === id);
  if (one !== undefined) return { approval: one, steps: [] };
  const detail = `There is no approval ${id}, and no task of that name that asked for one.`;
  return failed({ exit: EXIT.refused, code: "approval_not_found", detail, fix: "See: orch approvals --status all" });
}

// orch approve, orch reject: sends a human's decision on an approval.

const Decided = z.object({
  id: z.string().optional(),
  task: z.string().optional(),
  digest: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  wait: WaitOption,
});

const decide = (decision: "approve" | "reject"): CommandRun =>
  command(Decided, async (context, { id, task, digest, reason, by, wait }) => {
    const { call, out } = context;
    if (id === undefined && task === undefined) return showPending(context);
    const input = { decision, approval_id: id, task_id: task, digest, reason, decided_by: by };
    const decided = await call(approveOperation, input, "approver");
    const { approval_id, kind, status, content, next, promotion, task: view } = decided;
    if (wait !== undefined && view !== null) return showTask(context, view, wait);
    // Both are carried out before the answer: whether the version is in use now is the answer.
    const replaced = kind === "replacement" && decision === "approve" ? view : null;
    out.answer(decided, () => [
      `${out.paint("bold", approval_id)}  ${painted(out.paint, status)}  ${printable(subjectOf(decided))}`,
      ...block(out, [
        ["for", purposeOf(content)],
        ["outcome", promotion?.message ?? replaced?.outcome?.message ?? null],
        ["next", nextLines(next, out.program).join("\n")],
      ]),
    ]);
    if (replaced !== null) return taskExit(replaced.status, false);
    return decision === "approve" && promotion?.in_use === false ? EXIT.not_ok : EXIT.done;
  });

/** Shows the pending approval and decides nothing, because a newer approval may have replaced the one that the user saw. */
async function showPending(context: CommandContext): Promise<ExitCode> {
  const { call, out } = context;
  const pending = await call(listApprovals, { status: "pending", limit: 2 });
  const [one, another] = pending.approvals;
  if (one === undefined || another !== undefined) return failed(one === undefined ? NONE : SEVERAL);
  const known = await tried(call(getApproval, { approval_id: one.approval_id }));
  out.answer(one, () => approvalLines(one, out, known.ok ? known.value.steps : []));
  out.note("orch: nothing was decided; name it by its id, as above");
  return EXIT.need_approval;
}

const NONE: Failure = { exit: EXIT.refused, code: "approval_not_found", detail: "No approval is pending." };
const SEVERAL: Failure = {
  exit: EXIT.refused,
  code: "approval_ambiguous",
  detail: "Several approvals are pending; name one.",
  fix: "See: orch approvals",
};

export const approve = decide("approve");
export const reject = decide("reject");

const Listed = z.object({ limit: z.string().optional() });

export const inbox = command(Listed, async (context, query) => {
  const { call, clock, out } = context;
  const result = await call(listInbox, query);
  const { items, more, frozen, quarantined, notices } = result;
  out.answer(result, () => [
    ...inForceLines(frozen, out),
    ...(items.length === 0 ? ["Nothing waits for you."] : items.flatMap((item) => itemLines(item, clock(), out))),
  ]);
  for (const notice of notices) out.note(printable(notice));
  for (const line of quarantineNotes(quarantined)) out.note(line);
  if (more) out.note(`More wait: ${out.program} inbox --limit 500`);
  return EXIT.done;
});

function itemLines(
  { kind, thread_id, intent, target_signature, text, since, next }: InboxItem,
  now: Date,
  { paint, width, program }: Out,
) {
  return [
    ...heading(
      [
        paint("bold", thread_id),
        paint("yellow", kind),
        printable(`${intent} ${target_signature}`),
        paint("dim", `for ${age(since, now)}`),
      ],
      width,
    ),
    ...indented(text, width),
    ...block({ paint, width: width === null ? null : width - 2 }, [["next", nextLines(next, program).join("\n")]]).map(
      (line) => `  ${line}`,
    ),
  ];
}

// orch messages: lists the supervisor's messages after a cursor; --follow continues with new ones.

const PAGE = 500;
const ONE_WAIT_SECONDS = 50;

const Read = z.object({
  after: z.string().optional(),
  limit: z.string().optional(),
  follow: z.boolean().default(false),
});

export const messages = command(Read, async (context, { follow, after, limit }) => {
  const { call, out } = context;
  const result = await call(listMessages, { after, limit: limit ?? PAGE });
  if (follow) return followMessages(context, result);
  out.answer(result, () => linesOf(result, out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.messages.length > 0)
    out.note(`Show later messages: ${out.program} messages --after ${result.next_cursor}`);
  return EXIT.done;
});

type Page = z.output<(typeof listMessages)["output"]>;

const linesOf = ({ messages: list }: Page, out: Out): string[] =>
  list.length === 0 ? ["There are no messages."] : list.flatMap((message) => messageLines(message, out));

function messageLines(
  { cursor, thread_id, at, outcome }: Page["messages"][number],
  { paint, width, program }: Out,
): string[] {
  const { status, label, next } = outcome;
  return [
    ...heading([paint("dim", `${cursor}  ${at}`), paint("bold", thread_id), painted(paint, status, label)], width),
    ...indented(reasonOf(outcome), width),
    ...block({ paint, width: width === null ? null : width - 2 }, [["next", nextLines(next, program).join("\n")]]).map(
      (line) => `  ${line}`,
    ),
  ];
}

async function followMessages(context: CommandContext, first: Page): Promise<ExitCode> {
  const { out } = context;
  const call = createPatientCall(context, { has_answered: true });
  for (let page = first; ; ) {
    for (const message of page.messages) out.item(message, () => messageLines(message, out));
    const next = await call(listMessages, { after: page.next_cursor, limit: PAGE, wait_seconds: ONE_WAIT_SECONDS });
    page = next;
  }
}
