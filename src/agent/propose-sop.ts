// Drafts a procedure from an agent's run [1.A.8.data]: the calls that changed something, then the checks that proved
// the result, in order, with parameters for the target's values (D-144). The supervisor teaches the draft.

import type { AgentCall } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { CriterionCheck } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { commandText } from "../domain/step-run.ts";
import type { Verdict } from "../domain/verdict.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { withParameters, withTargetVariables } from "./parameters.ts";

export type Proposal = {
  readonly steps: Step[];
  readonly criteria: CriterionCheck[];
  /** The changes and proofs that are not among the steps, each with the reason. */
  readonly left_out: { readonly index: number; readonly command: string; readonly why: string }[];
};

type Run = {
  readonly contract: TaskContract;
  readonly calls: readonly AgentCall[];
  readonly verdict: Verdict;
  /** The home directory that commands saw. */
  readonly home: string;
};

export function proposeSop({ contract, calls, verdict, home }: Run): Proposal {
  const shell = shellContextOf(contract, home);
  const changes = calls.filter(({ effect, result }) => effect === "changes" && result !== null);
  const proofs = verdict.checks.flatMap(({ step_index, criterion }) => {
    const call = calls[step_index];
    return call === undefined ? [] : [{ call, criterion }];
  });
  const changing = changes.filter((call) => exclusionOf(call) === null).flatMap(stepOf);
  const proving = proofs.flatMap(({ call, criterion }) => stepOf(call).map((step) => ({ step, criterion })));
  const steps = [...changing, ...proving.map(({ step }) => step)].map((step): Step => {
    if (step.kind === "mcp_call") return { ...step, arguments: withParameters(step.arguments, contract) };
    if (step.kind === "wait") return step;
    return { kind: step.kind, value: withTargetVariables(step.value, contract, shell) };
  });
  const criteria = proving.flatMap(({ criterion }, position) =>
    criterion === null ? [] : [{ criterion, step_index: changing.length + position }],
  );
  const left_out = [...new Set([...changes, ...proofs.map(({ call }) => call)])].flatMap((call) => {
    const why = exclusionOf(call);
    return why === null || call.step === null ? [] : [{ index: call.index, command: commandText(call.step), why }];
  });
  return { steps, criteria, left_out };
}

/** The reason that a change or a proof cannot be a step of a procedure; null when it can. */
function exclusionOf({ step, result }: AgentCall): string | null {
  if (step?.kind === "skill_tool") return "a skill's tool cannot be a step of a procedure";
  return result?.status === "passed" ? null : `it ended ${result?.status}`;
}

/** A check that changed something becomes a command. */
function stepOf({ step, effect }: AgentCall): Step[] {
  if (step === null || step.kind === "skill_tool") return [];
  return step.kind === "check" && effect === "changes" ? [{ kind: "cmd", value: step.value }] : [step];
}
