// Proves a version as far as that is possible without changing anything (D-200): policy on its target, what each step changes, the
// looks at its checks there, the previews of its steps, its runs, and its difference to the active version.
import { diffArrays } from "diff";
import type { Change } from "../../domain/change.ts";
import { type Target, withoutTask } from "../../domain/contract.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import { parseOrigin, type Sop, type SopProof } from "../../domain/sop.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import { commandText, isIdempotent, leftText, pollingText } from "../../domain/step-run.ts";
import type { Task } from "../../domain/task.ts";
import { hasTriedProcedure } from "../../domain/verification.ts";
import type { Store } from "../../ports.ts";
import { lookAtPlan } from "./look-at-plan.ts";
import { projection } from "./projection.ts";
import { isTried, type ProofDeps } from "./sop-checks.ts";

/** `changes` are to be committed with it: the level, where it has risen. */
/** `outside`: what its steps run that is not in the procedure; the promotion binds it. */
export async function gatherProof(deps: ProofDeps, sop: Sop, signal: AbortSignal) {
  const contract = withoutTask(sop.intent, sop.target);
  const [{ steps, checks, findings, outside, is_cut, warnings: not_run }, found, active] = await Promise.all([
    lookAtPlan(deps, { contract, is_of_task: false, plan: sop }, signal),
    runsOfSop(deps.store, sop),
    deps.store.findActiveSop(sop.intent, sop.target_signature),
  ]);
  const literals = await literalsOfCopy(deps.store, sop);
  const runs = found.map(({ remarks: _remarks, ...run }) => run);
  const remarks = found.flatMap((run) => run.remarks.map((text) => `Task ${run.task_id}: ${text}.`));
  const older = active?.sop_id === sop.sop_id ? null : active;
  const level = sop.level === "defined" && checks.every(isTried) ? "tried" : sop.level;
  const known = {
    level,
    proved_on: sop.proved_on,
    steps,
    checks,
    runs,
    compared_to: older?.version ?? null,
    diff: older === null ? null : stepDiff(older.steps, sop.steps),
  };
  const risen = level === sop.level ? [] : [levelChange(sop, level)];
  const unshown = sop.trial_left > 0 && older !== null ? firstRunWarnings(checks, older) : [];
  const cut = is_cut ? [CUT_SHORT] : [];
  const warnings = [...cut, ...not_run, ...literals, ...unshown, ...remarks, ...proofWarnings(known)];
  return { proof: { ...known, warnings }, findings, outside, changes: risen };
}

export const CUT_SHORT = "Not everything was looked at: the time for it was over.";

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

// The last runs of a version, for the human who is asked about it: the task that has proved it, and those that have run it since. The
// runs of the version whose steps a rollback brings back are runs of the same steps.

const SHOWN = 5;
/** Some tasks of a version run nothing: they were rejected, or were done already. */
const READ = 25;

/** `remarks` say which steps passed by the word of the supervisor, and which left processes running. */
type RunOfSop = SopProof["runs"][number] & { readonly remarks: readonly string[] };

/** Newest first. A task that reached no verdict, or ran nothing, says nothing of it. */
async function runsOfSop(
  store: Pick<Store, "findTask" | "findSop" | "listTasks" | "readJournal">,
  sop: Sop,
): Promise<RunOfSop[]> {
  const source = parseOrigin(sop.origin);
  const earlier = source.by === "rollback" ? await store.findSop(source.sop_id) : null;
  const own = await ownRuns(store, sop);
  return earlier === null ? own : [...own, ...(await ownRuns(store, earlier))];
}

async function ownRuns(
  store: Pick<Store, "findTask" | "listTasks" | "readJournal">,
  { sop_id, target_signature, origin }: Sop,
): Promise<RunOfSop[]> {
  const source = parseOrigin(origin);
  const first = source.by === "task" ? await store.findTask(source.task_id) : null;
  const later = await store.listTasks({ target_signature, sop_id, limit: READ });
  const runs = (await Promise.all(later.map((task) => runOf(store, task)))).flat();
  return [...runs.slice(0, SHOWN), ...(first === null ? [] : await runOf(store, first))];
}

async function runOf(store: Pick<Store, "readJournal">, { task_id, ended_at }: Task): Promise<RunOfSop[]> {
  const { verdict, verification, steps } = projection(await store.readJournal(task_id));
  if (verdict === null || !hasTriedProcedure(verdict)) return [];
  const checks = verdict.checks.map(({ step_index, passed, proof }) => ({
    step_index,
    passed,
    class: proof?.class ?? null,
    seen_red: proof?.seen_red ?? [],
    change: proof?.change ?? null,
  }));
  const left = steps.attempts.flatMap(({ index, left_processes }) =>
    left_processes === undefined ? [] : [`in step ${index}, ${leftText(left_processes)}`],
  );
  const resolved = [...steps.records.values()].flatMap(({ index, resolution }) =>
    resolution?.resolution === "succeeded"
      ? [`the supervisor said that step ${index} had succeeded; orch has not seen it`]
      : [],
  );
  return [
    {
      task_id,
      ended_at,
      passed: verdict.passed,
      checks,
      verified: verification.recorded?.verified ?? null,
      remarks: [...resolved, ...left],
    },
  ];
}

