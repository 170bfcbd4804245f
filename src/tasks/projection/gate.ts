// What the routing model answered: no question is asked twice.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { Json } from "../../domain/json.ts";
import type { ReadOnly } from "./read-only.ts";

export type GateState = {
  answers: EventBody<"gate_answered">[];
  /** The answers about approvals, by command. */
  categories: Map<string, Json>;
  /** The failures that were asked about. */
  failures: Set<string>;
};
export type GateProjection = ReadOnly<GateState>;

export const noAnswers = (): GateState => ({ answers: [], categories: new Map(), failures: new Set() });

export function evolveGate(gate: GateState, event: JournalEvent): void {
  if (event.kind !== "gate_answered") return;
  const { question, about, answer } = event.body;
  gate.answers.push(event.body);
  if (question === "approval") gate.categories.set(about, answer);
  else gate.failures.add(about);
}
