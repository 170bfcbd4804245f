// The checks of a version on its target now (D-200): what each is worth, and what it answers. None of them changes anything.
import type { TaskContract } from "../../domain/contract.ts";
import type { Examination } from "../../domain/proof.ts";
import { parseOrigin, type Sop, type SopProof } from "../../domain/sop.ts";
import { isCheck, type Step } from "../../domain/step.ts";
import { readsBefore } from "../../domain/step-run.ts";
import type { ExecutionBackend, Store, ToolServers } from "../../ports.ts";
import { proofOf } from "../../proof/proof.ts";
import type { CheckExaminer, ExaminedCheck } from "./check-looks.ts";
import { WITHOUT_A_WORLD } from "./check-looks.ts";
import type { PlanDeps } from "./plan.ts";

export type ProofDeps = PlanDeps & {
  readonly store: Store;
  readonly toolServers: Pick<ToolServers, "effectOf" | "listNow">;
  readonly redact: (text: string) => string;
  /** Runs what only looks and is not approved yet. It can write nothing on this machine. */
  readonly unapproved: Pick<ExecutionBackend, "run" | "look">;
  /** Null where looks are switched off. */
  readonly examiner: CheckExaminer | null;
};

/** A check is tried when its control or its decoy and its look on the target each gave a colour. */
export const isTried = ({ class: worth, now }: SopProof["checks"][number]): boolean =>
  (now === "red" || now === "green") && worth !== null && worth !== "cannot_tell" && worth !== "not_possible";

type Looked = {
  readonly contract: TaskContract;
  readonly sop: Pick<Sop, "steps" | "criteria" | "origin">;
  readonly lookable: readonly number[];
};

/** That a check is red now shows nothing of it yet: no change has made it green (D-200). */
export async function looksAt(
  deps: ProofDeps,
  looked: Looked,
  signal: AbortSignal,
): Promise<SopProof["checks"][number][]> {
  const { contract, sop, lookable } = looked;
  const remote = deps.backendOf(contract)?.remote !== false;
  const asked = lookable.flatMap((step_index) => {
    const step = sop.steps[step_index];
    return step === undefined || (step.kind === "check" && readsBefore(step.value)) ? [] : [{ step_index, step }];
  });
  const cannot = asked.length === 0 || remote;
  const looks = cannot ? [] : await deps.unapproved.look?.({ task_contract: contract, checks: asked }, signal);
  const answers = new Map((looks ?? []).map((look) => [look.step_index, look]));
  const checks = sop.steps.flatMap((step, step_index) => (isCheck(step) ? [{ step, step_index }] : []));
  return Promise.all(
    checks.map(async ({ step, step_index }, nth) => {
      const worth = nth < MAX_TRIED ? worthOf(await examinationOf(deps, looked, step, step_index)) : NOT_TRIED;
      const criterion = sop.criteria.find((one) => one.step_index === step_index)?.criterion ?? null;
      return { step_index, criterion, ...worth, now: answers.get(step_index)?.answer ?? null };
    }),
  );
}

type Worth = Pick<SopProof["checks"][number], "class" | "seen_red" | "reason">;
const NOT_LOOKED_AT: Worth = { class: null, seen_red: [], reason: "looks at checks are switched off" };

/** Of one version; a promotion waits for them. */
const MAX_TRIED = 50;
const NOT_TRIED: Worth = { class: null, seen_red: [], reason: `only the first ${MAX_TRIED} checks are tried here` };

function worthOf(examination: Examination | null): Worth {
  if (examination === null) return NOT_LOOKED_AT;
  const { class: worth, seen_red, reason } = proofOf(examination, null);
  return { class: worth, seen_red, reason };
}

async function examinationOf(
  { examiner, backendOf }: ProofDeps,
  { contract, sop, lookable }: Looked,
  step: Step,
  step_index: number,
): Promise<Examination | null> {
  if (examiner === null) return null;
  if (step.kind !== "check" || backendOf(contract)?.remote === true) return WITHOUT_A_WORLD;
  const commands = sop.steps.flatMap((one) => (one.kind === "cmd" ? [one.value] : []));
  return examiner.examine({ text: step.value, contract, commands, decoy_on: decoyPlace(sop, lookable, step_index) });
}

/** The task that a version comes from has run its checks on the machine, under policy, and kept what was found. */
function decoyPlace(
  { origin }: Pick<Sop, "origin">,
  lookable: readonly number[],
  step_index: number,
): ExaminedCheck["decoy_on"] {
  if (!lookable.includes(step_index)) return "nowhere";
  return parseOrigin(origin).by === "task" ? "machine" : "confined";
}