// What a human has to know first about a version that asks for its promotion (D-200), each as a sentence.

type Known = Pick<SopProof, "level" | "proved_on" | "checks" | "runs" | "steps">;

export function proofWarnings({ level, proved_on, checks, runs, steps }: Known): string[] {
  const passed = runs.filter((run) => run.passed);
  const unseen = level === "proved" || passed.length > 0 ? [] : [neverRun(proved_on)];
  const weak = checks.flatMap(({ step_index, class: worth, reason }) =>
    worth === "proved" || worth === null
      ? []
      : [`Check step ${step_index} is ${worth}: ${reason ?? "it is not proved"}.`],
  );
  const unknown = steps
    .filter(({ change }) => change === "cannot_tell")
    .map(({ step_index }) => `Policy cannot tell whether step ${step_index} changes something.`);
  const failing = runs.filter((run) => !run.passed).map(({ task_id }) => `Its run in task ${task_id} failed.`);
  const wrong = runs
    .filter(({ verified }) => verified === false)
    .map(({ task_id }) => `Task ${task_id} was found wrong outside of orch.`);
  const isTrue = checks.length > 0 && checks.every(({ now }) => now === "green");
  const already = isTrue && runs.length === 0 ? ["All its checks are true on the target before it has run there."] : [];
  return [...unseen, ...wrong, ...failing, ...weak, ...unknown, ...already];
}

const UNSHOWN = "cannot be seen to fail, so the first run cannot prove this version.";

/** As the promotion has said it; null where it did not. */
export const firstRunWarningIn = (warnings: readonly string[]): string | null =>
  warnings.find((warning) => warning.includes(UNSHOWN)) ?? null;

/** A check that cannot be run before the change is not seen to fail there, and a version that is proved does not give way to it. */
function firstRunWarnings(checks: SopProof["checks"], { level, version }: Pick<Sop, "level" | "version">): string[] {
  const unshown = checks.filter(
    (check) => check.now === null && check.class !== "proved" && check.class !== "not_possible",
  );
  if (level !== "proved" || unshown.length === 0) return [];
  const which = unshown.map(({ step_index }) => step_index).join(", ");
  return [
    `Check step ${which} ${UNSHOWN} Version ${version} is proved: after that run you are asked whether to keep this one.`,
  ];
}

const neverRun = (proved_on: string | null): string =>
  proved_on === null
    ? "No run of it has passed yet."
    : `No run of it has passed on this target; it is a copy of a procedure that was proved on "${proved_on}".`;

// How a version differs from the active one, step by step, as a promotion shows it.

/** `step_index` is that of the version in which the step is: the older one for `removed`. */
export function stepDiff(older: readonly Step[], newer: readonly Step[]): NonNullable<SopProof["diff"]> {
  let [old_index, new_index] = [0, 0];
  return diffArrays(older.map(canonicalJson), newer.map(canonicalJson)).flatMap(({ added, removed, count }) => {
    const from = removed ? old_index : new_index;
    if (!added) old_index += count;
    if (!removed) new_index += count;
    if (!(added || removed)) return [];
    const steps = (removed ? older : newer).slice(from, from + count);
    const is = removed ? ("removed" as const) : ("added" as const);
    return steps.map((step, position) => ({ is, step_index: from + position, step: shownStep(step) }));
  });
}

const shownStep = (step: Step): string => {
  const preview = step.kind === "cmd" && step.preview !== undefined ? ` (preview: ${step.preview})` : "";
  const looks = reconcileOf(step);
  const reconcile = looks === undefined ? "" : ` (reconcile: ${looks})`;
  const polling = pollingText(step);
  const polled = polling === undefined ? "" : ` (${polling})`;
  const repeats = isIdempotent(step) ? " (idempotent)" : "";
  return `${step.kind} ${commandText(step)}${polled}${preview}${reconcile}${repeats}`;
};

// Finds the values of a target that stand in the text of steps as they are. In a copy for another target they keep the old value.

/** A value of the target in a step, which does not follow another target. */
type TargetLiteral = { readonly step_index: number; readonly key: string; readonly value: string };

/** A shorter value occurs in texts by chance. */
const MIN_VALUE = 2;
const WORD = /[A-Za-z0-9_]/;

/** Of the values in which `target` differs from `other`. */
export function targetLiterals(steps: readonly Step[], target: Target, other: Target): TargetLiteral[] {
  const values = Object.entries(target).filter(([key, value]) => value.length >= MIN_VALUE && other[key] !== value);
  return steps.flatMap((step, step_index) =>
    values
      .filter(([, value]) => textsOf(step).some((text) => hasWord(text, value)))
      .map(([key, value]) => ({ step_index, key, value })),
  );
}

function textsOf(step: Step): string[] {
  const looks = [reconcileOf(step) ?? "", step.kind === "cmd" ? (step.preview ?? "") : ""];
  const own =
    step.kind === "mcp_call"
      ? [canonicalJson(step.arguments), canonicalJson(step.expect ?? null)]
      : [commandText(step)];
  return [...own, ...looks];
}

function hasWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + value.length] ?? "")) return true;
  }
  return false;
}
