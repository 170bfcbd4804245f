// orch approvals: lists the pending approvals, or shows one with everything that it covers.
import { z } from "zod";
import type { Approval } from "../../domain/approval.ts";
import { listApprovals } from "../../operations/shapes/approvals.ts";
import { type ApprovalStep, getApproval, lookAtApproval } from "../../operations/shapes/get-approval.ts";
import { allPages } from "../all-pages.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, tried } from "../failure.ts";
import { approvalLines, approvalTable } from "../show-approval.ts";
import { lookLines } from "../show-proof.ts";
import { quarantineNotes } from "../show-quarantine.ts";

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
  allPages(
    true,
    (after) => call(listApprovals, { ...query, limit: 500, after }),
    (before, page) => ({ ...page, approvals: [...before.approvals, ...page.approvals] }),
  );

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
