// Looks at what is true on the target now, of steps that are not approved yet (D-200, D-355): policy on them there, what
// each changes, the answers of the checks that only look, and what the previews print. No step that changes something runs.
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Sop, SopProof } from "../../domain/sop.ts";
import { isCheck, type Step, type StepResult } from "../../domain/step.ts";
import { readsTask } from "../../domain/step-run.ts";
import type { StepObserver } from "../../ports.ts";
import { changeOfTool, changesOf, previewObstacle } from "../policy/category-consequences.ts";
import { haveOnce } from "../policy/checks-to-look-at.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { keepTexts } from "./compare-before-step.ts";
import { judgeOnDisk } from "./judge-on-disk.ts";
import { boundTools, type PlanDeps } from "./plan.ts";
import { looksAt, type ProofDeps } from "./sop-checks.ts";

/** Shorter than the time that clients wait for an answer. */
const LIMIT_MS = 40_000;

type LookedAt = {
  readonly contract: TaskContract;
  /** Whether a task settles the scope and the payload; else only its target is known. */
  readonly is_of_task: boolean;
  readonly plan: Pick<Sop, "intent" | "steps" | "criteria" | "safety_level" | "origin">;
};

const OF_A_TASK = "it reads what each task gives, and no task runs it yet";

/** Runs the checks of which policy knows that they only look, and that it lets run. An abort ends what still runs. */
export async function lookAtPlan(deps: ProofDeps, looked: LookedAt, signal: AbortSignal) {
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

// The previews of steps (D-200): a command that shows what a step would do, such as `terraform plan`. It runs only where policy
// knows that it only looks.

type Previewed = {
  readonly contract: TaskContract;
  readonly steps: readonly Step[];
  /** What the rules of a plan have against previews, the contract's scope among them. */
  readonly findings: readonly Finding[];
};
type Preview = NonNullable<SopProof["steps"][number]["preview"]>;

/** Of one preview at each end, and of all together: the approval holds them. */
const MAX_END = 8_192;
const MAX_ALL = 262_144;
/** Of all previews together. */
const ALL_MS = 30_000;

/** By the index of their step. */
async function previewsOf(
  { home, judge, backendOf, unapproved }: Pick<ProofDeps, "home" | "judge" | "backendOf" | "unapproved">,
  { contract, steps, findings }: Previewed,
  signal: AbortSignal,
): Promise<Map<number, Preview>> {
  const shell = shellContextOf(contract, home);
  const remote = backendOf(contract)?.remote !== false;
  const until = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]);
  const previews = new Map<number, Preview>();
  let left = MAX_ALL;
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "cmd" || step.preview === undefined) continue;
    const against = findings.find(({ step_index }) => step_index === index)?.reason;
    const obstacle = spent(until, left) ?? against ?? (await judge(previewObstacle, step.preview, shell));
    if (obstacle !== null || remote) {
      previews.set(index, { exit_code: null, output: "", obstacle: obstacle ?? "it runs on this machine only" });
      continue;
    }
    const preview = { kind: "cmd", value: step.preview } as const;
    const request = { task_contract: contract, steps: [preview], first_index: index, attempt: 1 };
    const { step_results } = await unapproved.run(request, NOT_RECORDED, until);
    const shown = shownOf(step_results[0], until);
    left -= shown.output.length;
    previews.set(index, shown);
  }
  return previews;
}

function spent({ aborted }: AbortSignal, left: number): string | null {
  if (aborted) return "the time for previews was over";
  return left < 2 * MAX_END ? "the previews before it have printed too much" : null;
}

function shownOf(result: StepResult | undefined, { aborted }: AbortSignal): Preview {
  if (result === undefined) return { exit_code: null, output: "", obstacle: "the time for previews was over" };
  const { exit_code, stdout, stderr } = result;
  const output = bothEnds(`${stdout}${stderr}`);
  return { exit_code, output, obstacle: aborted ? "it did not end in its time" : null };
}

function bothEnds(text: string): string {
  const left_out = text.length - 2 * MAX_END;
  if (left_out <= 0) return text.toWellFormed();
  const [head, tail] = [text.slice(0, MAX_END), text.slice(-MAX_END)];
  return `${head}\n[... ${left_out} characters left out ...]\n${tail}`.toWellFormed();
}

/** A preview is no step of a task: nothing of it is recorded but what it printed. */
const NOT_RECORDED: StepObserver = {
  started: async () => true,
  finished: () => undefined,
  accepted: async () => undefined,
  progressed: async () => undefined,
  ended: () => undefined,
};
