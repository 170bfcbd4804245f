// orch approve, orch reject: sends a human's decision on an approval.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { approve as approveOperation, listApprovals } from "../../operations/shapes/approvals.ts";
import { getApproval } from "../../operations/shapes/get-approval.ts";
import { type CommandContext, type CommandRun, command } from "../context.ts";
import { EXIT, type ExitCode, taskExit } from "../exit-codes.ts";
import { type Failure, failed, tried } from "../failure.ts";
import { nextLines } from "../next-commands.ts";
import { WaitOption } from "../option-values.ts";
import { approvalLines, purposeOf } from "../show-approval.ts";
import { block, painted, subjectOf } from "../text-format.ts";
import { showTask } from "../wait-for-task.ts";

const Given = z.object({
  id: z.string().optional(),
  task: z.string().optional(),
  digest: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  wait: WaitOption,
});

const decide = (decision: "approve" | "reject"): CommandRun =>
  command(Given, async (context, { id, task, digest, reason, by, wait }) => {
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
