// Why policy asks, each reason once with the steps that it is about.
import type { Shown, ShownStep } from "./shown.ts";

export type AskedReason = Pick<ShownStep["findings"][number], "code" | "verdict" | "reason"> & {
  /** As everywhere in orch, from 0. */
  readonly steps: readonly number[];
};

const keyOf = ({ code, reason }: Pick<AskedReason, "code" | "reason">): string => `${code} ${reason}`;

export function reasonsOf(steps: Shown["steps"]): AskedReason[] {
  const by_key = new Map<string, AskedReason>();
  for (const { index, findings } of steps)
    for (const { code, verdict, reason } of findings) {
      const before = by_key.get(keyOf({ code, reason }))?.steps ?? [];
      const numbers = before.includes(index) ? before : [...before, index];
      by_key.set(keyOf({ code, reason }), { code, verdict, reason, steps: numbers });
    }
  return [...by_key.values()];
}

/** As "step 2" or "steps 1, 2 and 5". */
export function stepsText(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`;
  return `steps ${steps.slice(0, -1).join(", ")} and ${steps.at(-1)}`;
}
