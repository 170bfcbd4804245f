// orch approve, orch reject: a human's decision on what an approval shows.
import { z } from "zod";
import { approve as approveOperation } from "../../operations/approvals.ts";
import { inCommands } from "../command-names.ts";
import { command, fail, type Run } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { WaitOption } from "../option-values.ts";
import { printable } from "../printable.ts";
import { showTask } from "../wait-for-task.ts";
import { painted, subjectOf } from "../words.ts";

const Given = z.object({
  id: z.string().optional(),
  task: z.string().optional(),
  digest: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  wait: WaitOption,
});

const decide = (decision: "approve" | "reject"): Run =>
  command(Given, async (context, { id, task, digest, reason, by, wait }) => {
    const { call, out } = context;
    const input = { decision, approval_id: id, task_id: task, digest, reason, decided_by: by };
    const decided = await call(approveOperation, input, "approver");
    if (!decided.ok) return fail(context, decided.failure);
    const { approval_id, status, next, task: view } = decided.value;
    if (wait !== undefined && view !== null) return showTask(context, view, wait);
    out.answer(decided.value, () => [
      `${out.paint("bold", approval_id)}  ${painted(out.paint, status)}  ${printable(subjectOf(decided.value))}`,
      `  next  ${printable(inCommands(next))}`,
    ]);
    return EXIT.done;
  });

export const approve = decide("approve");
export const reject = decide("reject");
