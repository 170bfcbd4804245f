// What agent tasks are run with (spec section 1, agent backends).

import type { AgentBackendName } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { ProtectedResources } from "../policy/protected-resources.ts";
import type { ExecutionBackend } from "../ports.ts";
import type { AgentModel, SkillTool } from "./port.ts";
import type { AgentLimits } from "./stop-conditions.ts";

export type OfferedSkillTool = SkillTool & { readonly skill: string };

export type AgentMeans = {
  /** Null when no agent model is set. */
  readonly model: AgentModel | null;
  readonly default_backend: AgentBackendName;
  readonly skill_tools: readonly OfferedSkillTool[];
  /** Runs commands and tool calls on this machine, the commands kept away from what is orch's own. */
  readonly execution: ExecutionBackend;
  /** Why commands cannot be kept away from it here; null when they are. */
  readonly shellFault: () => Promise<string | null>;
  /** What no command of that contract may reach for. */
  readonly ownThings: (contract: TaskContract) => ProtectedResources;
  readonly limits: AgentLimits;
};
