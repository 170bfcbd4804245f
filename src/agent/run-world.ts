// What the calls of a run leave in the world, for judging the calls after them. It follows from the journal alone, so a restart
// changes nothing; a call that was let through counts although it may have failed.
import type { AgentCall } from "../domain/agent-events.ts";
import type { ShellContext, World } from "../guard/guard.ts";
import { worldAfter } from "../policy/category-consequences.ts";
import type { Judge } from "../ports.ts";

export type JudgedCall = Pick<AgentCall, "index" | "step" | "reason">;

type Left = { readonly index: number; readonly step: AgentCall["step"]; readonly world: World | undefined };

/** Remembers the last run of calls, because each call is judged after all before it. */
export function createRunWorld(
  judge: Judge,
  shell: ShellContext,
): (index: number, calls: readonly JudgedCall[]) => Promise<World | undefined> {
  let known: readonly Left[] = [];
  return async (before, calls) => {
    const made = calls.filter(({ index, step, reason }) => index < before && step !== null && reason === null);
    const left: Left[] = [];
    for (const { index, step } of made) {
      const same = known[left.length];
      const world = left.at(-1)?.world;
      if (same?.index === index && same.step === step) left.push(same);
      else {
        known = [];
        left.push({
          index,
          step,
          world: step === null ? world : await judge(worldAfter, step, { ...shell, world, origin: `call ${index}` }),
        });
      }
    }
    if (left.length >= known.length) known = left;
    return left.at(-1)?.world;
  };
}
