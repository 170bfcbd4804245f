// Traces of the work on tasks, through the API of OpenTelemetry (D-391): one stretch of spans for each thread that is open.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { SpanContext, Tracer } from "@opentelemetry/api";
import { promotionThread } from "../domain/thread-id.ts";
import { decidedSince, follow } from "./from-journal.ts";
import type { Traces } from "./port.ts";
import { openStretch, type Stretch } from "./stretch.ts";

/** Threads that wait, of which the trace is remembered for a link. */
const MAX_REMEMBERED = 10_000;

export function createTraces(tracer: Tracer): Traces {
  const open = new Map<string, Stretch>();
  const last = createMemory();
  const onNode = (move: "beginNode" | "endNode") => (message: unknown) => {
    const { name, state } = message as NodeMoment;
    open.get(threadOf(state))?.[move](name);
  };
  const [began, ended] = [onNode("beginNode"), onNode("endNode")];
  subscribe("orch:node", began);
  subscribe("orch:node_end", ended);
  return {
    open: (thread_id, events) => {
      const stretch = openStretch(tracer, { thread_id, events, before: last.of(thread_id) });
      open.set(thread_id, stretch);
      follow(stretch, decidedSince(events));
      return {
        traceparentOf: stretch.traceparentOf,
        committed: (added) => follow(stretch, added),
        end: () => {
          stretch.end();
          if (open.get(thread_id) === stretch) open.delete(thread_id);
          last.is(thread_id, stretch.context);
        },
      };
    },
    close: () => {
      unsubscribe("orch:node", began);
      unsubscribe("orch:node_end", ended);
    },
  };
}

type NodeMoment = { readonly name: string; readonly state: NodeState };
type NodeState = {
  readonly contract?: { readonly task_id: string };
  readonly thread_id?: string;
  readonly sop_id?: string;
};

const threadOf = ({ contract, thread_id, sop_id }: NodeState): string =>
  contract?.task_id ?? thread_id ?? (sop_id === undefined ? "" : promotionThread(sop_id));

function createMemory() {
  const contexts = new Map<string, SpanContext>();
  return {
    of: (thread_id: string) => contexts.get(thread_id) ?? null,
    is: (thread_id: string, context: SpanContext): void => {
      contexts.delete(thread_id);
      contexts.set(thread_id, context);
      const [oldest] = contexts.keys();
      if (contexts.size > MAX_REMEMBERED && oldest !== undefined) contexts.delete(oldest);
    },
  };
}
