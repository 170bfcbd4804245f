// The previews of steps (D-200): a command that shows what a step would do, such as `terraform plan`. It runs only where policy
// knows that it only looks.
import type { TaskContract } from "../domain/contract.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Step, StepResult } from "../domain/step.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { previewObstacle } from "../policy/step-change.ts";
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
  const remote = backend === null || backend.remote;
  const brief = { ...contract, constraints: { ...contract.constraints, max_minutes: LIMIT_MINUTES } };
  const previews = new Map<number, Preview>();
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "cmd" || step.preview === undefined) continue;
    const obstacle = remote ? "it runs on this machine only" : previewObstacle(step.preview, shell);
    if (obstacle !== null || backend === null) {
      previews.set(index, { exit_code: null, output: "", not_run: obstacle });
      continue;
    }
    const preview = { kind: "cmd", value: step.preview } as const;
    const request = { task_contract: brief, steps: [preview], first_index: index, attempt: 1 };
    const { step_results } = await backend.run(request, NOT_RECORDED, signal);
    const [result] = step_results;
    if (result !== undefined) previews.set(index, shown(result));
  }
  return previews;
}

const shown = ({ exit_code, stdout, stderr }: StepResult): Preview => ({
  exit_code,
  output: [stdout, stderr].join("").slice(0, MAX_OUTPUT).toWellFormed(),
  not_run: null,
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
