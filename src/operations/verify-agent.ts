// Whether what an agent did is what policy and a human let it do (spec section 5), from the journal: no call was made that was
// refused or not approved, and a finish that counted was proved.
import { contentOf } from "../../graphs/agent/judge-calls.ts";
import { type AgentCall, agentCallsOf } from "../domain/agent/agent-calls.ts";
import { judgeFinish } from "../domain/agent/finish.ts";
import { approvalDigest } from "../domain/approval.ts";
import { eventsOf, type JournalEvent, lastOf } from "../domain/journal.ts";
import type { Evidence } from "./evidence-bundle.ts";
import { firstDifference } from "./first-difference.ts";

export function agentFaults({ contract }: Pick<Evidence, "contract">, journal: readonly JournalEvent[]): string[] {
  if (eventsOf(journal, "agent_replied").length === 0) return [];
  const starts = journal.flatMap((event, position) =>
    event.kind === "step_started" ? startFaults(event.body.index, event.seq, journal.slice(0, position)) : [],
  );
  const requests = journal.flatMap((event, position) =>
    event.kind === "approval_requested"
      ? requestFaults(contract, event.seq, event.body.digest, journal.slice(0, position))
      : [],
  );
  return [...starts, ...requests, ...verdictFaults(contract, journal)];
}

function startFaults(index: number, seq: number, before: readonly JournalEvent[]): string[] {
  const call = agentCallsOf(before)[index];
  if (call?.state === "ready") return [];
  return [`journal entry ${seq} makes a call that was not allowed: ${call?.state ?? "nobody asked for it"}.`];
}

function requestFaults(
  contract: Evidence["contract"],
  seq: number,
  digest: string,
  before: readonly JournalEvent[],
): string[] {
  const waiting = agentCallsOf(before).filter((call: AgentCall) => call.state === "waiting");
  const isSame = digest === approvalDigest(contentOf(contract, waiting[0]?.turn ?? 1, waiting));
  return isSame ? [] : [`journal entry ${seq} asks for an approval of something else than the agent's calls.`];
}

function verdictFaults(contract: Evidence["contract"], journal: readonly JournalEvent[]): string[] {
  const finish = lastOf(journal, "agent_finished");
  const verdict = lastOf(journal, "verdict_reached");
  if (finish === undefined || verdict === undefined) return [];
  const path = firstDifference(verdict, judgeFinish(agentCallsOf(journal), finish, contract.success_criteria));
  return path === null ? [] : [`the verdict is not what the calls give: ${path || "it differs"}.`];
}
