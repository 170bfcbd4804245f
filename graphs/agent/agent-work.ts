// What the parts of an agent run share.
import type { TaskContract } from "../../src/domain/contract.ts";
import type { Thread } from "../../src/ports.ts";
import type { PipelineDeps } from "../nodes/pipeline-deps.ts";
import type { Judging } from "./judge-call.ts";

export type AgentRunDeps = Omit<PipelineDeps, "agentBackendOf" | "agentRunOf">;

/** What the parts of a run share. */
export type AgentWork = {
  readonly deps: AgentRunDeps;
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** The catalogue is made once, when it is first needed. */
  readonly judging: () => Promise<Judging>;
};
