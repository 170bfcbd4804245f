// Chooses the looks at the checks of a plan before its change (D-193), here or by a job of the flow engine (D-198), and
// says what is found out of the checks that passed.
import type { TaskContract } from "../../domain/contract.ts";
import type { EventBody } from "../../domain/journal.ts";
import type { BeforeLook, Examination } from "../../domain/proof.ts";
import { type LookRequest, wasAccepted } from "../../domain/run-request.ts";
import { isCheck, type Step, type StepResult } from "../../domain/step.ts";
import { isRed } from "../../domain/step-run.ts";
import type { CheckExaminer, ExaminedCheck } from "./examiner.ts";
import { isAlreadyDone, type PlanDeps, pinned, pinnedTo, wereAllTrue } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { stepResultsOf } from "./steps-fold.ts";
import type { Thread } from "./thread.ts";

type Looking = {
  /** Null where looks are switched off. */
  readonly examiner: CheckExaminer | null;
  readonly backendOf: PlanDeps["backendOf"];
};

type Plan = { readonly steps: readonly Step[]; readonly remote: boolean };

const planOf = ({ backendOf }: Looking, { journal: { projection } }: Thread, contract: TaskContract): Plan => ({
  steps: pinned(projection).steps,
  remote: backendOf(pinnedTo(contract, projection))?.remote === true,
});

const examinedAs = (text: string, contract: TaskContract, { steps, remote }: Plan): ExaminedCheck => ({
  text,
  contract,
  decoy_on: remote ? "elsewhere" : "machine",
  commands: steps.flatMap((step) => (step.kind === "cmd" ? [step.value] : [])),
});

/** Beside the run of a plan that may run: what the looks at its checks can find out without them. */
export function prepareChecks(looking: Looking, thread: Thread, contract: TaskContract): void {
  const { examiner } = looking;
  const plan = planOf(looking, thread, contract);
  if (examiner === null || plan.remote) return;
  for (const step of plan.steps) {
    // A fault of the database ends the examination itself.
    if (step.kind === "check") examiner.prepare(examinedAs(step.value, contract, plan)).catch(() => {});
  }
}

/**
 * Records what the checks that passed are worth, and remembers the checks that were red: they are known to be able to fail.
 * A control and a decoy are run at most once for each text and target.
 */
export async function examineChecks(looking: Looking, thread: Thread, contract: TaskContract) {
  const { examiner } = looking;
  if (examiner === null) return;
  const { journal } = thread;
  const state = journal.projection;
  const plan = planOf(looking, thread, contract);
  const { steps } = plan;
  const results = stepResultsOf(state.steps, steps);
  const passed = results.flatMap(({ index, status }) => (status === "passed" ? [index] : []));
  const checks = await examined(examiner, contract, plan, passed);
  if (checks.length > 0) journal.note({ kind: "checks_examined", body: { checks } });
  const known = new Set(checks.filter(({ red_at }) => red_at !== null).map(({ step_index }) => step_index));
  const red = [...redRuns(results), ...redLooks(state.proof.before)].filter((index) => !known.has(index));
  const texts = red.flatMap((index) => {
    const step = steps[index];
    return step?.kind === "check" ? [step.value] : [];
  });
  const changes = [...new Set(texts)].map((text) => examiner.redRun({ text, contract }));
  if (changes.length > 0) await journal.commit([], changes);
}

/**
 * Finds out whether the task is done already, where its contract asks for it (D-199). What is found is recorded: the same journal
 * gives the same answer after a stop, and offline.
 */
export async function findIfDone(looking: Looking, thread: Thread, contract: TaskContract): Promise<boolean> {
  const { examiner } = looking;
  const { journal, cancel } = thread;
  const { proof, steps } = journal.projection;
  const isAsked = contract.skip_if_done === true && steps.starts.length === 0 && !cancel.aborted;
  if (!isAsked || examiner === null || !wereAllTrue(contract, journal.projection)) return false;
  if (proof.examinations.size === 0) {
    const looked = [...(proof.before ?? [])].map(([index]) => index);
    const checks = await examined(examiner, contract, planOf(looking, thread, contract), looked);
    journal.note({ kind: "checks_examined", body: { checks } });
  }
  return !cancel.aborted && isAlreadyDone(contract, journal.projection);
}

function examined(
  examiner: CheckExaminer,
  contract: TaskContract,
  plan: Plan,
  indexes: readonly number[],
): Promise<EventBody<"checks_examined">["checks"]> {
  const examination = async (step: Step): Promise<Examination> =>
    step.kind === "check" ? examiner.examine(examinedAs(step.value, contract, plan)) : WITHOUT_A_WORLD;
  return Promise.all(
    indexes.flatMap((step_index) => {
      const step = plan.steps[step_index];
      const isOne = step !== undefined && isCheck(step);
      return isOne ? [examination(step).then((found) => ({ step_index, ...found }))] : [];
    }),
  );
}

const redRuns = (results: readonly StepResult[]): number[] =>
  results
    .filter(
      ({ kind, exit_code, timed_out }) => kind === "check" && exit_code !== null && !timed_out && isRed(exit_code),
    )
    .map(({ index }) => index);

const redLooks = (before: ReadonlyMap<number, Pick<BeforeLook, "answer">> | null): number[] =>
  [...(before ?? [])].flatMap(([index, { answer }]) => (answer === "red" ? [index] : []));

/** Only a run before the change can show that one of these fails. */
export const WITHOUT_A_WORLD: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  decoy: null,
  red_at: null,
  control: {
    answer: "not_possible",
    exit_code: null,
    world: "empty",
    wrote: false,
    reason: "the call of a tool cannot be made without its server",
  },
};

// The checks that a job of the flow engine looks at before its first step (D-198): only a job before which nothing of the plan
// has run. It is not asked to look again when it is looked up.

/** `next`: of the job that is made or followed now. `last`: of the last job, whose report may still come. */
type LooksInRun = { readonly next: { look_at?: readonly number[] }; readonly last: { look_at?: readonly number[] } };

export function looksInRun(
  { jobs: { last, ends }, proof, steps }: Projection,
  checks: LookRequest["checks"],
): LooksInRun {
  if (proof.before !== null) return { next: {}, last: {} };
  const look_at = checks.map(({ step_index }) => step_index);
  const hasRun = (but: string | undefined) => ends.some(({ job_id, code }) => job_id !== but && wasAccepted(code));
  const given = (is_first: boolean) => (is_first && look_at.length > 0 ? { look_at } : {});
  return {
    next: given(steps.passed === 0 && !hasRun(undefined)),
    last: given(last?.first_index === 0 && !hasRun(last.job.job_id)),
  };
}
