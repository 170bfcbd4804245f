// Says whether a task is done before anything has run (D-199). It follows from the journal alone: each check of the plan
// was true on the target, and is known to be able to fail. The rule for their classes is that of an agent's finish.
import type { TaskContract } from "../domain/contract.ts";
import type { CheckProof } from "../domain/proof.ts";
import type { Procedure } from "../domain/sop.ts";
import { isCheck } from "../domain/step.ts";
import { obstacleToSkip } from "../proof/before.ts";
import { type Projection, proofAt } from "./projection.ts";

export const isAlreadyDone = (contract: TaskContract, state: Projection): boolean =>
  contract.skip_if_done === true &&
  state.steps.starts.length === 0 &&
  wereAllTrue(contract, state) &&
  weakness(state) === null;

/** Whether the looks allow it, before it is known what the checks are worth. */
export const wereAllTrue = (contract: TaskContract, state: Projection): boolean =>
  state.procedure !== null && obstacleToSkip(contract, state.procedure) === null && openCheck(state) === null;

/** Why a task that asked for it was not done already, as a sentence; empty where a check was not true, or where it never asked. */
export function whyNotSkipped(contract: TaskContract, state: Projection): string {
  const { procedure, proof } = state;
  if (contract.skip_if_done !== true || procedure === null) return "";
  const open = openCheck(state);
  const isFalse = open !== null && (proof.before?.get(open) ?? null) !== null;
  const why =
    obstacleToSkip(contract, procedure) ??
    (open === null ? weakness(state) : isFalse ? null : `check step ${open} was not looked at before`);
  return why === null ? "" : ` skip_if_done had no effect: ${why}.`;
}

const checksOf = ({ steps }: Pick<Procedure, "steps">): number[] =>
  steps.flatMap((step, index) => (isCheck(step) ? [index] : []));

/** The first check that was not seen to be true. */
function openCheck({ procedure, proof }: Projection): number | null {
  const checks = procedure === null ? [] : checksOf(procedure);
  return checks.find((index) => proof.before?.get(index)?.answer !== "green") ?? null;
}

/** A sensitive check counts only beside a proved one: of its criterion, or of the plan where it has none. */
function weakness({ procedure, proof }: Projection): string | null {
  if (procedure === null) return null;
  const checks = checksOf(procedure).map((index) => ({ index, proof: proofAt(proof, index) }));
  const weak = checks.find((check) => check.proof === undefined || !COUNTS.has(check.proof.class));
  if (weak !== undefined) return `check step ${weak.index} ${worth(weak.proof)}`;
  const proved = new Set(checks.flatMap((check) => (check.proof?.class === "proved" ? [check.index] : [])));
  const criteria = new Set(procedure.criteria.map(({ criterion }) => criterion));
  const open = [...criteria].find(
    (one) => !procedure.criteria.some(({ criterion, step_index }) => criterion === one && proved.has(step_index)),
  );
  if (open !== undefined) return `no check of ${JSON.stringify(open)} is proved`;
  return proved.size === 0 ? "none of its checks is proved" : null;
}

const COUNTS: ReadonlySet<CheckProof["class"]> = new Set(["proved", "sensitive"]);

const worth = (proof: CheckProof | undefined): string =>
  proof === undefined
    ? "was not examined"
    : `is ${proof.class.replaceAll("_", " ")}${proof.reason === null ? "" : `: ${proof.reason}`}`;
