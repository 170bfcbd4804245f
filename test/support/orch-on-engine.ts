// orch and a flow engine together: the settings of a server for the engine, and a pair of both for one test.
import { type FlowEngine, startFlowEngine } from "../simulators/flow-engine/flow-engine.ts";
import { type Engine, openEngine } from "./engine.ts";

type Env = Readonly<Record<string, string>>;

/** The variables by which a server finds the engine. */
export const engineEnv = ({ url, token, workspace }: Pick<FlowEngine, "url" | "token" | "workspace">): Env => ({
  FLOWENGINE_URL: url,
  FLOWENGINE_TOKEN: token,
  FLOWENGINE_WORKSPACE: workspace,
  FLOWENGINE_POLL_MS: "50",
});

export type Pair = { readonly orch: Engine; readonly flow: FlowEngine } & AsyncDisposable;

/** Steps run on this machine unless a contract, or `EXECUTION_BACKEND`, says otherwise. */
export async function startPair(env: Env = {}): Promise<Pair> {
  const flow = await startFlowEngine();
  const orch = await openEngine({ env: { ...engineEnv(flow), ...env } });
  return {
    orch,
    flow,
    [Symbol.asyncDispose]: async () => {
      await orch[Symbol.asyncDispose]();
      await flow[Symbol.asyncDispose]();
    },
  };
}

const STOPS_AT_ONCE = { ORCH_DRAIN_SECONDS: "0" };

/** Servers one after the other on one database, beside one flow engine. */
export async function startServers() {
  await using stack = new AsyncDisposableStack();
  const flow = stack.use(await startFlowEngine());
  const opened: Engine[] = [];
  stack.defer(async () => {
    for (const engine of opened.toReversed()) await engine[Symbol.asyncDispose]();
  });
  /** The one before is stopped. */
  const start = async (env: Readonly<Record<string, string>>): Promise<Engine> => {
    const [first] = opened;
    await opened.at(-1)?.shutDown();
    const given = { ...STOPS_AT_ONCE, ...env };
    const engine = await openEngine(first === undefined ? { env: given } : { env: given, directory: first.directory });
    opened.push(engine);
    return engine;
  };
  const kept = stack.move();
  return { flow, start, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
