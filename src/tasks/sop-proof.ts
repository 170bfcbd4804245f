// Proves a version as far as that is possible without changing anything (D-200): policy on its target, what each step changes, the
// looks at its checks there, the previews of its steps, its runs, and its difference to the active version.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { type BeforeLook, type CheckProof, type Examination, proofOf } from "../domain/proof.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { effectOf } from "../guard/guard.ts";
import { judgePlan, shellContextOf } from "../policy/judge-plan.ts";
import type { Change, Clock, Store, ToolServers } from "../ports.ts";
import { hasOnce, readsBefore } from "../proof/before.ts";
import type { CheckExaminer } from "../proof/port.ts";
import { WITHOUT_A_WORLD } from "./check-looks.ts";
import type { PlanDeps } from "./plan.ts";
import { runsOfSop } from "./runs-of-sop.ts";
import { proofWarnings } from "./sop-warnings.ts";
import { stepDiff } from "./step-diff.ts";
import { previewsOf } from "./step-previews.ts";
import { targetLiterals } from "./target-literals.ts";
import { withoutTask } from "./without-task.ts";

export type ProofDeps = PlanDeps & {
  readonly store: Store;
  readonly clock: Clock;
  readonly toolServers: Pick<ToolServers, "effectOf">;
  /** Null where looks are switched off. */
  readonly examiner: CheckExaminer | null;
};

/** `changes` are to be committed with it: the level, and the checks that were red. */
export type GatheredProof = {
  readonly proof: SopProof;
  readonly findings: readonly Finding[];
  readonly changes: readonly Change[];
};

type Changes = readonly SopProof["steps"][number]["change"][];

/** Runs the checks of which policy knows that they only look, and that it lets run. An abort ends what still runs. */
export async function gatherProof(deps: ProofDeps, sop: Sop, signal: AbortSignal): Promise<GatheredProof> {
  const contract = withoutTask(sop.intent, sop.target);
  const { steps } = sop;
  const findings = findingsOn(deps, contract, sop);
  const changes = await changesOf(deps, contract, steps, signal);
  const lookable = steps.flatMap((step, step_index) => {
    const judged = findings.some((finding) => finding.step_index === step_index);
    const looks = isCheck(step) && changes[step_index] === "looks" && !judged;
    return looks && !(step.kind === "check" && hasOnce(step.value)) ? [step_index] : [];
  });
  const [checks, previews, runs, active] = await Promise.all([
    looksAt(deps, { contract, sop, lookable }, signal),
    previewsOf(deps, { contract, steps }, signal),
    runsOfSop(deps.store, sop),
    deps.store.findActiveSop(sop.intent, sop.target_signature),
  ]);
  const literals = await literalsOfCopy(deps.store, sop);
  const level = sop.level === "defined" && checks.every(isTried) ? "tried" : sop.level;
  const known = {
    level,
    proved_on: sop.proved_on,
    steps: changes.map((change, step_index) => ({ step_index, change, preview: previews.get(step_index) ?? null })),
    checks: checks.map(({ red_run: _, ...check }) => check),
    runs,
    diff: active === null || active.sop_id === sop.sop_id ? null : stepDiff(active.steps, steps),
  };
  const risen = level === sop.level ? [] : [levelChange(sop, level)];
  const red = checks.flatMap(({ red_run }) => red_run ?? []);
  const warnings = [...literals, ...proofWarnings(known, steps)];
  return { proof: { ...known, warnings }, findings, changes: [...risen, ...red] };
}

/** What the steps of a copy still name of the target that it was copied from. */
async function literalsOfCopy(store: Pick<Store, "findSop">, { origin, steps, target }: Sop): Promise<string[]> {
  const from = parseOrigin(origin);
  const source = from.by === "copy" ? await store.findSop(from.sop_id) : null;
  return (source === null ? [] : targetLiterals(steps, source.target, target)).map(
    ({ step_index, key, value }) =>
      `Step ${step_index} still names ${JSON.stringify(value)}, the ${key} of the target that it was copied from.`,
  );
}

