// A task as text: its status, its steps, what it waits for, and the commands that answer.

import type { TaskSummary, TaskView } from "../api/operations/shapes/task-view.ts";
import { reasonOf } from "../domain/outcome.ts";
import { firstLine, plainWord, printable, span } from "../domain/printable.ts";
import type { ProofSummary } from "../domain/proof.ts";
import { evidenceLines, verificationLine } from "../features/verification/events.ts";
import { cut, fitTable } from "./fit-table.ts";
import { nextLines } from "./next-commands.ts";
import type { Out } from "./out.ts";
import { age, block, compactJson, heading, painted, placeText, waitText } from "./text-format.ts";

export function taskLines(view: TaskView, { paint, width, program }: Out): string[] {
  const { task_id, status, label, intent, target_signature, outcome, verification, progress } = view;
  const on = target_signature === "" ? "" : ` on ${target_signature}`;
  const seen = verification === null ? null : [verificationLine(verification), ...evidenceLines(verification)];
  const facts = block({ paint, width }, [
    ["why", outcome === null ? view.waiting_text : reasonOf(outcome)],
    [
      "output",
      status === "failed" && outcome?.skill_code === undefined
        ? `${program} task ${plainWord(task_id, "TASK")} --follow`
        : null,
    ],
    ["next", nextLines(view.next, program).join("\n")],
    ["waits for", view.waits_for === null ? null : waitText(view.waits_for)],
    ["runs on", placeText(view.backend, view.runs_on)],
    ["procedure", view.sop_id === null ? null : `SOP ${view.sop_id}, version ${view.sop_version}`],
    ["outside check", seen?.join("\n")],
    ["to verify", toVerify(view)],
    ["other fields", view.ignored ?? null],
    ["progress", progress === null ? null : `${progress.done} of ${progress.total}  ${progress.text}`],
    ["accepted", view.created_at],
    ["ended", view.ended_at],
  ]);
  const head = [paint("bold", task_id), painted(paint, status, label), printable(`${intent}${on}`)];
  return [
    ...heading(head, width),
    ...facts,
    ...stepLines(view.steps, { paint, width }),
    ...checkLines(view, { width }),
    ...resultLines(view, program),
  ];
}

/** What is still to come of a check from outside. */
function toVerify({ verification, verify }: TaskView): string | null {
  if (verification !== null || verify === null) return null;
  const { by, task_id, at, owed_since, missed } = verify;
  const by_sop =
    by === null || missed !== null ? [] : [`by ${by}, as task ${task_id}${at === null ? "" : `, from ${at} on`}`];
  return [...by_sop, ...(owed_since === null ? [] : [`owed from ${owed_since} on`])].join("; ") || null;
}

/** A longer result is shortened to about one screen; --json prints all of it. */
const RESULT_LINES = 40;

function resultLines({ task_id, result }: TaskView, program: string): string[] {
  if (result === null) return [];
  const lines = compactJson(result).split("\n");
  const left = lines.length - RESULT_LINES;
  const more = left > 0 ? [`... ${left} more lines: ${program} task ${plainWord(task_id, "TASK")} --json`] : [];
  return ["", "  result", ...[...lines.slice(0, RESULT_LINES), ...more].map((line) => `    ${line}`)];
}

function stepLines(steps: TaskView["steps"], { paint, width }: Pick<Out, "paint" | "width">): string[] {
  if (steps.length === 0) return [];
  const columns = ["  STEP", "KIND", "STATUS", "EXIT", "TOOK", cut("COMMAND")];
  const rows = steps.map(({ index, kind, command, status, attempt, exit_code, duration_ms }) => [
    `  ${index}`,
    printable(kind),
    painted(paint, status) + (attempt !== null && attempt > 1 ? ` (attempt ${attempt})` : ""),
    exit_code === null ? "" : String(exit_code),
    duration_ms === null || status === "pending" || status === "running" ? "" : span(duration_ms),
    printable(command),
  ]);
  const late = steps.flatMap(({ late_result }) => (late_result == null ? [] : [`    ${printable(late_result)}`]));
  return ["", ...fitTable(columns, rows, width), ...late];
}

/** What each check is worth, and whether its answer changed. */
function checkLines({ checks }: TaskView, { width }: Pick<Out, "width">): string[] {
  const looked = checks.filter(({ proof }) => proof !== null);
  if (looked.length === 0) return [];
  const columns = ["  CHECK", "PROOF", "SEEN RED", "CHANGE", cut("WHY")];
  const rows = looked.map(({ step_index, proof, seen_red, change, reason }) => [
    `  ${step_index}`,
    proof ?? "",
    seen_red.length === 0 ? "never" : seen_red.join(", "),
    (change ?? "").replaceAll("_", " "),
    printable(reason ?? ""),
  ]);
  return ["", ...fitTable(columns, rows, width)];
}

/** Where none is proved, the weakest class. */
function proofText(proof: ProofSummary | undefined): string {
  if (proof === undefined) return "-";
  const { checks, proved } = proof;
  if (proved === checks) return `${proved} proved`;
  if (proved > 0) return `${proved} of ${checks} proved`;
  return (WEAKEST_FIRST.find((name) => proof[name] > 0) ?? "-").replaceAll("_", " ");
}

const WEAKEST_FIRST = ["unproved", "cannot_tell", "not_possible", "sensitive"] as const;

export function taskTable(tasks: readonly TaskSummary[], now: Date, { paint, width }: Out): string[] {
  if (tasks.length === 0) return ["There are no such tasks."];
  const columns = ["TASK", "STATUS", "PROOF", "INTENT", "AGE", cut("TARGET"), cut("WHAT")];
  const rows = tasks.map((task) => [
    printable(task.task_id),
    painted(paint, task.status, task.label),
    proofText(task.outcome?.proof),
    printable(task.intent),
    age(task.created_at, now),
    printable(task.target_signature),
    firstLine(task.outcome?.message ?? task.waiting_text ?? ""),
  ]);
  return fitTable(columns, rows, width);
}
