// What an event is read with that comes later: which tool a step calls, which model an agent asks, and when an approval was asked for.
import type { JournalEvent } from "../domain/journal.ts";

/** Null where it is no plain name: a supervisor or a model has written it. */
export type KnownCall = { readonly name: string | null; readonly call_id: string | null };

const NAME = /^[\w.:/-]{1,128}$/;
const plain = (name: string): string | null => (NAME.test(name) ? name : null);

export type KnownOfThread = {
  /** By the index of the step. */
  readonly calls: Map<number, KnownCall>;
  /** The steps that only wait, which another server goes on with. */
  readonly waits: Set<number>;
  /** By approval_id, in ms. */
  readonly requests: Map<string, number>;
  model: string | null;
};

export function knownFrom(events: readonly JournalEvent[]): KnownOfThread {
  const known: KnownOfThread = { calls: new Map(), waits: new Set(), requests: new Map(), model: null };
  for (const event of events) learn(known, event);
  return known;
}

export function learn(known: KnownOfThread, { kind, body, at }: JournalEvent): void {
  switch (kind) {
    case "sop_pinned":
    case "taught":
      known.calls.clear();
      known.waits.clear();
      for (const [index, step] of body.steps.entries()) {
        if (step.kind === "mcp_call") known.calls.set(index, { name: plain(step.tool), call_id: null });
        if (step.kind === "wait") known.waits.add(index);
      }
      return;
    case "agent_equipped":
      known.model = body.model;
      return;
    case "agent_replied":
      for (const { index, name, call_id } of body.calls)
        known.calls.set(index, { name: plain(name), call_id: plain(call_id) });
      return;
    case "approval_requested":
      known.requests.set(body.approval_id, Date.parse(at));
  }
}