const levelChange = ({ sop_id, status }: Sop, level: Sop["level"]): Change => ({
  on: "sop",
  sop_id,
  expect: { status },
  set: { level },
});

/** A check is tried when its control or its decoy and its look on the target each gave a colour. */
const isTried = ({ class: worth, now }: SopProof["checks"][number]): boolean =>
  (now === "red" || now === "green") && worth !== null && worth !== "cannot_tell" && worth !== "not_possible";

/** Without a task there is no scope and no payload. */
const findingsOn = ({ home }: PlanDeps, contract: TaskContract, { intent, steps, safety_level }: Sop): Finding[] =>
  judgePlan({ contract, steps, safety_level, intent, context: { home, remote: false }, proved: true }).filter(
    ({ code }) => !(code.startsWith("scope.") || code === "parameter.unknown" || code === "safety.approval_required"),
  );

const CHANGE_OF = { reads: "looks", changes: "changes", unknown: "cannot_tell" } as const;

const changesOf = (
  { home, toolServers }: Pick<ProofDeps, "home" | "toolServers">,
  contract: TaskContract,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<Changes> =>
  Promise.all(
    steps.map(async (step) => {
      if (step.kind === "wait") return "looks";
      if (step.kind === "mcp_call") return CHANGE_OF[await toolServers.effectOf(step, signal)];
      return CHANGE_OF[effectOf(step.value, shellContextOf(contract, home)).is];
    }),
  );

type Looked = { readonly contract: TaskContract; readonly sop: Sop; readonly lookable: readonly number[] };
type LookedCheck = SopProof["checks"][number] & { readonly red_run: Change | null };

async function looksAt(deps: ProofDeps, looked: Looked, signal: AbortSignal): Promise<LookedCheck[]> {
  const { contract, sop, lookable } = looked;
  const backend = deps.backendOf(contract);
  const asked = lookable.flatMap((step_index) => {
    const step = sop.steps[step_index];
    return step === undefined || (step.kind === "check" && readsBefore(step.value)) ? [] : [{ step_index, step }];
  });
  const looks = asked.length === 0 ? [] : await backend?.look?.({ task_contract: contract, checks: asked }, signal);
  const answers = new Map((looks ?? []).map((look) => [look.step_index, look]));
  const checks = sop.steps.flatMap((step, step_index) => (isCheck(step) ? [{ step, step_index }] : []));
  return Promise.all(
    checks.map(async ({ step, step_index }) => {
      const look = answers.get(step_index) ?? null;
      const examination = await examinationOf(deps, looked, step, step_index);
      const worth = examination === null ? NOT_LOOKED_AT : worthOf(deps, examination, look);
      const criterion = sop.criteria.find((one) => one.step_index === step_index)?.criterion ?? null;
      const isRed = look?.answer === "red" && step.kind === "check";
      const red_run = isRed ? (deps.examiner?.redRun({ text: step.value, contract }) ?? null) : null;
      return { step_index, criterion, ...worth, now: look?.answer ?? null, red_run };
    }),
  );
}

type Worth = Pick<CheckProof, "class" | "seen_red" | "reason">;
const NOT_LOOKED_AT = { class: null, seen_red: [], reason: "looks at checks are switched off" };

/** Red now is a red run before the change of a later run: history. */
function worthOf({ clock }: ProofDeps, examination: Examination, look: BeforeLook | null): Worth {
  const red_at = look?.answer === "red" ? clock().toISOString() : examination.red_at;
  const { class: worth, seen_red, reason } = proofOf({ ...examination, red_at }, null);
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
  const decoy_on = lookable.includes(step_index) ? "machine" : "nowhere";
  return examiner.examine({ text: step.value, contract, commands, decoy_on });
}
