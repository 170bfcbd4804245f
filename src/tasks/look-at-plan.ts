// What is true on the target now, of steps that are not approved yet (D-200, D-355): policy on them there, what each changes, the
// answers of the checks that only look, and what the previews print. No step that changes something runs.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Sop } from "../domain/sop.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { readsTask } from "../domain/task-variables.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { changeOfTool, changesOf } from "../policy/step-change.ts";
import { haveOnce } from "../proof/before.ts";
import { judgeOnDisk } from "./judge-on-disk.ts";
import type { PlanDeps } from "./plan.ts";
import { boundTools, type RunFromOutside } from "./run-from-outside.ts";
import { keepTexts } from "./since-promotion.ts";
import { looksAt, type ProofDeps } from "./sop-checks.ts";
import { previewsOf } from "./step-previews.ts";

/** Shorter than the time that clients wait for an answer. */
const LIMIT_MS = 40_000;

type LookedAt = {
  readonly contract: TaskContract;
  /** Whether a task settles the scope and the payload; else only its target is known. */
  readonly is_of_task: boolean;
  readonly plan: Pick<Sop, "intent" | "steps" | "criteria" | "safety_level" | "origin">;
};

type LooksOfPlan = Pick<SopProof, "steps" | "checks"> & {
  readonly findings: readonly Finding[];
  /** What the steps run that is not in the procedure: the scripts on disk and the tools of servers. */
  readonly outside: RunFromOutside;
  /** The time for it was over before everything was looked at. */
  readonly is_cut: boolean;
  /** Why steps were not looked at that read what only a task gives. */
  readonly warnings: readonly string[];
};

const OF_A_TASK = "it reads what each task gives, and no task runs it yet";

/** Runs the checks of which policy knows that they only look, and that it lets run. An abort ends what still runs. */
export async function lookAtPlan(deps: ProofDeps, looked: LookedAt, signal: AbortSignal): Promise<LooksOfPlan> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { contract, is_of_task, plan } = looked;
  const { steps } = plan;
  const needsTask = (text: string | undefined) => !is_of_task && text !== undefined && readsTask(text);
  const { findings, scripts, files } = await judgedOn(deps, looked);
  await keepTexts(deps.backendOf(contract)?.keptTexts, { scripts, files });
  const tools = await boundTools(deps, steps, { signal: until });
  const changes = await stepChanges(deps, contract, steps, until);
  const once = await deps.judge(haveOnce, steps.map(textOfCheck));
  const lookable = steps.flatMap((step, step_index) => {
    const judged = findings.some((finding) => finding.step_index === step_index);
    const looks = isCheck(step) && changes[step_index] === "looks" && !judged;
    return looks && once[step_index] !== true && !needsTask(textOfCheck(step)) ? [step_index] : [];
  });
  const [checks, previews] = await Promise.all([
    looksAt(deps, { contract, sop: plan, lookable }, until),
    previewsOf(
      deps,
      {
        contract,
        steps: steps.map((step) => (needsTask(previewOf(step)) ? HELD : step)),
        findings: await findingsOnPreviews(deps, looked),
      },
      until,
    ),
  ]);
  const previewAt = (index: number, step: Step | undefined) =>
    step !== undefined && needsTask(previewOf(step)) ? NOT_RUN : (previews.get(index) ?? null);
  return {
    steps: changes.map((change, step_index) => ({
      step_index,
      change,
      preview: previewAt(step_index, steps[step_index]),
    })),
    checks,
    findings,
    outside: { scripts, tools },
    is_cut: until.aborted,
    warnings: steps.flatMap((step, index) =>
      needsTask(textOfCheck(step)) ? [`Check step ${index} was not run: ${OF_A_TASK}.`] : [],
    ),
  };
}

const NOT_RUN = { exit_code: null, output: "", obstacle: OF_A_TASK } as const;
/** In its place: it has no preview. */
const HELD = { kind: "wait", value: "0s" } as const satisfies Step;

const previewOf = (step: Step): string | undefined => (step.kind === "cmd" ? step.preview : undefined);
/** Each is judged as a check would be, and alone: no step before it has run. The indexes are those of the steps. */
async function findingsOnPreviews(deps: PlanDeps, looked: LookedAt): Promise<Finding[]> {
  const previews = looked.plan.steps.flatMap((step, index) =>
    step.kind === "cmd" && step.preview !== undefined ? [{ index, value: step.preview }] : [],
  );
  if (previews.length === 0) return [];
  const steps = previews.map(({ value }) => ({ kind: "check", value }) as const);
  const { findings } = await judgedOn(deps, { ...looked, plan: { ...looked.plan, steps } });
  return findings.map((finding) => ({ ...finding, step_index: previews[finding.step_index]?.index ?? 0 }));
}

const textOfCheck = (step: Step): string => (step.kind === "check" ? step.value : "");

/** That each run asks is said of the procedure, and hinders no look. Without a task there is no scope and no payload. */
async function judgedOn({ home, judge, backendOf }: PlanDeps, { contract, is_of_task, plan }: LookedAt) {
  const { intent, steps, safety_level } = plan;
  const given = { contract, steps, safety_level, intent, context: { home, remote: false }, proved: true };
  const { findings, scripts, files } = await judgeOnDisk(judge, given, backendOf(contract)?.disk);
  const isOfTask = ({ code }: Finding) => code.startsWith("scope.") || code === "parameter.unknown";
  const kept = findings.filter(
    (finding) => finding.code !== "safety.approval_required" && (is_of_task || !isOfTask(finding)),
  );
  return { findings: kept, scripts, files };
}

async function stepChanges(
  { home, judge, toolServers }: Pick<ProofDeps, "home" | "judge" | "toolServers">,
  contract: TaskContract,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<readonly SopProof["steps"][number]["change"][]> {
  const known = await judge(changesOf, steps, shellContextOf(contract, home));
  return Promise.all(
    steps.map(async (step, index) => {
      if (step.kind === "mcp_call") return changeOfTool(await toolServers.effectOf(step, signal));
      return known[index] ?? "cannot_tell";
    }),
  );
}
