// What the parts of an agent run share.
import type { TaskContract } from "../domain/contract.ts";
import type { Gate, Store, ToolServers } from "../ports.ts";
import type { ApprovalDeps } from "../tasks/approval-record.ts";
import type { PlanDeps } from "../tasks/plan.ts";
import type { Thread, ThreadOf } from "../tasks/thread.ts";
import type { AgentMeans } from "./agent-means.ts";
import type { Judging } from "./judge-call.ts";

export type AgentRunDeps = PlanDeps &
  ApprovalDeps & {
    readonly store: Store;
    readonly threadOf: ThreadOf;
    readonly gate: Gate;
    readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools">;
    readonly agent: AgentMeans;
    readonly redact: (text: string) => string;
  };

/** What the parts of a run share. */
export type AgentWork = {
  readonly deps: AgentRunDeps;
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** The catalogue is made once, when it is first needed. */
  readonly judging: () => Promise<Judging>;
};
