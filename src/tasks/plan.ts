// The plan of a task: the procedure that its journal pins it to, the findings of the rules, and what a human is asked to
// approve.
import { approvalDigest, type ProcedureContent } from "../domain/approval.ts";
import { type TaskContract, targetSignature } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Procedure } from "../domain/journal.ts";
import { judgePlan, type PlanContext } from "../policy/judge-plan.ts";
import { sentStep } from "../policy/sent-step.ts";
import type { ExecutionBackend } from "../ports.ts";
import type { Projection } from "./projection.ts";

export type PlanDeps = {
  /** The home directory that commands see; policy resolves `~` with it. */
  readonly home: string;
  /** Null when the contract asks for a backend that this server does not have. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
};

/** The contract with the backend that the task was accepted for: the default may have changed since. */
export function pinnedTo(contract: TaskContract, { accepted }: Projection): TaskContract {
  const backend = accepted?.backend;
  return backend === undefined ? contract : { ...contract, execution_backend: backend };
}

/** The procedure that this task is pinned to. Nodes after the look-up may rely on it. */
export function pinned({ procedure }: Projection): Procedure {
  if (procedure === null) throw new Error("the journal holds no procedure although the look-up has passed");
  return procedure;
}

/**
 * What the rules say of the plan. It is pure, so the plan can be judged again before it runs. Only the steps of an active SOP,
 * which the look-up has pinned, have an SOP's id.
 */
export function judged(deps: PlanDeps, contract: TaskContract, projection: Projection): Finding[] {
  const { steps, safety_level, sop_id } = pinned(projection);
  const context = planContextOf(deps, pinnedTo(contract, projection));
  return judgePlan({ contract, steps, safety_level, intent: contract.intent, context, proved: sop_id !== null });
}

export const planContextOf = ({ home, backendOf }: PlanDeps, contract: TaskContract): PlanContext => ({
  home,
  remote: backendOf(contract)?.remote === true,
});

/**
 * Exactly what a human is asked to approve: the steps as they are sent, and the contract, which decides everything else that
 * reaches a command, a tool or a flow engine (D-185).
 */
export function planContent(projection: Projection, findings: readonly Finding[]): ProcedureContent {
  const contract = acceptedContract(projection);
  const { steps, ...procedure } = pinned(projection);
  return {
    intent: contract.intent,
    target_signature: targetSignature(contract.target),
    ...procedure,
    steps: steps.map((step) => sentStep(step, contract)),
    findings: [...findings],
    contract,
  };
}

/** The digests of an approval that covers the plan. Approvals of version 0.1 showed unresolved steps and no contract. */
export function planDigests(projection: Projection, findings: readonly Finding[]): readonly string[] {
  const content = planContent(projection, findings);
  const { contract: _contract, ...template } = { ...content, steps: pinned(projection).steps };
  return [content, template].map(approvalDigest);
}

function acceptedContract(projection: Projection): TaskContract {
  const { accepted } = projection;
  if (accepted === null) throw new Error("the journal holds no accepted contract");
  return pinnedTo(accepted.contract, projection);
}
