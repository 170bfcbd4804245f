// The run of an agent as a conversation: each reply of the model with its calls, and what became of each call.
import type { AgentCallJudged, AgentReplied } from "../../../domain/agent-events.ts";
import type { EventBody, JournalEvent } from "../../../domain/journal.ts";

export type ShownCall = AgentReplied["calls"][number] & {
  readonly judged: AgentCallJudged | null;
  readonly decision: EventBody<"approval_decided"> | null;
  readonly approval_id: string | null;
  readonly started: boolean;
  /** The finish that counted. */
  readonly is_end: boolean;
  readonly result: EventBody<"step_finished"> | null;
  readonly resolved: EventBody<"step_resolved"> | null;
};

export type ShownTurn = Omit<AgentReplied, "calls"> & { readonly at: string; readonly calls: readonly ShownCall[] };

export type Transcript = {
  readonly equipped: EventBody<"agent_equipped"> | null;
  readonly turns: readonly ShownTurn[];
  readonly finished: EventBody<"agent_finished"> | null;
  readonly stopped: EventBody<"agent_stopped"> | null;
  /** The time of the model and of the calls; that of a person's decision does not count. */
  readonly spent_ms: number;
};

const NEW = {
  judged: null,
  decision: null,
  approval_id: null,
  started: false,
  is_end: false,
  result: null,
  resolved: null,
} as const;

export function transcriptOf(events: readonly JournalEvent[]): Transcript {
  const calls = new Map<number, ShownCall>();
  const turns: (Omit<AgentReplied, "calls"> & { at: string; of: readonly number[] })[] = [];
  const ends: { -readonly [K in "equipped" | "finished" | "stopped"]: Transcript[K] } = {
    ...{ equipped: null, finished: null, stopped: null },
  };
  let spent_ms = 0;
  const change = (index: number, changed: Partial<ShownCall>) => {
    const call = calls.get(index);
    if (call !== undefined) calls.set(index, { ...call, ...changed });
  };
  const changeWaiting = (changed: Partial<ShownCall>) => {
    for (const [index, call] of calls)
      if (call.judged?.verdict === "ask" && call.decision === null) change(index, changed);
  };
  for (const event of events) {
    switch (event.kind) {
      case "agent_equipped":
        ends.equipped = event.body;
        break;
      case "agent_replied": {
        const { calls: asked, ...reply } = event.body;
        for (const call of asked) calls.set(call.index, { ...call, ...NEW });
        turns.push({ ...reply, at: event.at, of: asked.map(({ index }) => index) });
        spent_ms += reply.latency_ms;
        break;
      }
      case "agent_call_judged":
        change(event.body.index, { judged: event.body });
        break;
      case "approval_requested":
        changeWaiting({ approval_id: event.body.approval_id });
        break;
      case "approval_decided":
        changeWaiting({ decision: event.body });
        break;
      case "step_started":
        change(event.body.index, { started: true, result: null });
        break;
      case "step_finished":
        change(event.body.index, { result: event.body });
        spent_ms += event.body.duration_ms;
        break;
      case "step_resolved":
        change(event.body.index, { resolved: event.body });
        break;
      case "agent_finished":
        ends.finished = event.body;
        change(event.body.index, { is_end: true });
        break;
      case "agent_stopped":
        ends.stopped = event.body;
        break;
    }
  }
  const shown = turns.map(({ of, ...turn }) => ({ ...turn, calls: of.flatMap((index) => calls.get(index) ?? []) }));
  return { ...ends, turns: shown, spent_ms };
}
