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
import { subjectOfThread } from "../../domain/thread-id.ts";
import {
  ATTRIBUTE,
  MOMENT,
  SPAN,
  type TraceAttributes,
  type TraceBegin,
  type TraceChat,
  type TraceEnd,
  type TraceMark,
  type TraceMoment,
  type TraceStep,
} from "../../domain/trace-mark.ts";

export type Stretch = {
  readonly context: SpanContext;
  readonly traceparentOf: (place: StepAttempt) => string | undefined;
  /** Of events that have become durable. */
  readonly follow: (marks: readonly MarkAt[]) => void;
  readonly beginNode: (name: string) => void;
  readonly endNode: (name: string) => void;
  readonly end: () => void;
};

/** What an event says of the trace, and when. */
export type MarkAt = TraceMark & { readonly at_ms: number };

type Opening = {
  readonly thread_id: string;
  readonly events: readonly JournalEvent[];
  /** What they say. */
  readonly marks: readonly MarkAt[];
  /** The stretch before this one on the same thread, where this server knows it. */
  readonly before: SpanContext | null;
};

export function openStretch(tracer: Tracer, opening: Opening): Stretch {
  const known: Known = { steps: new Map(), requests: new Map(), model: null };
  for (const mark of opening.marks) learn(known, mark);
  const root = startRoot(tracer, opening);
  const nodes: { readonly name: string; readonly span: Span }[] = [];
  const inside = (): Context => trace.setSpan(ROOT_CONTEXT, nodes.at(-1)?.span ?? root);
  const steps = createStepSpans(tracer, known, inside);
  // Without anything that was done there is no span.
  let is_used = false;

  const apply = ({ at_ms, ...mark }: MarkAt): void => {
    if (mark.root !== undefined) root.setAttributes(attributesOf(mark.root));
    if (mark.failed === true) root.setStatus({ code: SpanStatusCode.ERROR });
    if (mark.moment !== undefined) addMoment(mark.moment, at_ms);
    if (mark.model !== undefined) {
      const agent = nodes.find(({ name }) => name === AGENT_NODE)?.span ?? root;
      agent.setAttributes(attributesOf({ model: mark.model, provider: PROVIDER }));
    }
    if (mark.chat !== undefined) addChat(mark.chat, at_ms);
    if (mark.begin !== undefined) steps.begin(mark.begin);
    if (mark.end !== undefined) steps.end(mark.end, at_ms);
  };
  const addMoment = ({ name, attributes, waited_for }: TraceMoment, at_ms: number): void => {
    const waited_ms = waited_for === undefined ? null : at_ms - (known.requests.get(waited_for) ?? at_ms);
    root.addEvent(MOMENT[name], attributesOf({ ...attributes, waited_ms }), at_ms);
  };
  const addChat = ({ model = known.model, attributes, latency_ms, failed }: TraceChat, at_ms: number): void => {
    if (model === null) return;
    const said = attributesOf({ operation: SPAN.chat, provider: PROVIDER, model, ...attributes });
    const options = { attributes: said, startTime: at_ms - latency_ms };
    endSpan(tracer.startSpan(`${SPAN.chat} ${model}`, options, inside()), failed, at_ms);
  };

  return {
    context: root.spanContext(),
    traceparentOf: (place) => traceparentOf(steps.of(place).span.spanContext()),
    follow: (marks) => {
      const ended = new Set(marks.flatMap(({ end }) => (end === undefined ? [] : [keyOf(end)])));
      for (const { begin, ...mark } of marks) {
        is_used = true;
        learn(known, mark);
        // Of a step whose end is written with its start, the end says when it began.
        apply(begin === undefined || ended.has(keyOf(begin)) ? mark : { ...mark, begin });
      }
    },
    beginNode: (name) => {
      is_used = true;
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
  const attributes = rootAttributes(thread_id, events, is_first);
  return tracer.startSpan(SPAN[subjectOfThread(thread_id).kind], { attributes, links }, within);
}

function rootAttributes(thread_id: string, events: readonly JournalEvent[], is_first: boolean): Attributes {
  const attributes = attributesOf({ thread_id });
  for (const { kind, body, at } of events) {
    if (kind === "sop_pinned")
      Object.assign(attributes, attributesOf({ sop_id: body.sop_id, sop_version: body.sop_version }));
    if (kind !== "task_accepted") continue;
    const { contract, backend } = body;
    const { intent, delegation_mode } = contract;
    const queued_ms = is_first ? Math.max(0, Date.now() - Date.parse(at)) : null;
    Object.assign(attributes, attributesOf({ intent, delegation_mode, backend, queued_ms }));
  }
  return attributes;
}

/** The node that runs an agent is the invocation of it. */
const AGENT_NODE = "run_agent";
const PROVIDER = "ollama";

function startNode(tracer: Tracer, name: string, within: Context): Span {
  if (name !== AGENT_NODE) return tracer.startSpan(`${SPAN.node} ${name}`, {}, within);
  return tracer.startSpan(
    SPAN.agent,
    { attributes: attributesOf({ operation: "invoke_agent", agent: "orch" }) },
    within,
  );
}

const attributesOf = (said: TraceAttributes): Attributes =>
  Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[ATTRIBUTE[name as keyof TraceAttributes], value]],
    ),
  );

