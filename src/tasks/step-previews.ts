// The previews of steps (D-200): a command that shows what a step would do, such as `terraform plan`. It runs only where policy
// knows that it only looks.
import type { TaskContract } from "../domain/contract.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Step, StepResult } from "../domain/step.ts";
import { effectOf, judge } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import type { StepObserver } from "../ports.ts";
import type { PlanDeps } from "./plan.ts";

type Previewed = { readonly contract: TaskContract; readonly steps: readonly Step[] };
export type Preview = NonNullable<SopProof["steps"][number]["preview"]>;

const LIMIT_MINUTES = 1;
const MAX_OUTPUT = 16_384;

/** By the index of their step. */
export async function previewsOf(
  { home, backendOf }: PlanDeps,
  { contract, steps }: Previewed,
  signal: AbortSignal,
): Promise<Map<number, Preview>> {
  const shell = shellContextOf(contract, home);
  const backend = backendOf(contract);
  const brief = { ...contract, constraints: { ...contract.constraints, max_minutes: LIMIT_MINUTES } };
  const previews = new Map<number, Preview>();
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "cmd" || step.preview === undefined || backend === null || backend.remote) continue;
    if (effectOf(step.preview, shell).is !== "reads" || judge(step.preview, shell).length > 0) continue;
    const preview = { kind: "cmd", value: step.preview } as const;
    const request = { task_contract: brief, steps: [preview], first_index: index, attempt: 1 };
    const { step_results } = await backend.run(request, NOT_RECORDED, signal);
    const [result] = step_results;
    if (result !== undefined) previews.set(index, shown(result));
  }
  return previews;
}

/** What policy has against the preview of a step; null when it may run. */
export function previewFault(step: Step, contract: Parameters<typeof shellContextOf>[0], home: string): string | null {
  if (step.kind !== "cmd" || step.preview === undefined) return null;
  const shell = shellContextOf(contract, home);
  const [finding] = judge(step.preview, shell);
  if (finding !== undefined) return finding.reason;
  const { is, why } = effectOf(step.preview, shell);
  return is === "reads" ? null : `a preview only looks, and ${is === "changes" ? "this one " : ""}${why}`;
}

const shown = ({ exit_code, stdout, stderr }: StepResult): Preview => ({
  exit_code,
  output: [stdout, stderr].join("").slice(0, MAX_OUTPUT).toWellFormed(),
});

/** A preview is no step of a task: nothing of it is recorded but what it printed. */
const NOT_RECORDED: StepObserver = {
  started: async () => true,
  finished: () => undefined,
  accepted: async () => undefined,
  progressed: async () => undefined,
  ended: () => undefined,
  leaving: () => false,
};
