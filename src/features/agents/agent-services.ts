// The services that agent tasks run with.
import type { AgentBackendName } from "../../domain/agent-events.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Disk } from "../../domain/script.ts";
import type { ProtectedResources } from "../../engine/policy/protected-resources.ts";
import type { ExecutionBackend, OfferedSkillTool } from "../../ports.ts";
import type { AgentModel } from "./port.ts";
import type { AgentLimits } from "./stop-conditions.ts";

/** A directory that an agent may write and whose content runs later; `why`: to be read after "which is". */
type PlaceThatRuns = { readonly named: string; readonly real: string; readonly why: string };

/** `diskOf`: the files that the commands of the contract's agent can read. `runsLater`: where what they write runs later. */
export type AgentExecution = Pick<ExecutionBackend, "run"> & {
  readonly diskOf: (contract: TaskContract) => Disk;
  readonly runsLater: (contract: TaskContract) => Promise<readonly PlaceThatRuns[]>;
};

export type AgentServices = {
  /** Null when no agent model is set. */
  readonly model: AgentModel | null;
  readonly default_backend: AgentBackendName;
  readonly skill_tools: readonly OfferedSkillTool[];
  /** Runs commands and tool calls on this machine; commands cannot reach protected resources. */
  readonly execution: AgentExecution;
  /** The reason that commands cannot be confined on this machine; null when they can (D-143). */
  readonly shellFault: () => Promise<string | null>;
  /** The resources that no command of that contract may use. */
  readonly protectedResources: (contract: TaskContract) => ProtectedResources;
  readonly limits: AgentLimits;
  /** Who runs the commands, and the operating system: the model is informed of them. */
  readonly account: { readonly user: string; readonly system: string };
};
