// orch and a flow engine together: what a server is told of the engine, and a pair of both for one test.
import { type Engine, openEngine } from "./engine.ts";
import { type FlowEngine, startFlowEngine } from "./flow-engine.ts";

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
