// The tracer of the SDK that was loaded before orch; null where it has registered none.
import { ProxyTracerProvider, type Tracer, trace } from "@opentelemetry/api";

export function findTracer(version: string): Tracer | null {
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider) return provider.getDelegateTracer("orch", version) ?? null;
  return provider.getTracer("orch", version);
}
