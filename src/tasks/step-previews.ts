// The previews of steps (D-200): a command that shows what a step would do, such as `terraform plan`. It runs only where policy
// knows that it only looks.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Step, StepResult } from "../domain/step.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { previewObstacle } from "../policy/step-change.ts";
import type { StepObserver } from "../ports.ts";
import type { ProofDeps } from "./sop-checks.ts";

type Previewed = {
  readonly contract: TaskContract;
  readonly steps: readonly Step[];
  /** What the rules of a plan have against previews, the contract's scope among them. */
  readonly findings: readonly Finding[];
};
export type Preview = NonNullable<SopProof["steps"][number]["preview"]>;

/** Of one preview at each end, and of all together: the approval holds them. */
const MAX_END = 8_192;
const MAX_ALL = 262_144;
/** Of all previews together. */
const ALL_MS = 30_000;

/** By the index of their step. */
export async function previewsOf(
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
