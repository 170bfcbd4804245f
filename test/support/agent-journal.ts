// Journals of agent runs, written by hand: one reply after the other, each call with what policy said and how it ended.
import type { AgentCallJudged, AgentStep } from "../../src/domain/agent-events.ts";
import type { JournalEvent, NewEvent } from "../../src/domain/journal.ts";
import type { Json } from "../../src/domain/json.ts";
import type { StepResult } from "../../src/domain/step.ts";
import { aResult, journalOf } from "./builders.ts";

type Written = {
  readonly name?: string;
  readonly arguments?: Json;
  readonly step?: AgentStep | null;
  readonly effect?: "reads" | "unknown" | "changes";
  readonly judged?: AgentCallJudged["verdict"] | null;
  readonly reason?: string;
  readonly result?: Partial<StepResult> | "cut_off" | null;
  readonly added?: true;
};

const shell = (command: string, check: boolean, over: Written): Written => ({
  name: "shell",
  arguments: check ? { command, check } : { command },
  judged: "allow",
  result: {},
  step: { kind: check ? "check" : "cmd", value: command },
  effect: check ? "reads" : "changes",
  ...over,
});

export const changed = (command: string, over: Written = {}): Written => shell(command, false, over);
export const looked = (command: string, over: Written = {}): Written => changed(command, { effect: "reads", ...over });
export const checked = (command: string, over: Written = {}): Written => shell(command, true, over);
export const refused = (command: string, reason = "it is out of scope"): Written =>
  changed(command, { judged: "refuse", reason, result: null });
export const faulty = (name: string): Written => ({ name, judged: "fault", reason: "there is no such tool" });

/** Each array is a reply with its calls. */
export function agentJournal(turns: readonly (readonly Written[])[], ...after: NewEvent[]): JournalEvent[] {
  const events: NewEvent[] = [
    { kind: "agent_equipped", body: { agent_backend: "plain", model: "small:1b", tools: ["shell"], missing: [] } },
  ];
  let index = 0;
  for (const [position, calls] of turns.entries()) {
    const numbered = calls.map((call) => ({ ...call, index: index++ }));
    events.push(reply(position + 1, numbered), ...numbered.flatMap(eventsOf));
  }
  return journalOf(...events, ...after);
}

type Numbered = Written & { readonly index: number };

const reply = (turn: number, calls: readonly Numbered[]): NewEvent => ({
  kind: "agent_replied",
  body: {
    turn,
    text: calls.length === 0 ? "Let me think." : "",
    thinking: null,
    fault: null,
    latency_ms: 1_000,
    calls: calls.map(({ index, name = "shell", arguments: given = {}, added }) => ({
      index,
      call_id: `call-${index}`,
      name,
      arguments: given,
      ...(added === true && { added }),
    })),
  },
});

function eventsOf({ index, judged = "allow", step = null, effect = "changes", reason, result = null }: Numbered) {
  if (judged === null) return [];
  const body = { index, verdict: judged, reason: reason ?? null, step, effect, findings: [] };
  const events: NewEvent[] = [{ kind: "agent_call_judged", body }];
  if (result === null || step === null) return events;
  events.push({ kind: "step_started", body: { index, attempt: 1 } });
  if (result === "cut_off") return events;
  events.push({ kind: "step_finished", body: aResult({ index, kind: step.kind, ...result }) });
  return events;
}
