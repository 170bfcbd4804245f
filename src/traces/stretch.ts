// The spans of one stretch of work on a thread: from when it is opened to its next pause or end. The journal says what they are: an event
// that is durable begins a span or ends it.
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { JournalEvent } from "../domain/journal.ts";
import { kindOfThread, stretchAttributes } from "./attributes.ts";
import { type KnownOfThread, knownFrom } from "./known.ts";
import { ATTRIBUTE, SPAN } from "./names.ts";
import { spanContextOf } from "./propagation.ts";
import { createStepSpans, endSpan, type Past, type StepSpans } from "./step-spans.ts";

export type Stretch = {
  readonly context: SpanContext;
  readonly root: Span;
  readonly known: KnownOfThread;
  /** Nodes, the innermost last. */
  readonly nodes: { readonly name: string; readonly span: Span }[];
  readonly steps: StepSpans;
  /** A span that is over already. */
  readonly past: (past: Past & { readonly name: string }) => void;
  /** Something was done: without that there is no span. */
  readonly use: () => void;
  readonly beginNode: (name: string) => void;
  readonly endNode: (name: string) => void;
  readonly end: () => void;
};

type Opening = {
  readonly thread_id: string;
  readonly events: readonly JournalEvent[];
  /** The stretch before this one on the same thread, where this server knows it. */
  readonly before: SpanContext | null;
};

export function openStretch(tracer: Tracer, opening: Opening): Stretch {
  const known = knownFrom(opening.events);
  const root = startRoot(tracer, opening);
  const nodes: Stretch["nodes"] = [];
  const inside = (): Context => trace.setSpan(ROOT_CONTEXT, nodes.at(-1)?.span ?? root);
  const steps = createStepSpans(tracer, known, inside);
  let is_used = false;
  const use = () => {
    is_used = true;
  };
  return {
    ...{ root, known, nodes, steps, use, context: root.spanContext() },
    past: ({ name, attributes, from_ms, ...past }) =>
      endSpan(tracer.startSpan(name, { attributes, startTime: from_ms }, inside()), past),
    beginNode: (name) => {
      use();
      nodes.push({ name, span: startNode(tracer, name, inside()) });
    },
    endNode: (name) => {
      const at = nodes.findLastIndex((node) => node.name === name);
      if (at !== -1) for (const { span } of nodes.splice(at).reverse()) span.end();
    },
    end: () => {
      // A claim that was refused has done nothing.
      if (!is_used) return;
      try {
        steps.endOpen();
        for (const { span } of nodes.splice(0).reverse()) span.end();
      } finally {
        root.end();
      }
    },
  };
}

/** A trace is not open while a task waits: only the first stretch is part of the submit's, and the others are linked to it. */
function startRoot(tracer: Tracer, { thread_id, events, before }: Opening): Span {
  const joined = events.find((event) => event.kind === "trace_joined");
  const caller = joined === undefined ? null : spanContextOf(joined.body.traceparent);
  const is_first = events.every(({ kind }) => kind === "task_accepted" || kind === "trace_joined");
  const links = is_first ? [] : [caller, before].flatMap((context): Link[] => (context === null ? [] : [{ context }]));
  const within = is_first && caller !== null ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
  const attributes = stretchAttributes(thread_id, events, is_first);
  return tracer.startSpan(SPAN[kindOfThread(thread_id)], { attributes, links }, within);
}

/** The node that runs an agent is the invocation of it. */
function startNode(tracer: Tracer, name: string, within: Context): Span {
  if (name !== "run_agent") return tracer.startSpan(`${SPAN.node} ${name}`, {}, within);
  const attributes = { [ATTRIBUTE.operation]: "invoke_agent", [ATTRIBUTE.agent]: "orch" };
  return tracer.startSpan(SPAN.agent, { attributes }, within);
}
