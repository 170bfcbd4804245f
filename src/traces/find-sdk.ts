// The SDK that was loaded before orch, as far as it is used; null where it has registered no tracer.
import { ProxyTracerProvider, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";

export type Sdk = {
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
