// Checks each start of a step by the entries before it: nothing runs twice without a licence [8.retry], outside of
// implicit_scope [3.rule.5], or although policy blocks it.
import { scopeOf, type TaskContract } from "../../domain/contract.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { permissionOf } from "../../policy/judge-plan.ts";
import type { Projection } from "../../tasks/projection.ts";

export type StartFault = { readonly rule: "once" | "scope" | "blocked"; readonly fault: string };

export function startFaults(event: JournalEvent, contract: TaskContract, before: Projection): StartFault[] {
  if (event.kind === "skill_step_started") {
    const has_passed = before.skill.steps[event.body.index]?.state === "passed";
    return has_passed
      ? [{ rule: "once", fault: `journal entry ${event.seq} starts a step again that had passed.` }]
      : [];
  }
  if (event.kind !== "step_started") return [];
  const faults: (StartFault | false)[] = [
    !isLicensed(event.body, before) && {
      rule: "once",
      fault: `journal entry ${event.seq} starts a step again without a licence to repeat it.`,
    },
    !isInScope(event.body, contract, before) && {
      rule: "scope",
      fault: `journal entry ${event.seq} calls a tool server outside of implicit_scope.`,
    },
    isBlocked(before) && { rule: "blocked", fault: `journal entry ${event.seq} starts a step that policy blocks.` },
  ];
  return faults.filter((fault) => fault !== false);
}

/** The first start; after a granted retry or a word of the supervisor; or of what was cut off and may run again. */
function isLicensed({ index, attempt, job }: EventBody<"step_started">, before: Projection): boolean {
  const record = before.steps.records.get(index);
  if (record === undefined || record.state === "again") return attempt === (record?.attempt ?? 0) + 1;
  if (record.state !== "started" || record.attempt !== attempt) return false;
  const kind = stepAt(before, index)?.kind;
  const is_same_job = job !== undefined && record.job?.job_id === job.job_id;
  return is_same_job || record.repeatable || kind === "check" || kind === "wait";
}

function isInScope({ index }: EventBody<"step_started">, contract: TaskContract, before: Projection): boolean {
  const step = stepAt(before, index);
  return step?.kind !== "mcp_call" || scopeOf(contract).has(step.server.toLowerCase());
}

/** An agent's calls are judged one by one (agent.ts). */
const isBlocked = ({ agent, findings }: Projection): boolean =>
  agent.turns.length === 0 && permissionOf(findings) === "deny";

const stepAt = ({ procedure, agent }: Projection, index: number) =>
  procedure?.steps[index] ?? agent.calls[index]?.step ?? undefined;
