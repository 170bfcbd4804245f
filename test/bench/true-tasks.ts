// Tasks of steps that do nothing, so that all that is measured is orch.
import type { Engine } from "../support/engine.ts";
import type { Load } from "./floor.ts";
import { timed } from "./table.ts";

let submitted = 0;

export const trueSteps = (steps: number) => [
  ...Array.from({ length: steps - 1 }, () => ({ kind: "cmd", value: "true" })),
  { kind: "check", value: "test -d /" },
];

export async function submitTrue(engine: Engine, service: string): Promise<void> {
  const task = await engine.submit({
    task_id: `bench-${++submitted}`,
    target: { service },
    success_criteria: [],
    delegation_mode: "known_only",
  });
  if (task.status !== "ok") throw new Error(`a bench task ended ${task.status}: ${task.outcome?.message}`);
}

export type TrueTasks = {
  /** Its procedures are taught; to be called before it is measured. */
  readonly prepare: (load: Load) => Promise<void>;
  /** The time of the whole load. */
  readonly ms: (load: Load) => Promise<number>;
};

export function trueTasks(engine: Engine): TrueTasks {
  const known = new Set<string>();
  const nameOf = ({ steps }: Load, nth: number) => `s${steps}-${nth}`;
  return {
    prepare: async (load) => {
      for (let nth = 0; nth < load.at_once; nth++) {
        const service = nameOf(load, nth);
        if (!known.has(service)) await engine.learn("deploy", { service }, trueSteps(load.steps));
        known.add(service);
      }
    },
    ms: async (load) => {
      let left = load.tasks;
      const worker = async (_: unknown, nth: number) => {
        while (left-- > 0) await submitTrue(engine, nameOf(load, nth));
      };
      return timed(() => Promise.all(Array.from({ length: load.at_once }, worker)));
    },
  };
}
