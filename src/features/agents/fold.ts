// Folds the run of an agent: its turns, every call with its verdict and result, and its end. The journal records the step of
// a call like a step of a procedure, under the index of the call.
import type { AgentCall, AgentEquipped, AgentReplied, AgentStopped } from "../../domain/agent-events.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { unfinished } from "../../domain/step.ts";
import type { Fold, ReadOnly } from "../../engine/tasks/fold.ts";
import { resolved as resolvedResult } from "../../engine/tasks/steps-fold.ts";

type AgentState = {
  equipped: AgentEquipped | null;
  turns: AgentReplied[];
  /** By index, in the order of the model's requests. */
  calls: AgentCall[];
  /** Indexes of the calls that are not settled yet. */
  open: Set<number>;
  /** The approval that was asked for before the first call; its decision is null until there is one. */
  start: { approval_id: string; decided: EventBody<"approval_decided"> | null } | null;
  finished: EventBody<"agent_finished"> | null;
  stopped: AgentStopped | null;
};
export type AgentProjection = ReadOnly<AgentState>;

const noAgent = (): AgentState => ({
  equipped: null,
  turns: [],
  calls: [],
  open: new Set(),
  start: null,
  finished: null,
  stopped: null,
});

function evolveAgent(agent: AgentState, event: JournalEvent): void {
  switch (event.kind) {
    case "agent_equipped":
      agent.equipped = event.body;
      break;
    case "agent_replied":
      agent.turns.push(event.body);
      for (const call of callsOf(event.body)) agent.open.add(agent.calls.push(call) - 1);
      break;
    case "agent_call_judged":
      change(agent, event.body.index, judged(event.body));
      break;
    case "approval_requested":
      if (event.body.kind === "agent" && agent.turns.length === 0)
        agent.start = { approval_id: event.body.approval_id, decided: null };
      for (const index of waiting(agent)) change(agent, index, { approval_id: event.body.approval_id });
      break;
    case "approval_decided":
      if (agent.start?.approval_id === event.body.approval_id) agent.start.decided ??= event.body;
      for (const index of waiting(agent, event.body.approval_id)) change(agent, index, decided(event.body));
      break;
    case "agent_finished":
      agent.finished = event.body;
      change(agent, event.body.index, { state: "ended" });
      break;
    case "agent_stopped":
      agent.stopped = event.body;
      break;
    case "step_started":
    case "step_finished":
    case "step_resolved":
      evolveCall(agent, event);
      break;
  }
}

type StepEvent = Extract<JournalEvent, { kind: "step_started" | "step_finished" | "step_resolved" }>;

function evolveCall(agent: AgentState, event: StepEvent): void {
  const { index } = event.body;
  const call = agent.calls[index];
  if (call === undefined) return;
  if (event.kind === "step_started") {
    const { attempt } = event.body;
    const result = unfinished({ index, attempt, kind: call.step?.kind ?? "cmd", started_at: event.at });
    change(agent, index, { state: "started", attempt, result });
  } else if (event.kind === "step_finished") {
    const state = event.body.status === "outcome_unknown" ? "unknown" : "ended";
    change(agent, index, { state, result: event.body });
  } else {
    const { resolution, attempt } = event.body;
    const result = call.result && resolvedResult(call.result, event.body);
    change(agent, index, {
      result,
      ...(resolution === "retry" ? { state: "ready", attempt: attempt + 1 } : { state: "ended" }),
    });
  }
}

const SETTLED: ReadonlySet<AgentCall["state"]> = new Set(["refused", "faulty", "rejected", "ended"]);

function change(agent: AgentState, index: number, changed: Partial<AgentCall>): void {
  const call = agent.calls[index];
  if (call === undefined) return;
  const after = { ...call, ...changed };
  agent.calls[index] = after;
  if (SETTLED.has(after.state)) agent.open.delete(index);
  else agent.open.add(index);
}

/** The calls that wait for an approval, or for this one. */
const waiting = (agent: AgentState, approval_id?: string): number[] =>
  openCallsOf(agent)
    .filter(({ state }) => state === "waiting")
    .filter((call) => approval_id === undefined || call.approval_id === approval_id)
    .map(({ index }) => index);

const ASKED = { state: "asked", reason: null, step: null, effect: "changes" } as const;
const NOT_RUN = { approval_id: null, attempt: 1, result: null } as const;

const callsOf = ({ turn, calls }: AgentReplied): AgentCall[] =>
  calls.map(({ added = false, ...call }) => ({ ...call, turn, added, ...ASKED, ...NOT_RUN, findings: [] }));

const STATE_OF = { allow: "ready", ask: "waiting", refuse: "refused", fault: "faulty" } as const;

function judged(body: EventBody<"agent_call_judged">): Partial<AgentCall> {
  const { verdict, reason, step, effect, findings, scripts, tools } = body;
  const known = { state: STATE_OF[verdict], reason, step, effect, findings };
  return { ...known, ...(scripts && { scripts }), ...(tools && { tools }) };
}

const decided = ({ decision, reason, status }: EventBody<"approval_decided">): Partial<AgentCall> =>
  decision === "approve"
    ? { state: "ready" }
    : { state: "rejected", reason: status === "expired" ? "the approval expired before a decision" : reason };

export const openCallsOf = ({ calls, open }: AgentProjection): AgentCall[] =>
  // Stryker disable next-line ArrayDeclaration: every open index has its call
  [...open].sort((a, b) => a - b).flatMap((index) => calls[index] ?? []);

export const AGENT: Fold<AgentState> = { initial: noAgent, evolve: evolveAgent };
