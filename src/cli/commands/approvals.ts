// orch approvals: lists the pending approvals, or shows one with everything that it covers.
import { z } from "zod";
import type { Approval } from "../../domain/approval.ts";
import { listApprovals } from "../../operations/shapes/approvals.ts";
import { type ApprovalStep, getApproval, lookAtApproval } from "../../operations/shapes/get-approval.ts";
import { allPages } from "../all-pages.ts";
import { type CommandContext, command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, type Result, success } from "../failure.ts";
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
    if (!found.ok) return fail(context, found.failure);
    const { approval, steps } = found.value;
    out.answer(approval, () => approvalLines(approval, out, steps));
    return EXIT.done;
  }
  const wanted = status === "all" || (status === undefined && task !== undefined) ? undefined : (status ?? "pending");
  const result = await listed(context, { status: wanted, thread_id: task });
  if (!result.ok) return fail(context, result.failure);
  out.answer(result.value, () => approvalTable(result.value.approvals, clock(), out));
  for (const line of quarantineNotes(result.value.quarantined)) out.note(line);
  if (result.value.approvals.length > 0) out.note(`Show everything that one covers: ${out.program} approvals ID`);
  return EXIT.done;
});

/** Of the approval with this id, or of the last one of the task with this id. */
async function showLook(context: CommandContext, id: string) {
  const { call, out } = context;
  let looked = await call(lookAtApproval, { approval_id: id });
  if (!looked.ok && looked.failure.code === "approval_not_found") {
    const approval = await approvalOf(context, id);
    if (!approval.ok) return fail(context, approval.failure);
    looked = await call(lookAtApproval, { approval_id: approval.value.approval.approval_id });
  }
  if (!looked.ok) return fail(context, looked.failure);
  out.answer(looked.value, () => lookLines(looked.value, out));
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
async function approvalOf(context: CommandContext, id: string): Promise<Result<Found>> {
  const known = await context.call(getApproval, { approval_id: id });
  if (known.ok) return success({ approval: known.value.approval, steps: known.value.steps });
  if (known.failure.code === "unreachable") return known;
  const all = await listed(context, {});
  if (!all.ok) return all;
  const { approvals: list } = all.value;
  const one = list.find(({ approval_id }) => approval_id === id) ?? list.findLast(({ thread_id }) => thread_id === id);
  if (one !== undefined) return success({ approval: one, steps: [] });
  const detail = `There is no approval ${id}, and no task of that name that asked for one.`;
  return failed({ exit: EXIT.refused, code: "approval_not_found", detail, fix: "See: orch approvals --status all" });
}
