// What the nodes of the pipeline are given. They close over it; there is no other wiring.
import type { AgentBackend, AgentRun } from "../src/agent/port.ts";
import type { AgentRunDeps } from "../src/agent/run-context.ts";
import type { AgentBackendName } from "../src/domain/agent-events.ts";
import type { TaskContract } from "../src/domain/contract.ts";
import type { Skill } from "../src/ports.ts";
import type { ProofDeps } from "../src/tasks/sop-checks.ts";

export type PipelineDeps = AgentRunDeps &
  Pick<ProofDeps, "unapproved"> & {
    /** Which versions ask for their promotion or replacement; the others are refused. */
    readonly sop_promotion: "ask" | "proved_only";
    /** Null when no skill handles the intent. */
    readonly skillOf: (intent: string) => Skill | null;
    readonly agentBackendOf: (name: AgentBackendName) => AgentBackend;
    /** The run of a task while its thread is open. */
    readonly agentRunOf: (contract: TaskContract) => Promise<AgentRun>;
  };
