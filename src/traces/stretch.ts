// The spans of one stretch of work on a thread: from when it is opened to its next pause or end. The journal says what they are: an event
// that is durable begins a span or ends it. Only what a step hands on is needed before, and a step that never begins has no span.
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { EventBody, EventKind, JournalEvent } from "../domain/journal.ts";
import type { TraceparentOf } from "../domain/traceparent.ts";
import { kindOfThread, stretchAttributes } from "./attributes.ts";
import { type KnownCall, type KnownOfThread, knownFrom } from "./known.ts";
import { ATTRIBUTE, SPAN } from "./names.ts";
import { spanContextOf, traceparentOf } from "./propagation.ts";

type Place = { readonly index: number; readonly attempt: number };
type Past = {
  readonly attributes: Attributes;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly failed: boolean;
};
type Named = { readonly name: string };

export type Stretch = {
  readonly context: SpanContext;
  readonly traceparentOf: TraceparentOf;
  readonly root: Span;
  readonly known: KnownOfThread;
  /** Nodes, the innermost last. */
  readonly nodes: { readonly name: string; readonly span: Span }[];
  /** The span of a step that has begun. */
  readonly beginStep: (place: Place) => Span;
  /** The span of a step that has ended, of which no start may be known. */
  readonly endStep: (place: Place, end: Past & Partial<Named>) => void;
  /** A span that is over already. */
  readonly past: (past: Past & Named) => void;
  readonly beginNode: (name: string) => void;
  readonly endNode: (name: string) => void;
  readonly end: () => void;
};

/** `before`: the stretch before this one on the same thread, where this server knows it. A trace is not open while a task waits. */
export function openStretch(
  tracer: Tracer,
  { thread_id, events, before }: { thread_id: string; events: readonly JournalEvent[]; before: SpanContext | null },
): Stretch {
  const known = knownFrom(events);
  const submitted = bodyOf(events, "trace_joined");
  const caller = submitted === undefined ? null : spanContextOf(submitted.traceparent);
  const is_first = bodyOf(events, "taken_up") === undefined;
  const links = is_first ? [] : [caller, before].flatMap((context): Link[] => (context === null ? [] : [{ context }]));
  const within = is_first && caller !== null ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
  const attributes = stretchAttributes(thread_id, events, is_first);
  const root = tracer.startSpan(SPAN[kindOfThread(thread_id)], { attributes, links }, within);
  const steps = new Map<string, { readonly span: Span; has_begun: boolean }>();
  const nodes: Stretch["nodes"] = [];
  const inside = (): Context => trace.setSpan(ROOT_CONTEXT, nodes.at(-1)?.span ?? root);

  const step = (place: Place, startTime?: number) => {
    const key = keyOf(place);
    const { name, attributes } = stepSpan(place, known.calls.get(place.index));
    const of_start = { attributes, ...(startTime !== undefined && { startTime }) };
    const made = steps.get(key) ?? { span: tracer.startSpan(name, of_start, inside()), has_begun: false };
    steps.set(key, made);
    return made;
  };
  const endNode = (name: string): void => {
    const at = nodes.findLastIndex((node) => node.name === name);
    if (at !== -1) for (const { span } of nodes.splice(at).reverse()) span.end();
  };
  return {
    ...{ root, known, nodes, endNode, context: root.spanContext() },
    traceparentOf: (place) => traceparentOf(step(place).span.spanContext()),
    beginStep: (place) => {
      const begun = step(place);
      begun.has_begun = true;
      return begun.span;
    },
    endStep: (place, { name, attributes, from_ms, to_ms, failed }) => {
      const { span } = step(place, from_ms);
      if (name !== undefined) span.updateName(name);
      span.setAttributes(attributes);
      ended(span, { to_ms, failed });
      steps.delete(keyOf(place));
    },
    past: ({ name, attributes: given, from_ms, ...end }) =>
      ended(tracer.startSpan(name, { attributes: given, startTime: from_ms }, inside()), end),
    beginNode: (name) => {
      const { name: shown, attributes: given } = nodeSpan(name);
      nodes.push({ name, span: tracer.startSpan(shown, { attributes: given }, inside()) });
    },
    end: () => {
      // What has begun and has no end on record: its outcome is not known here.
      const unknown = [...steps.values()].filter(({ has_begun }) => has_begun);
      for (const { span } of unknown) ended(span.setAttribute(ATTRIBUTE.error_type, UNKNOWN), { failed: true });
      for (const { span } of nodes.splice(0).reverse()) span.end();
      root.end();
    },
  };
}

const UNKNOWN = "outcome_unknown";

function ended(span: Span, { to_ms, failed }: Pick<Past, "failed"> & Partial<Pick<Past, "to_ms">>): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(to_ms);
}

const keyOf = ({ index, attempt }: Place): string => `${index}/${attempt}`;

const bodyOf = <K extends EventKind>(events: readonly JournalEvent[], kind: K): EventBody<K> | undefined =>
  events.find((event) => event.kind === kind)?.body as EventBody<K> | undefined;

type Started = Named & Pick<Past, "attributes">;

/** A call of a tool has the name of its tool, as the conventions ask. */
function stepSpan({ index, attempt }: Place, call: KnownCall | undefined): Started {
  const attributes = { [ATTRIBUTE.index]: index, [ATTRIBUTE.attempt]: attempt };
  if (call === undefined) return { name: SPAN.step, attributes };
  const of_call = {
    [ATTRIBUTE.operation]: SPAN.tool,
    [ATTRIBUTE.tool]: call.name,
    ...(call.call_id !== null && { [ATTRIBUTE.tool_call_id]: call.call_id }),
  };
  return { name: `${SPAN.tool} ${call.name}`, attributes: { ...attributes, ...of_call } };
}

/** The node that runs an agent is the invocation of it. */
const nodeSpan = (name: string): Started =>
  name === "run_agent"
    ? { name: SPAN.agent, attributes: { [ATTRIBUTE.operation]: "invoke_agent", [ATTRIBUTE.agent]: "orch" } }
    : { name: `${SPAN.node} ${name}`, attributes: {} };
