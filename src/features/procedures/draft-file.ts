// Answers propose_sop: drafts a procedure from the run of an agent that has proved its result, as a file that can be imported.

import type { OperationHandler } from "../../api/operations/operation.ts";
import { taskOf } from "../../api/operations/task-view.ts";
import { OrchError } from "../../domain/errors.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { checkWorth } from "../../domain/proof.ts";
import type { Task } from "../../domain/task.ts";
import { projection } from "../../engine/tasks/projection.ts";
import { definitionOf } from "../../engine/tasks/teaching.ts";
import { writeSopFile } from "../../schema/sop-file.ts";
import { type Proposal, proposeSop as propose } from "./propose-sop.ts";
import type { proposeSop } from "./shapes.ts";

export const handleProposeSop: OperationHandler<typeof proposeSop> =
  (deps) =>
  async ({ task_id }) => {
    const task = await taskOf(deps, task_id);
    const { verdict, agent } = projection(await deps.store.readJournal(task_id));
    const isProved = task.status === "ok" && agent.finished !== null;
    if (verdict === null || !isProved) return notProved(task);
    const { contract } = task;
    const proposal = await deps.judge(propose, { contract, calls: agent.calls, verdict, home: deps.home });
    const { steps, criteria, checks, left_out, warnings, left_literal } = proposal;
    const { intent, target } = contract;
    const map = Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]));
    const draft = { intent, target, safety_level: "standard" as const, preconditions: [], criteria: map, steps };
    const { issues } = await deps.judge(definitionOf, intent, target, draft, { home: deps.home, remote: false });
    const file = `${remarks(task_id, proposal)}${writeSopFile(draft)}`;
    return { draft, file, criteria, checks, left_out, warnings, left_literal, issues: [...issues] };
  };

/** Comments on top of the file, which no import reads: what its reader has to know. */
function remarks(task_id: string, { warnings, checks, left_literal }: Proposal): string {
  const lines = [
    `Drafted from the run of task ${task_id}.`,
    ...warnings.map((text) => `Warning: ${text}`),
    ...checks.map(({ step_index, ...check }) => `Check step ${step_index}: ${checkWorth(check)}`),
    ...left_literal.map(({ step_index, where, key, why }) => `Step ${step_index}, ${where}: ${key} is literal: ${why}`),
  ];
  return lines.map((line) => `# ${line.replace(/\p{C}/gu, "?")}\n`).join("");
}

function notProved({ task_id, status, delegation_mode }: Task): never {
  const current = { task_id, status, delegation_mode };
  if (delegation_mode !== "agent") {
    throw new OrchError("task_not_proved", `Task ${task_id} was not worked on by an agent.`, { current });
  }
  const why = hasEnded(status) ? "has proved nothing: only what was verified is worth a procedure" : "has not ended";
  throw new OrchError(hasEnded(status) ? "task_not_proved" : "task_not_ended", `Task ${task_id} ${why}.`, { current });
}
