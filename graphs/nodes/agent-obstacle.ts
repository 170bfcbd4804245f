// Why an agent task cannot be taken up on this server, whatever it would do (spec section 1, agent backends).
import type { TaskContract } from "../../src/domain/contract.ts";
import type { ToolServers } from "../../src/ports.ts";
import { scopeOf } from "../agent/catalogue.ts";
import { because, type Why } from "../why.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";

export type AgentSurroundings = Pick<PipelineDeps, "agent"> & { readonly toolServers: Pick<ToolServers, "names"> };

const NO_MODEL = "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.";

export async function agentObstacle(
  { agent, toolServers }: AgentSurroundings,
  contract: TaskContract,
): Promise<Why | null> {
  const missing = (what: string) => because("mode_unavailable", what);
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
  return isEquipped ? null : because("outside_scope", nothing);
}
