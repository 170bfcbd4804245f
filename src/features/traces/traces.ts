// Traces of the work on tasks, through the API of OpenTelemetry (D-391): one stretch of spans for each thread that is open.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { ProxyTracerProvider, type SpanContext, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";
import { type EventKind, eventOf, type JournalEvent } from "../../domain/journal.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { handsOn, type Traces } from "../../engine/tasks/thread.ts";
import { type MarkAt, openStretch, type Stretch } from "./stretch.ts";

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
    const stretch = openStretch(tracer, { thread_id, events, marks: events.map(markOf), before: last.of(thread_id) });
    stretch.follow(decidedSince(events).map(markOf));
    open.set(thread_id, stretch);
    const end = (): void => {
      if (open.get(thread_id) === stretch) open.delete(thread_id);
      last.is(thread_id, stretch.context);
      stretch.end();
    };
    return {
      traceparentOf: (place) => safely(() => stretch.traceparentOf(place), undefined),
      committed: (added) => safely(() => stretch.follow(added.map(markOf)), undefined),
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

// Each kind of event says where it is defined what a trace shows of it. One of which nothing is said is too small for a trace.

function markOf({ kind, body, at }: JournalEvent): MarkAt {
  return { at_ms: Date.parse(at), ...eventOf(kind)?.trace?.(body) };
}

/** What was decided while no server worked on the thread. */
const decidedSince = (events: readonly JournalEvent[]): readonly JournalEvent[] =>
  events
    .slice(events.findLastIndex(({ kind }) => LEFT_WITH.has(kind)) + 1)
    .filter(({ kind }) => kind === "approval_decided" || kind === "cancel_requested");

const LEFT_WITH: ReadonlySet<EventKind> = new Set(["taken_up", "reported", "approval_requested"]);

// The SDK that was loaded before orch, as far as it is used; null where it has registered no tracer.

type Sdk = {
  readonly tracer: Tracer;
  /** Sends the spans that have ended. */
  readonly flush: () => Promise<void>;
};

export function findSdk(version: string): Sdk | null {
  const provider: Partial<Delegating & Flushing> & TracerProvider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer("orch", version) === undefined) return null;
  const sdk: Partial<Flushing> = provider.getDelegate?.() ?? provider;
  return { tracer: provider.getTracer("orch", version), flush: async () => sdk.forceFlush?.() };
}

/** The global provider passes calls on to that of the SDK, which may come with a copy of the API of its own. */
type Delegating = { readonly getDelegate: () => Partial<Flushing> };
type Flushing = { readonly forceFlush: () => Promise<void> };
