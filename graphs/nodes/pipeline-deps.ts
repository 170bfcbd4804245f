// What the nodes of the pipeline are given. Closures over this are all the wiring there is.
import type { AgentBackend, AgentRun } from "../../src/agent-ports.ts";
import type { AgentBackendName } from "../../src/domain/agent/agent-events.ts";
import type { ProcedureContent } from "../../src/domain/approval.ts";
import type { TaskContract } from "../../src/domain/contract.ts";
import { type JournalEvent, lastOf, type Procedure } from "../../src/domain/journal.ts";
import type { Finding } from "../../src/domain/policy/finding.ts";
import { judgePlan, type PlanContext } from "../../src/domain/policy/judge-plan.ts";
import { procedureOf } from "../../src/domain/progress.ts";
import { targetSignature } from "../../src/domain/target.ts";
import type { Clock, ExecutionBackend, Gate, NewId, Skill, Store, ThreadOf, ToolServers } from "../../src/ports.ts";
import type { AgentMeans } from "../agent/agent-means.ts";

export type PipelineDeps = {
  readonly store: Store;
  readonly threadOf: ThreadOf;
  readonly gate: Gate;
  /** Null when the contract asks for a backend that this server does not have. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  /** Null when no skill handles the intent. */
  readonly skillOf: (intent: string) => Skill | null;
  readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools">;
  readonly agent: AgentMeans;
  readonly agentBackendOf: (name: AgentBackendName) => AgentBackend;
  /** The run of a task while its thread is open. */
  readonly agentRunOf: (contract: TaskContract) => Promise<AgentRun>;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly new_id: NewId;
  /** The home directory that commands see; policy resolves `~` with it. */
  readonly home: string;
  readonly approval_ttl_ms: number;
};

/** The contract with the backend that the task was accepted for: the default may have changed since. */
export function pinnedTo(contract: TaskContract, events: readonly JournalEvent[]): TaskContract {
  const backend = lastOf(events, "task_accepted")?.backend;
  return backend === undefined ? contract : { ...contract, execution_backend: backend };
}

/** The procedure this task is pinned to. Nodes behind the look-up may rely on it. */
export function pinned(events: readonly JournalEvent[]): Procedure {
  const procedure = procedureOf(events);
  if (procedure === undefined) throw new Error("the journal holds no procedure although the look-up has passed");
  return procedure;
}

/**
 * What the rules say of the plan: pure, so that it can be judged again wherever it matters. Only steps that the look-up
 * pinned, those of an active SOP, bear the id of one.
 */
export function judged(deps: Surroundings, contract: TaskContract, events: readonly JournalEvent[]): Finding[] {
  const { steps, safety_level, sop_id } = pinned(events);
  const context = planContextOf(deps, pinnedTo(contract, events));
  return judgePlan({ contract, steps, safety_level, intent: contract.intent, context, proved: sop_id !== null });
}

type Surroundings = Pick<PipelineDeps, "home" | "backendOf">;

export const planContextOf = ({ home, backendOf }: Surroundings, contract: TaskContract): PlanContext => ({
  home,
  hands_over: backendOf(contract)?.hands_over === true,
});

/** The findings as journalled, the model's among them. */
export const findingsOf = (events: readonly JournalEvent[]): Finding[] =>
  lastOf(events, "policy_judged")?.findings ?? [];

/** Exactly what a human is asked to approve, and what a digest is taken of. */
export const planContent = (
  contract: TaskContract,
  procedure: Procedure,
  findings: readonly Finding[],
): ProcedureContent => ({
  intent: contract.intent,
  target_signature: targetSignature(contract.target),
  ...procedure,
  findings: [...findings],
});
