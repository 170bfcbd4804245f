// From an agent's run to a procedure: the calls that changed something and the checks that
// proved the result, in order, with parameters in the place of the target's values. A draft, which the supervisor teaches.

import type { AgentCall } from "../domain/agent-call.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { CriterionCheck } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { commandText } from "../domain/step-words.ts";
import type { Verdict } from "../domain/verdict.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { withParameters, withTargetVariables } from "./parameters.ts";

export type Proposal = {
  readonly steps: Step[];
  readonly criteria: CriterionCheck[];
  /** Changes and proofs that are not among the steps, and why. */
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
  const changing = changes.filter((call) => whyNot(call) === null).flatMap(stepOf);
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
    const why = whyNot(call);
    return why === null || call.step === null ? [] : [{ index: call.index, command: commandText(call.step), why }];
  });
  return { steps, criteria, left_out };
}

/** Why a change, or a proof, is no step of a procedure; null where it is one. */
function whyNot({ step, result }: AgentCall): string | null {
  if (step?.kind === "skill_tool") return "a tool of a skill is no step of a procedure";
  return result?.status === "passed" ? null : `it ended ${result?.status}`;
}

/** A check that changed something was none. */
function stepOf({ step, effect }: AgentCall): Step[] {
  if (step === null || step.kind === "skill_tool") return [];
  return step.kind === "check" && effect === "changes" ? [{ kind: "cmd", value: step.value }] : [step];
}