// The spans of the steps of one stretch of work. What a step hands on is needed before it begins: a span is made then, and dropped where the
// step never begins.

type StepSpan = { readonly span: Span; readonly begun_ms: number; is: "ready" | "begun" | "goes_on" };

/** `inside`: what the steps are part of, when they are made. */
function createStepSpans(tracer: Tracer, known: Known, inside: () => Context) {
  const steps = new Map<string, StepSpan>();

  const of = (place: StepAttempt, begun_ms = Date.now()): StepSpan => {
    const key = keyOf(place);
    const made = steps.get(key) ?? { span: start(place, begun_ms), begun_ms, is: "ready" };
    steps.set(key, made);
    return made;
  };
  const start = (place: StepAttempt, startTime: number): Span => {
    const { name, attributes } = named(place, known.steps.get(place.index));
    return tracer.startSpan(name, { attributes: attributesOf(attributes), startTime }, inside());
  };
  const describe = (span: Span, { name, attributes = {} }: TraceBegin | TraceEnd): Span =>
    (name === undefined ? span : span.updateName(SPAN[name])).setAttributes(attributesOf(attributes));

  return {
    of,
    begin: (begin: TraceBegin): void => {
      const step = of(begin);
      step.is = begin.goes_on === true || known.steps.get(begin.index)?.waits === true ? "goes_on" : "begun";
      describe(step.span, begin);
    },
    /** Of a step whose start may not be known. */
    end: (end: TraceEnd, at_ms: number): void => {
      const { duration_ms, failed } = end;
      const from_ms = end.from_ms ?? steps.get(keyOf(end))?.begun_ms ?? at_ms - duration_ms;
      endSpan(describe(of(end, from_ms).span, end), failed, from_ms + duration_ms);
      steps.delete(keyOf(end));
    },
    /** Those without an end on record: another server goes on with them, or their outcome is not known here. */
    endOpen: (): void => {
      for (const { is, span } of steps.values()) {
        if (is === "begun") endSpan(span.setAttribute(ATTRIBUTE.error_type, UNKNOWN), true);
        if (is === "goes_on") endSpan(span.setAttribute(ATTRIBUTE.handed_on, true), false);
      }
    },
  };
}

const UNKNOWN = "outcome_unknown";

const keyOf = ({ index, attempt }: StepAttempt): string => `${index}/${attempt}`;

function endSpan(span: Span, failed: boolean, to_ms?: number): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(to_ms);
}

/** A call of a tool has the name of its tool, as the conventions ask. */
function named({ index, attempt }: StepAttempt, step: TraceStep | undefined) {
  if (step?.tool === undefined) return { name: SPAN.step, attributes: { index, attempt } };
  const tool = plain(step.tool);
  const attributes = { index, attempt, operation: SPAN.tool, tool, tool_call_id: plain(step.call_id ?? "") };
  return { name: tool === null ? SPAN.tool : `${SPAN.tool} ${tool}`, attributes };
}

/** Null where it is no plain name: a supervisor or a model has written it. */
const plain = (name: string): string | null => (/^[\w.:/-]{1,128}$/.test(name) ? name : null);

// Between a text in the form of W3C Trace Context and what the API of OpenTelemetry calls a span context.

/** Of a text that was read by src/domain/trace-mark.ts. */
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

type Known = {
  /** By their indices. */
  readonly steps: Map<number, TraceStep>;
  /** By the id of what was asked for, in ms. */
  readonly requests: Map<string, number>;
  model: string | null;
};

function learn(known: Known, { steps = [], is_procedure, moment, model, at_ms }: MarkAt): void {
  if (is_procedure === true) known.steps.clear();
  for (const step of steps) known.steps.set(step.index, step);
  if (moment?.waits_for !== undefined) known.requests.set(moment.waits_for, at_ms);
  if (model !== undefined) known.model = model;
}
