// Checks the order of a journal: a step that needs an approval starts after it, and a decision follows its request
// [5.policy.approval].
import type { EventBody, JournalEvent } from "../../domain/journal.ts";

/** The returned function takes the events of a journal in their order, and returns the faults of each. */
export function createOrderCheck(): (event: JournalEvent) => string[] {
  const asked = new Set<string>();
  const granted = new Set<string>();
  let needed: string | null = null;
  let isAgent = false;
  return (event) => {
    if (event.kind === "policy_judged" && asks(event.body)) needed ??= "";
    // agent.ts checks the calls of an agent, which are judged one by one.
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
      if (!asked.has(approval_id))
        return [`journal entry ${event.seq} decides on an approval that was not requested before it.`];
      if (!isSound(event.body)) return [`journal entry ${event.seq} has a status that does not match its decision.`];
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
