// The spans of the steps of one stretch of work. What a step hands on is needed before it begins: a span is made then, and dropped where the
// step never begins.
import { type Attributes, type Context, type Span, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { TraceparentOf } from "../domain/traceparent.ts";
import type { KnownCall, KnownOfThread } from "./known.ts";
import { ATTRIBUTE, SPAN } from "./names.ts";
import { traceparentOf } from "./propagation.ts";

type Place = Parameters<TraceparentOf>[0];

export type Past = {
  readonly attributes: Attributes;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly failed: boolean;
};

type StepSpan = { readonly span: Span; readonly begun_ms: number; is: "ready" | "begun" | "goes_on" };

export type StepSpans = ReturnType<typeof createStepSpans>;

/** `inside`: what the steps are part of, when they are made. */
export function createStepSpans(tracer: Tracer, known: KnownOfThread, inside: () => Context) {
  const steps = new Map<string, StepSpan>();

  const of = (place: Place, begun_ms = Date.now()): StepSpan => {
    const key = keyOf(place);
    const made = steps.get(key) ?? { span: start(place, begun_ms), begun_ms, is: "ready" };
    steps.set(key, made);
    return made;
  };
  const start = (place: Place, startTime: number): Span => {
    const { name, ...attributes } = named(place, known.calls.get(place.index));
    return tracer.startSpan(name, { ...attributes, startTime }, inside());
  };

  return {
    traceparentOf: (place: Place) => traceparentOf(of(place).span.spanContext()),
    /** `goes_on`: also without this server, such as a job of a flow engine. */
    begin: (place: Place, { goes_on } = { goes_on: false }): Span => {
      const step = of(place);
      step.is = goes_on ? "goes_on" : "begun";
      return step.span;
    },
    /** In ms, where it has a span already. */
    begunAt: (place: Place): number | null => steps.get(keyOf(place))?.begun_ms ?? null,
    /** Of a step whose start may not be known. */
    end: (place: Place, { name, attributes, from_ms, ...past }: Past & { readonly name?: string }): void => {
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

const keyOf = ({ index, attempt }: Place): string => `${index}/${attempt}`;

export function endSpan(span: Span, { to_ms, failed }: Pick<Past, "failed"> & Partial<Pick<Past, "to_ms">>): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(to_ms);
}

/** A call of a tool has the name of its tool, as the conventions ask. */
function named({ index, attempt }: Place, call: KnownCall | undefined) {
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
