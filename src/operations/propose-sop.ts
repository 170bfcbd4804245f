// propose_sop: drafts a procedure from an agent's run that was verified. Nothing is stored: the supervisor reads it, and
// teaches it.
import { z } from "zod";
import { agentCallsOf } from "../agent/agent-calls.ts";
import { proposeSop as propose } from "../agent/propose-sop.ts";
import { TaskId } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { lastOf } from "../domain/journal.ts";
import { hasEnded } from "../domain/outcome.ts";
import { CriterionCheck, SafetyLevel } from "../domain/sop.ts";
import { Step } from "../domain/step.ts";
import { Target } from "../domain/target.ts";
import type { Task } from "../domain/task.ts";
import { definitionOf } from "../tasks/teaching.ts";
import { operation, READ } from "./operation.ts";
import { writeSopFile } from "./sop-file.ts";
import { taskOf } from "./task-view.ts";

const Draft = z.strictObject({
  intent: z.string(),
  target: Target,
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  criteria: z.record(z.string(), z.int()),
  steps: z.array(Step),
});

export const proposeSop = operation({
  name: "propose_sop",
  summary:
    "Draft an SOP from an agent's verified run: its changes and checks, with parameters for the target's values.",
  method: "GET",
  path: "/v1/tasks/{task_id}/sop_proposal",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId }),
  output: z.strictObject({
    draft: Draft.describe("read it, correct it, and give it to teach"),
    file: z.string().describe("the same as an SOP file, for import_sop"),
    criteria: z.array(CriterionCheck),
    left_out: z.array(z.strictObject({ index: z.int(), command: z.string(), why: z.string() })),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .describe("what teach would refuse in it"),
  }),
  handle:
    (deps) =>
    async ({ task_id }) => {
      const task = await taskOf(deps, task_id);
      const journal = await deps.store.readJournal(task_id);
      const verdict = lastOf(journal, "verdict_reached");
      const isProved = task.status === "ok" && lastOf(journal, "agent_finished") !== undefined;
      if (verdict === undefined || !isProved) return notProved(task);
      const { contract } = task;
      const { steps, criteria, left_out } = propose({
        contract,
        calls: agentCallsOf(journal),
        verdict,
        home: deps.home,
      });
      const { intent, target } = contract;
      const map = Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]));
      const draft = { intent, target, safety_level: "standard" as const, preconditions: [], criteria: map, steps };
      const { issues } = definitionOf(intent, target, draft, deps);
      return { draft, file: writeSopFile(draft), criteria, left_out, issues: [...issues] };
    },
});

function notProved({ task_id, status, delegation_mode }: Task): never {
  const current = { task_id, status, delegation_mode };
  if (delegation_mode !== "agent") {
    throw new OrchError("task_not_proved", `Task ${task_id} was not worked on by an agent.`, { current });
  }
  const why = hasEnded(status) ? "has proved nothing: only what was verified is worth a procedure" : "has not ended";
  throw new OrchError(hasEnded(status) ? "task_not_proved" : "task_not_ended", `Task ${task_id} ${why}.`, { current });
}
