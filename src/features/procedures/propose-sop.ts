// Drafts a procedure from an agent's run [1.A.8.data]: the calls that changed something, then the checks that proved the result,
// in order, with parameters for the target's values (D-144). A complete draft becomes a candidate (D-191).
import type { AgentCall } from "../../domain/agent-events.ts";
import { type TaskContract, targetSignature } from "../../domain/contract.ts";
import { REDACTED } from "../../domain/printable.ts";
import type { CheckProof } from "../../domain/proof.ts";
import type { CriterionCheck, Procedure, SopDefinition } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import { commandText } from "../../domain/step-run.ts";
import type { Verdict } from "../../domain/verification.ts";
import { shellContextOf } from "../../engine/policy/judge-plan.ts";
import { teachingOf } from "../../engine/tasks/teaching.ts";
import type { Judge, Store } from "../../ports.ts";
import { type LeftLiteral, type Parametriser, parametriser } from "./parametrised-step.ts";
import { unneededWork } from "./unneeded-work.ts";

/** What a check of the draft was worth in the run. `proof` is null where it was not looked at. */
type ProposedCheck = { readonly step_index: number } & {
  readonly [Field in "seen_red" | "change" | "reason"]: CheckProof[Field] | null;
} & { readonly proof: CheckProof["class"] | null };

export type Proposal = {
  readonly steps: Step[];
  readonly criteria: CriterionCheck[];
  readonly checks: ProposedCheck[];
  /** The changes and proofs that are not among the steps, each with the reason. */
  readonly left_out: { readonly index: number; readonly command: string; readonly why: string }[];
  /** Sentences that the supervisor has to read before teaching the draft. */
  readonly warnings: string[];
  /** True if the agent changed something, each change passed and can be a step, and orch redacted no secret in the steps. */
  readonly is_complete: boolean;
  readonly left_literal: LeftLiteral[];
};

export type VerifiedRun = {
  readonly contract: TaskContract;
  readonly calls: readonly AgentCall[];
  readonly verdict: Verdict;
  /** The home directory that commands saw. */
  readonly home: string;
};

type Proving = {
  readonly call: AgentCall;
  readonly criterion: string | null;
  readonly proof: CheckProof | undefined;
};

export function proposeSop({ contract, calls, verdict, home }: VerifiedRun): Proposal {
  const shell = shellContextOf(contract, home);
  const changes = calls.filter(({ effect, result }) => effect === "changes" && result !== null);
  const proofs = verdict.checks.flatMap(({ step_index, criterion, proof }): Proving[] => {
    const call = calls[step_index];
    return call === undefined ? [] : [{ call, criterion, proof }];
  });
  const { dropped, remarks } = unneededWork(changes, shell);
  const changing = changes.filter((call) => changeFault(call, dropped) === null);
  const proving = distinct(proofs.filter((one) => proofFault(one) === null));
  const parametrise: Parametriser = parametriser(contract, shell);
  const drafted = [...changing, ...proving.map(({ call }) => call)].flatMap(stepOf).map(parametrise);
  const first = changing.flatMap(stepOf).length;
  const criteria = proving.flatMap(({ criterion }, position) =>
    criterion === null ? [] : [{ criterion, step_index: first + position }],
  );
  const faults = new Map([
    ...changes.map((call) => [call, changeFault(call, dropped)] as const),
    ...proofs.map((one) => [one.call, proofFault(one)] as const),
  ]);
  return {
    steps: drafted.map(({ step }) => step),
    criteria,
    checks: proving.map((one, position) => proposedCheck(one, first + position)),
    left_out: [...faults].flatMap(([call, why]) =>
      why === null || call.step === null ? [] : [{ index: call.index, command: commandText(call.step), why }],
    ),
    warnings: [...changes.flatMap(failedChange), ...remarks, ...proving.flatMap((one, n) => weakCheck(one, first + n))],
    is_complete:
      changing.length > 0 &&
      changes.every((call) => dropped.has(call) || changeFault(call, dropped) === null) &&
      !drafted.some(holdsRedacted),
    left_literal: drafted.flatMap(({ left }) => left),
  };
}

