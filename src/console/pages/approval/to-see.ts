// What has to be in view before a yes: each step, the output of each preview, and the files and tools that the steps run.
import type { Shown, ShownStep, StepPreview } from "./meaning.ts";
import type { LookAtTarget } from "./use-look.ts";

export const ACTION = "action";
export const SCRIPTS = "scripts";
export const TOOLS = "tools";
export const stepPart = (index: number): string => `step ${index}`;
export const previewPart = (index: number): string => `preview ${index}`;

type Looked = Pick<LookAtTarget, "seen" | "is_running">;

/** By the index of their step: what was seen just now, else what the approval holds. */
export function previewsIn({ content }: Shown["approval"], { seen }: Pick<Looked, "seen">): Map<number, StepPreview> {
  const recorded = "proof" in content ? content.proof?.steps : undefined;
  return new Map(
    (seen?.steps ?? recorded)?.flatMap(({ step_index, preview }) => (preview === null ? [] : [[step_index, preview]])),
  );
}

/** A preview that runs is still to be seen. One that cannot be run is not waited for. */
export function partsToSee({ approval, steps }: Pick<Shown, "approval" | "steps">, look: Looked): string[] {
  const { content } = approval;
  if ("details" in content) return [ACTION];
  const previews = previewsIn(approval, look);
  const awaits = ({ index, preview }: Pick<ShownStep, "index" | "preview">) =>
    previews.has(index) || (look.is_running && preview !== undefined);
  return [
    ...steps.flatMap((step) => [stepPart(step.index), ...(awaits(step) ? [previewPart(step.index)] : [])]),
    ...((content.scripts ?? []).length > 0 ? [SCRIPTS] : []),
    ...((content.tools ?? []).length > 0 ? [TOOLS] : []),
  ];
}
