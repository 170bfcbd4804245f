// The dependencies and the context that the actions of an agent run share.
import type { TaskContract } from "../../domain/contract.ts";
import type { Gate, Store, ToolServers } from "../../ports.ts";
import type { CheckExaminer } from "../../proof/port.ts";
import type { ApprovalDeps } from "../../tasks/approval-record.ts";
import type { PlanDeps } from "../../tasks/plan.ts";
import type { Thread, ThreadOf } from "../../tasks/thread.ts";
import type { AgentServices } from "./agent-services.ts";
import type { Judging } from "./judge-call.ts";

export type AgentRunDeps = PlanDeps &
  ApprovalDeps & {
    readonly store: Store;
    readonly threadOf: ThreadOf;
    readonly gate: Gate;
    readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools" | "effectOf" | "listNow" | "mayRepeat">;
    readonly agent: AgentServices;
    /** Null where looks at checks are switched off. */
    readonly examiner: CheckExaminer | null;
    readonly redact: (text: string) => string;
  };

export type AgentRunContext = {
  readonly deps: AgentRunDeps;
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** Lists the tools on the first call only. */
  readonly judging: () => Promise<Judging>;
};
