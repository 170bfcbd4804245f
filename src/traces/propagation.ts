// Between a text in the form of W3C Trace Context and what the API of OpenTelemetry calls a span context.
import { isSpanContextValid, type SpanContext, TraceFlags } from "@opentelemetry/api";

/** Of a text that was read by src/domain/traceparent.ts. */
export function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  return { traceId, spanId, traceFlags: flags === "01" ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** Undefined for the span of a tracer that makes none. */
export function traceparentOf(context: SpanContext): string | undefined {
  if (!isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01"}`;
}
