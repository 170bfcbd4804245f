// Traces of the work on tasks, through the API of OpenTelemetry (D-391): one stretch of spans for each thread that is open.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import type { SpanContext } from "@opentelemetry/api";
import { promotionThread } from "../domain/thread-id.ts";
import type { Sdk } from "./find-sdk.ts";
import { decidedSince, follow } from "./from-journal.ts";
import { handsOn } from "./hand-on.ts";
import type { Traces } from "./port.ts";
import { openStretch, type Stretch } from "./stretch.ts";

/** For what an SDK has not sent when the server stops. */
const FLUSH_MS = 2_000;

/** Threads that wait, of which the trace is remembered for a link. */
const MAX_REMEMBERED = 10_000;

/** `report` is called with the first fault of the SDK, which is no fault of a task: it runs as without one. */
export function createTraces({ tracer, flush }: Sdk, report: (fault: unknown) => void): Traces {
  const open = new Map<string, Stretch>();
  const last = createMemory();
  const without = handsOn();
  const safely = createSafely(report);
  const onNode = (move: "beginNode" | "endNode") => (message: unknown) => {
    const { name, state } = message as NodeMoment;
    safely(() => open.get(threadOf(state))?.[move](name), undefined);
  };
  const [began, ended] = [onNode("beginNode"), onNode("endNode")];
  subscribe("orch:node", began);
  subscribe("orch:node_end", ended);

  const openThread: Traces["open"] = (thread_id, events) => {
    const stretch = openStretch(tracer, { thread_id, events, before: last.of(thread_id) });
    const decided = decidedSince(events);
    if (decided.length > 0) follow(stretch, decided);
    open.set(thread_id, stretch);
    const end = (): void => {
      if (open.get(thread_id) === stretch) open.delete(thread_id);
      last.is(thread_id, stretch.context);
      stretch.end();
    };
    return {
      traceparentOf: (place) => safely(() => stretch.steps.traceparentOf(place), undefined),
      committed: (added) => safely(() => follow(stretch, added), undefined),
      end: () => safely(end, undefined),
    };
  };
  return {
    open: (thread_id, events) => safely(() => openThread(thread_id, events), without.open(thread_id, events)),
    close: async () => {
      unsubscribe("orch:node", began);
      unsubscribe("orch:node_end", ended);
      const late = sleep(FLUSH_MS, undefined, { ref: false });
      await Promise.race([flush().catch(report), late]);
    },
  };
}

function createSafely(report: (fault: unknown) => void) {
  let is_reported = false;
  return <T>(run: () => T, instead: T): T => {
    try {
      return run();
    } catch (fault) {
      if (!is_reported) report(fault);
      is_reported = true;
      return instead;
    }
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
