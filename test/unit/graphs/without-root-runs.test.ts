// Runs of nodes without LangSmith's run for each: what a node and its interrupts see is the same.
import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { Annotation, Command, getConfig, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { withoutRootRuns } from "../../../graphs/without-root-runs.ts";

type Provider = typeof AsyncLocalStorageProviderSingleton;

/** A provider of its own, on a storage of its own. */
function aProvider() {
  const storage = new AsyncLocalStorage<unknown>();
  const provider = Object.create(AsyncLocalStorageProviderSingleton) as Provider;
  provider.getInstance = () => storage as never;
  return { provider, storage };
}

/** What the code within a run finds there. */
const seenBy = ({ provider, storage }: ReturnType<typeof aProvider>, config: object) =>
  provider.runWithConfig(config, () => ({ config: provider.getRunnableConfig(), store: storage.getStore() }));

describe("a node without a run of its own", () => {
  test("finds its config, as with one", () => {
    const config = { configurable: { thread_id: "one" }, callbacks: [] };
    const [before, after] = [aProvider(), aProvider()];
    withoutRootRuns(after.provider);
    expect(seenBy(after, config).config).toBe(config);
    expect(seenBy(before, config).config).toBe(config);
    expect(seenBy(before, config).store).toHaveProperty("trace_id");
    expect(seenBy(after, config).store).not.toHaveProperty("trace_id");
  });

  test("finds the variables of the run around it", () => {
    const { provider, storage } = aProvider();
    withoutRootRuns(provider);
    const variables = Symbol.for("lc:context_variables");
    const seen = storage.run({ [variables]: { user: "a" } }, () =>
      provider.runWithConfig({}, () => storage.getStore() as Record<symbol, unknown>),
    );
    expect(seen[variables]).toEqual({ user: "a" });
  });

  test("has a run where a tracer is among its handlers", () => {
    const after = aProvider();
    withoutRootRuns(after.provider);
    const tracer = {
      name: "langchain_tracer",
      lc_prefer_streaming: false,
      getRunTreeWithTracingConfig: () => undefined,
    };
    expect(seenBy(after, { callbacks: [tracer] }).store).toHaveProperty("trace_id");
  });

  test("is set up once, however many services one process opens", () => {
    const { provider } = aProvider();
    withoutRootRuns(provider);
    const { runWithConfig } = provider;
    withoutRootRuns(provider);
    expect(provider.runWithConfig).toBe(runWithConfig);
  });
});

test("a graph pauses and resumes, and its nodes read their config", async () => {
  withoutRootRuns();
  const State = Annotation.Root({ answer: Annotation<unknown>, thread: Annotation<unknown> });
  const graph = new StateGraph(State)
    .addNode("asks", () => ({ answer: interrupt("a question"), thread: getConfig().configurable?.["thread_id"] }))
    .addEdge(START, "asks")
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "paused" } };
  expect(await graph.invoke({ answer: null, thread: null }, config)).toMatchObject({
    __interrupt__: [{ value: "a question" }],
  });
  expect(await graph.invoke(new Command({ resume: "yes" }), config)).toMatchObject({ answer: "yes", thread: "paused" });
});
