// Whether this server can run an agent task [1.A.5.agent_backend], before the agent makes any call.
import { scopeOf, type TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import type { ToolServers } from "../ports.ts";

export type AgentAdmissionDeps = {
  readonly agent: {
    /** Null when no agent model is set. */
    readonly model: object | null;
    /** Why commands cannot be confined here; null when they can. */
    readonly shellFault: () => Promise<string | null>;
    readonly skill_tools: readonly { readonly scope: string }[];
  };
  readonly toolServers: Pick<ToolServers, "names">;
};

const NO_MODEL = "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.";

export async function agentObstacle(
  { agent, toolServers }: AgentAdmissionDeps,
  contract: TaskContract,
): Promise<Reason | null> {
  const missing = (what: string) => reason("mode_unavailable", what);
  if (agent.model === null) return missing(NO_MODEL);
  if (contract.execution_backend === "flowengine") {
    return missing("An agent runs where orch runs; leave execution_backend out.");
  }
  const scope = scopeOf(contract);
  const shell_fault = scope.has("shell") ? await agent.shellFault() : null;
  if (shell_fault !== null) return missing(`An agent gets no shell here: ${shell_fault}`);
  const has = (name: string): boolean => scope.has(name.toLowerCase());
  const isEquipped =
    has("shell") || [...toolServers.names].some(has) || agent.skill_tools.some((tool) => has(tool.scope));
  const nothing = "implicit_scope names nothing that an agent could use: shell, or a tool server of this server.";
  return isEquipped ? null : reason("outside_scope", nothing);
}