const holdsRedacted = ({ step }: { readonly step: Step }): boolean => JSON.stringify(step).includes(REDACTED);

const SKILL_TOOL = "a skill's tool cannot be a step of a procedure";

/** The reason that a change is no step of the procedure; null when it is one. */
function changeFault(call: AgentCall, dropped: ReadonlyMap<AgentCall, string>): string | null {
  if (call.step?.kind === "skill_tool") return SKILL_TOOL;
  const { status, exit_code } = call.result ?? {};
  if (status === "passed") return dropped.get(call) ?? null;
  const code = exit_code == null ? "" : ` with exit code ${exit_code}`;
  return `it ended ${status}${code}, and may have done a part of its work`;
}

function proofFault({ call: { step, result }, proof }: Proving): string | null {
  if (step?.kind === "skill_tool") return SKILL_TOOL;
  if (result?.status !== "passed") return `it ended ${result?.status}`;
  return proof?.class === "unproved" ? `it proves nothing: ${proof.reason}` : null;
}

/** The same check for the same criterion once. A criterion needs a step of its own. */
function distinct(proofs: readonly Proving[]): Proving[] {
  const key = ({ call, criterion }: Proving) => JSON.stringify([call.step, criterion]);
  return proofs.filter((one, at) => {
    const isKnown = proofs.slice(0, at).some((other) => key(other) === key(one));
    const isNamed = one.criterion === null && proofs.some((other) => other !== one && isSameCheck(other, one));
    return !isKnown && !isNamed;
  });
}

const isSameCheck = (other: Proving, { call }: Proving): boolean =>
  other.criterion !== null && JSON.stringify(other.call.step) === JSON.stringify(call.step);

const proposedCheck = ({ proof }: Proving, step_index: number): ProposedCheck => ({
  step_index,
  proof: proof?.class ?? null,
  seen_red: proof?.seen_red ?? null,
  change: proof?.change ?? null,
  reason: proof?.reason ?? null,
});

const failedChange = (call: AgentCall): string[] =>
  call.result === null || call.result.status === "passed"
    ? []
    : [
        `call ${call.index} ended ${call.result.status} and may have done a part of its work: see what of it the steps need`,
      ];

const weakCheck = ({ proof }: Proving, step_index: number): string[] =>
  proof === undefined || proof.class === "proved"
    ? []
    : [`step ${step_index} is ${proof.class}: ${proof.reason ?? "it has never been seen to fail"}`];

/** A check that changed something becomes a command. */
function stepOf({ step, effect }: AgentCall): Step[] {
  if (step === null || step.kind === "skill_tool") return [];
  return step.kind === "check" && effect === "changes" ? [{ kind: "cmd", value: step.value }] : [step];
}

type Deps = {
  readonly store: Store;
  readonly judge: Judge;
};

/**
 * Drafts the procedure that an agent's verified run leaves as a candidate [3.sop.candidate] (D-191). Returns null if a supervisor
 * has to read the draft first, because it is incomplete or teach would refuse it. Also returns null while a version of this
 * intent and target is active or waits for its promotion.
 */
export async function procedureOfAgent({ store, judge }: Deps, run: VerifiedRun): Promise<Procedure | null> {
  const { intent, target } = run.contract;
  const versions = await store.listSops({ intent, target_signature: targetSignature(target), limit: 1000 });
  if (versions.some(({ status }) => status !== "deprecated")) return null;
  const { is_complete, steps, criteria: proved } = await judge(proposeSop, run);
  if (!is_complete) return null;
  const criteria = Object.fromEntries(proved.map(({ criterion, step_index }) => [criterion, step_index]));
  const draft: SopDefinition = { steps, criteria, safety_level: "standard", preconditions: [] };
  const context = { home: run.home, remote: false };
  const { procedure, issues } = await judge(teachingOf, run.contract, draft, context);
  return issues.length === 0 ? procedure : null;
}
