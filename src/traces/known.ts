// What an event is read with that comes later: which tool a step calls, which model an agent asks, and when an approval was asked for.
import type { JournalEvent } from "../domain/journal.ts";

export type KnownCall = { readonly name: string; readonly call_id: string | null };

export type KnownOfThread = {
  /** By the index of the step. */
  readonly calls: Map<number, KnownCall>;
  /** By approval_id, in ms. */
  readonly requests: Map<string, number>;
  model: string | null;
};

export function knownFrom(events: readonly JournalEvent[]): KnownOfThread {
  const known: KnownOfThread = { calls: new Map(), requests: new Map(), model: null };
  for (const event of events) learn(known, event);
  return known;
}

export function learn(known: KnownOfThread, { kind, body, at }: JournalEvent): void {
  switch (kind) {
    case "sop_pinned":
    case "taught":
      known.calls.clear();
      for (const [index, step] of body.steps.entries())
        if (step.kind === "mcp_call") known.calls.set(index, { name: step.tool, call_id: null });
      return;
    case "agent_equipped":
      known.model = body.model;
      return;
    case "agent_replied":
      for (const { index, name, call_id } of body.calls) known.calls.set(index, { name, call_id });
      return;
    case "approval_requested":
      known.requests.set(body.approval_id, Date.parse(at));
  }
}
