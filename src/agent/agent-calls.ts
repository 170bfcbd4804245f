// What an agent has called and what became of it, read from the journal alone (design: journal). A finished call stays
// finished whoever goes on with the run; one whose end nobody recorded is known for it.
import type { AgentCall } from "../domain/agent-call.ts";
import type { AgentStep } from "../domain/agent-step.ts";
import type { EventBody, JournalEvent } from "../domain/journal.ts";
import { stepResultsOf } from "../tasks/progress.ts";

/** In the order in which the model asked for them. */
export function agentCallsOf(events: readonly JournalEvent[]): AgentCall[] {
  const calls: AgentCall[] = [];
  for (const event of events) tell(calls, event);
  const results = new Map(stepResultsOf(events, stepsOf(calls)).map((result) => [result.index, result]));
  return calls.map((call) => ({ ...call, result: results.get(call.index) ?? null }));
}

/** By index; what came to no step has none. */
export const stepsOf = (calls: readonly AgentCall[]): (AgentStep | undefined)[] =>
  calls.map(({ step }) => step ?? undefined);

function tell(calls: AgentCall[], event: JournalEvent): void {
  switch (event.kind) {
    case "agent_replied":
      calls.push(...asked(event.body));
      break;
    case "agent_call_judged":
      turn(calls, event.body.index, judged(event.body));
      break;
    case "approval_requested":
      for (const { index } of calls.filter(isWaiting)) turn(calls, index, { approval_id: event.body.approval_id });
      break;
    case "approval_decided":
      for (const { index } of calls.filter((call) => isWaiting(call) && call.approval_id === event.body.approval_id))
        turn(calls, index, decided(event.body));
      break;
    case "agent_finished":
      turn(calls, event.body.index, { state: "ended" });
      break;
    case "step_started":
      turn(calls, event.body.index, { state: "started", attempt: event.body.attempt });
      break;
    case "step_finished":
      turn(calls, event.body.index, { state: event.body.status === "outcome_unknown" ? "unknown" : "ended" });
      break;
    case "step_resolved":
      turn(calls, event.body.index, resolved(event.body));
      break;
  }
}

const isWaiting = ({ state }: AgentCall): boolean => state === "waiting";

function turn(calls: AgentCall[], index: number, change: Partial<AgentCall>): void {
  const call = calls[index];
  if (call !== undefined) calls[index] = { ...call, ...change };
}

const asked = ({ turn: number, calls }: EventBody<"agent_replied">): AgentCall[] =>
  calls.map(({ added = false, ...call }) => ({
    ...{ ...call, turn: number, added, state: "asked", reason: null, step: null, effect: "changes" },
    ...{ findings: [], approval_id: null, attempt: 1, result: null },
  }));

const STATES = { allow: "ready", ask: "waiting", refuse: "refused", fault: "faulty" } as const;

const judged = ({ verdict, reason, step, effect, findings }: EventBody<"agent_call_judged">): Partial<AgentCall> => ({
  state: STATES[verdict],
  reason,
  step,
  effect,
  findings,
});

const decided = ({ decision, reason, status }: EventBody<"approval_decided">): Partial<AgentCall> =>
  decision === "approve"
    ? { state: "ready" }
    : { state: "rejected", reason: status === "expired" ? "nobody decided in time" : reason };

const resolved = ({ resolution, attempt }: EventBody<"step_resolved">): Partial<AgentCall> =>
  resolution === "retry" ? { state: "ready", attempt: attempt + 1 } : { state: "ended" };
