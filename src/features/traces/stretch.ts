// The spans of one stretch of work on a thread: from when it is opened to its next pause or end. The journal says what they are: an event
// that is durable begins a span or ends it.
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { JournalEvent } from "../../domain/journal.ts";
import type { StepAttempt } from "../../domain/live-output.ts";
import { isPause } from "../../domain/polling.ts";
import { ATTRIBUTE, kindOfThread, SPAN, stretchAttributes } from "./names.ts";

export type Stretch = {
  readonly context: SpanContext;
  readonly root: Span;
  readonly known: KnownOfThread;
  /** Nodes, the innermost last. */
  readonly nodes: { readonly name: string; readonly span: Span }[];
  readonly steps: ReturnType<typeof createStepSpans>;
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
    root,
    known,
    nodes,
    steps,
    use,
    context: root.spanContext(),
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

// The spans of the steps of one stretch of work. What a step hands on is needed before it begins: a span is made then, and dropped where the
// step never begins.

type Past = {
  readonly attributes: Attributes;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly failed: boolean;
};

type StepSpan = { readonly span: Span; readonly begun_ms: number; is: "ready" | "begun" | "goes_on" };

/** `inside`: what the steps are part of, when they are made. */
function createStepSpans(tracer: Tracer, known: KnownOfThread, inside: () => Context) {
  const steps = new Map<string, StepSpan>();

  const of = (place: StepAttempt, begun_ms = Date.now()): StepSpan => {
    const key = keyOf(place);
    const made = steps.get(key) ?? { span: start(place, begun_ms), begun_ms, is: "ready" };
    steps.set(key, made);
    return made;
  };
  const start = (place: StepAttempt, startTime: number): Span => {
    const { name, ...attributes } = named(place, known.calls.get(place.index));
    return tracer.startSpan(name, { ...attributes, startTime }, inside());
  };

  return {
    traceparentOf: (place: StepAttempt) => traceparentOf(of(place).span.spanContext()),
    /** `goes_on`: also without this server, such as a job of a flow engine. */
    begin: (place: StepAttempt, { goes_on } = { goes_on: false }): Span => {
      const step = of(place);
      step.is = goes_on ? "goes_on" : "begun";
      return step.span;
    },
    /** In ms, where it has a span already. */
    begunAt: (place: StepAttempt): number | null => steps.get(keyOf(place))?.begun_ms ?? null,
    /** Of a step whose start may not be known. */
    end: (place: StepAttempt, { name, attributes, from_ms, ...past }: Past & { readonly name?: string }): void => {
      const { span } = of(place, from_ms);
      if (name !== undefined) span.updateName(name);
      span.setAttributes(attributes);
      endSpan(span, past);
      steps.delete(keyOf(place));
    },
    /** Those without an end on record: another server goes on with them, or their outcome is not known here. */
    endOpen: (): void => {
      for (const { is, span } of steps.values()) {
        if (is === "begun") endSpan(span.setAttribute(ATTRIBUTE.error_type, UNKNOWN), { failed: true });
        if (is === "goes_on") endSpan(span.setAttribute(ATTRIBUTE.handed_on, true), { failed: false });
      }
    },
  };
}

const UNKNOWN = "outcome_unknown";

const keyOf = ({ index, attempt }: StepAttempt): string => `${index}/${attempt}`;

function endSpan(span: Span, { to_ms, failed }: Pick<Past, "failed"> & Partial<Pick<Past, "to_ms">>): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(to_ms);
}

/** A call of a tool has the name of its tool, as the conventions ask. */
function named({ index, attempt }: StepAttempt, call: KnownCall | undefined) {
  const attributes = { [ATTRIBUTE.index]: index, [ATTRIBUTE.attempt]: attempt };
  if (call === undefined) return { name: SPAN.step, attributes };
  const { name, call_id } = call;
  const of_call = {
    [ATTRIBUTE.operation]: SPAN.tool,
    ...(name !== null && { [ATTRIBUTE.tool]: name }),
    ...(call_id !== null && { [ATTRIBUTE.tool_call_id]: call_id }),
  };
  return { name: name === null ? SPAN.tool : `${SPAN.tool} ${name}`, attributes: { ...attributes, ...of_call } };
}

// Between a text in the form of W3C Trace Context and what the API of OpenTelemetry calls a span context.

/** Of a text that was read by src/domain/traceparent.ts. */
function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  return { traceId, spanId, traceFlags: flags === "01" ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** Undefined for the span of a tracer that makes none. */
function traceparentOf(context: SpanContext): string | undefined {
  if (!isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01"}`;
}

// What an event is read with that comes later: which tool a step calls, which model an agent asks, and when an approval was asked for.

/** Null where it is no plain name: a supervisor or a model has written it. */
type KnownCall = { readonly name: string | null; readonly call_id: string | null };

const NAME = /^[\w.:/-]{1,128}$/;
const plain = (name: string): string | null => (NAME.test(name) ? name : null);

type KnownOfThread = {
  /** By the index of the step. */
  readonly calls: Map<number, KnownCall>;
  /** The steps that only wait, which another server goes on with. */
  readonly waits: Set<number>;
  /** By approval_id, in ms. */
  readonly requests: Map<string, number>;
  model: string | null;
};

function knownFrom(events: readonly JournalEvent[]): KnownOfThread {
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
        if (isPause(step)) known.waits.add(index);
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
