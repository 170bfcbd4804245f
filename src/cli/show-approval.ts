// An approval as text: everything it covers, each step whole and none of it cut. What cannot be shown cannot be approved.
import type { Approval } from "../domain/approval.ts";
import type { Finding } from "../domain/policy/finding.ts";
import { commandText } from "../domain/step-words.ts";
import { fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { firstLine, plainWord, printable, printableLines } from "./printable.ts";
import { age, block, painted, subjectOf } from "./words.ts";

export function approvalLines(approval: Approval, { paint }: Out): string[] {
  const { approval_id, status, content, digest, reason, decision, expires_at } = approval;
  const by =
    decision === null ? null : [decision.decided_by, decision.reason].filter((part) => part !== null).join(": ");
  const head = `${paint("bold", approval_id)}  ${painted(paint, status)}  ${printable(subjectOf(approval))}`;
  const facts = block(
    [
      ["asks because", reason],
      ["for", purposeOf(content)],
      ["safety level", content.safety_level],
      ["preconditions", content.preconditions.length === 0 ? null : content.preconditions.join("\n")],
      ["decided", by === "" ? null : by],
      ["expires", status === "pending" ? expires_at : null],
      ["digest", digest],
    ],
    paint,
  );
  const steps = content.steps.flatMap((step, index) => [
    ...stepText(`  step ${index}  ${step.kind}`, commandText(step)),
    ...content.criteria
      .filter(({ step_index }) => step_index === index)
      .map(({ criterion }) => `      proves: ${printable(criterion)}`),
    ...findingLines(
      content.findings.filter(({ step_index }) => step_index === index),
      { paint },
    ),
  ]);
  const answer =
    status === "pending" ? ["", `  ${decide("approve", approval)}`, `  ${decide("reject", approval)}`] : [];
  return [head, ...facts, "", ...steps, ...answer];
}

/** In short: what it is for. */
export function purposeOf({ intent, target_signature, sop_version }: Approval["content"]): string {
  const on = target_signature === "" ? "" : ` on ${target_signature}`;
  return `${intent}${on}, ${sop_version === null ? "steps that are not stored yet" : `version ${sop_version}`}`;
}

const decide = (decision: "approve" | "reject", { approval_id, digest }: Approval): string =>
  `orch ${decision} ${plainWord(approval_id, "ID")} --digest ${plainWord(digest, "DIGEST")}`;

/** Lines of a command, none of them cut: a terminal wraps them. */
function stepText(title: string, command: string): string[] {
  const lines = printableLines(command);
  return lines.length === 1 ? [`${title}  ${lines[0] ?? ""}`] : [title, ...lines.map((line) => `      ${line}`)];
}

export const findingLines = (findings: readonly Finding[], { paint }: Pick<Out, "paint">): string[] =>
  findings.map(({ verdict, code, reason }) => `      ${painted(paint, verdict)}  ${code}  ${printable(reason)}`);

export function approvalTable(approvals: readonly Approval[], now: Date, { paint, width }: Out): string[] {
  if (approvals.length === 0) return ["There are no such approvals."];
  const columns = [
    { title: "APPROVAL" },
    { title: "STATUS" },
    { title: "KIND" },
    { title: "AGE" },
    { title: "OF", may_be_cut: true },
    { title: "ASKS BECAUSE", may_be_cut: true },
  ];
  const rows = approvals.map(({ approval_id, status, kind, thread_id, created_at, content, reason }) => [
    printable(approval_id),
    painted(paint, status),
    kind,
    age(created_at, now),
    printable(kind === "promotion" ? `${content.intent}, version ${content.sop_version}` : thread_id),
    firstLine(reason),
  ]);
  return fitTable(columns, rows, width);
}
