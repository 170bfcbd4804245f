// Proves a version as far as that is possible without changing anything (D-200): policy on its target, what each step changes, the
// looks at its checks there, the previews of its steps, its runs, and its difference to the active version.

import type { Change } from "../domain/change.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { changesOf } from "../policy/step-change.ts";
import type { Store } from "../ports.ts";
import { haveOnce } from "../proof/before.ts";
import { judgeOnDisk } from "./judge-on-disk.ts";
import type { PlanDeps } from "./plan.ts";
import { runsOfSop } from "./runs-of-sop.ts";
import { isTried, looksAt, type ProofDeps } from "./sop-checks.ts";
import { proofWarnings } from "./sop-warnings.ts";
import { stepDiff } from "./step-diff.ts";
import { previewsOf } from "./step-previews.ts";
import { targetLiterals } from "./target-literals.ts";
import { withoutTask } from "./without-task.ts";

/** Shorter than the time that clients wait for an answer. */
const LIMIT_MS = 40_000;

/** `changes` are to be committed with it: the level, where it has risen. */
export type GatheredProof = {
  readonly proof: SopProof;
  readonly findings: readonly Finding[];
  readonly changes: readonly Change[];
};

type Changes = readonly SopProof["steps"][number]["change"][];

const textOfCheck = (step: Step): string => (step.kind === "check" ? step.value : "");

/** Runs the checks of which policy knows that they only look, and that it lets run. An abort ends what still runs. */
export async function gatherProof(deps: ProofDeps, sop: Sop, signal: AbortSignal): Promise<GatheredProof> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const contract = withoutTask(sop.intent, sop.target);
  const { steps } = sop;
  const findings = await findingsOn(deps, contract, sop);
  const changes = await stepChanges(deps, contract, steps, until);
  const once = await deps.judge(haveOnce, steps.map(textOfCheck));
  const lookable = steps.flatMap((step, step_index) => {
    const judged = findings.some((finding) => finding.step_index === step_index);
    const looks = isCheck(step) && changes[step_index] === "looks" && !judged;
    return looks && once[step_index] !== true ? [step_index] : [];
  });
  const [checks, previews, runs, active] = await Promise.all([
    looksAt(deps, { contract, sop, lookable }, until),
    previewsOf(deps, { contract, steps }, until),
    runsOfSop(deps.store, sop),
    deps.store.findActiveSop(sop.intent, sop.target_signature),
  ]);
  const literals = await literalsOfCopy(deps.store, sop);
  const older = active?.sop_id === sop.sop_id ? null : active;
  const level = sop.level === "defined" && checks.every(isTried) ? "tried" : sop.level;
  const known = {
    level,
    proved_on: sop.proved_on,
    steps: changes.map((change, step_index) => ({ step_index, change, preview: previews.get(step_index) ?? null })),
    checks,
    runs,
    compared_to: older?.version ?? null,
    diff: older === null ? null : stepDiff(older.steps, steps),
  };
  const risen = level === sop.level ? [] : [levelChange(sop, level)];
  const cut = until.aborted ? ["Not everything was looked at: the time for it was over."] : [];
  const warnings = [...cut, ...literals, ...proofWarnings(known)];
  return { proof: { ...known, warnings }, findings, changes: risen };
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

/** Without a task there is no scope and no payload. */
async function findingsOn({ home, judge, backendOf }: PlanDeps, contract: TaskContract, sop: Sop): Promise<Finding[]> {
  const { intent, steps, safety_level } = sop;
  const plan = { contract, steps, safety_level, intent, context: { home, remote: false }, proved: true };
  const { findings } = await judgeOnDisk(judge, plan, backendOf(contract)?.textAt);
  return findings.filter(
    ({ code }) => !(code.startsWith("scope.") || code === "parameter.unknown" || code === "safety.approval_required"),
  );
}

const CHANGE_OF_TOOL = { reads: "looks", changes: "changes", unknown: "cannot_tell" } as const;

async function stepChanges(
  { home, judge, toolServers }: Pick<ProofDeps, "home" | "judge" | "toolServers">,
  contract: TaskContract,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<Changes> {
  const known = await judge(changesOf, steps, shellContextOf(contract, home));
  return Promise.all(
    steps.map(async (step, index) => {
      if (step.kind === "mcp_call") return CHANGE_OF_TOOL[await toolServers.effectOf(step, signal)];
      return known[index] ?? "cannot_tell";
    }),
  );
}
