// The order of a journal: what needs an approval runs after it, and a decision follows its question.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";

/** Takes the events of a journal one after the other, and returns the faults of each. */
export function createOrderCheck(): (event: JournalEvent) => string[] {
  const asked = new Set<string>();
  const granted = new Set<string>();
  let needed: string | null = null;
  let isAgent = false;
  return (event) => {
    if (event.kind === "policy_judged" && asks(event.body)) needed ??= "";
    // The calls of an agent are judged one by one (agent.ts).
    if (event.kind === "agent_replied") isAgent = true;
    if (event.kind === "approval_requested" && isAgent) asked.add(event.body.approval_id);
    else if (event.kind === "approval_requested") {
      needed = event.body.approval_id;
      asked.add(needed);
    }
    if (event.kind === "approval_decided") {
      const { approval_id, status } = event.body;
      if (status === "approved") granted.add(approval_id);
      else granted.delete(approval_id);
      if (!asked.has(approval_id)) return [`journal entry ${event.seq} decides on what was not asked for before it.`];
      if (!isSound(event.body)) return [`journal entry ${event.seq} has a status that is not that of its decision.`];
    }
    const runs = acts(event) && needed !== null && !granted.has(needed);
    return runs ? [`journal entry ${event.seq} starts a step without the approval that it needs.`] : [];
  };
}

const acts = (event: JournalEvent): boolean =>
  event.kind === "step_started" || (event.kind === "skill_step_started" && event.body.repeatable !== true);

const asks = ({ findings }: EventBody<"policy_judged">): boolean => findings.some(({ verdict }) => verdict === "ask");

const isSound = ({ status, decision }: EventBody<"approval_decided">): boolean =>
  (status === "approved") === (decision === "approve");
