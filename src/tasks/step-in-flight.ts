// The step that started and has no known end: it may have had its effect. A check and a wait change nothing, and a step that
// may be repeated does no harm (D-013).
import { changesNothing } from "./progress.ts";
import type { Projection } from "./projection.ts";

export type StepInFlight = { readonly index: number; readonly attempt: number };

export function stepInFlight(projection: Projection): StepInFlight | null {
  const { procedure, skill, steps, agent } = projection;
  const act = skill.steps.find(({ state, repeatable }) => state === "cut_off" && !repeatable);
  if (act !== undefined) return { index: act.index, attempt: act.attempt };
  for (const { index, attempt, state, repeatable } of steps.records.values()) {
    const kind = (procedure?.steps[index] ?? agent.calls[index]?.step)?.kind;
    const isHarmless = changesNothing(projection, kind, index) || repeatable;
    if (state === "unknown" || (state === "started" && !isHarmless)) return { index, attempt };
  }
  return null;
}
