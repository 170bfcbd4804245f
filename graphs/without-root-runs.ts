// LangGraph opens a run of LangSmith's tracer for each node, also where nothing traces: a UUID, dates and reads of the environment,
// 28 % of its CPU. What a node needs of it is the config, which `interrupt` reads (D-257).
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

type Provider = typeof AsyncLocalStorageProviderSingleton;
type Given = Parameters<Provider["runWithConfig"]>[0];

/** Where LangChain keeps the config of the node that runs. */
const CONFIG = Symbol.for("lc:child_config");
const VARIABLES = Symbol.for("lc:context_variables");
const TRACER = "langchain_tracer";

/** For the whole process, as the provider is. A node under a tracer runs as before. */
export function withoutRootRuns(provider: Provider = AsyncLocalStorageProviderSingleton): void {
  if (Object.hasOwn(provider, "runWithConfig")) return;
  const withRun = provider.runWithConfig.bind(provider);
  provider.runWithConfig = (config, callback, avoids) => {
    if (isTraced(config)) return withRun(config, callback, avoids);
    const storage = provider.getInstance();
    const variables: unknown = storage.getStore()?.[VARIABLES];
    return storage.run(
      { extra: { [CONFIG]: config }, ...(variables !== undefined && { [VARIABLES]: variables }) },
      callback,
    );
  };
}

function isTraced(config: Given): boolean {
  const callbacks: unknown = config?.callbacks;
  const handlers = Array.isArray(callbacks)
    ? callbacks
    : ((callbacks as { handlers?: unknown[] } | undefined)?.handlers ?? []);
  return handlers.some((handler) => (handler as { name?: unknown } | null)?.name === TRACER);
}
