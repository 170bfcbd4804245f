// What a task costs beside the floor: one after the other, many at once, and per step.
import type { Engine } from "../support/engine.ts";
import type { Floor, Load } from "./floor.ts";
import { median, ms, row, timed, times } from "./table.ts";

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

async function orchMs(engine: Engine, { tasks, steps, at_once }: Load): Promise<number> {
  let left = tasks;
  const worker = async (_: unknown, nth: number) => {
    while (left-- > 0) await submitTrue(engine, `s${steps}-${nth}`);
  };
  return timed(() => Promise.all(Array.from({ length: at_once }, worker)));
}

/** Floor and orch in turn, several rounds; medians per task. */
async function compare(engine: Engine, floor: Floor, load: Load, rounds: number) {
  for (let nth = 0; nth < load.at_once; nth++) await learnTrue(engine, load.steps, nth);
  const bare: number[] = [];
  const full: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push((await floor.ms(load)) / load.tasks);
    full.push((await orchMs(engine, load)) / load.tasks);
  }
  return { bare: median(bare), full: median(full), ratio: median(full.map((value, n) => value / (bare[n] ?? value))) };
}

const learned = new Set<string>();
async function learnTrue(engine: Engine, steps: number, nth: number): Promise<void> {
  const service = `s${steps}-${nth}`;
  if (!learned.has(service)) await engine.learn("deploy", { service }, trueSteps(steps));
  learned.add(service);
}

export async function benchTasks(engine: Engine, floor: Floor): Promise<void> {
  await compare(engine, floor, { tasks: 20, steps: 10, at_once: 1 }, 1);
  const one = await compare(engine, floor, { tasks: 20, steps: 10, at_once: 1 }, 7);
  row("10 steps, one task at a time", ["floor", ms(one.bare)], ["orch", ms(one.full)], ["ratio", times(one.ratio)]);
  for (const at_once of [8, 32]) {
    const many = await compare(engine, floor, { tasks: 64, steps: 10, at_once }, 5);
    row(
      `10 steps, ${at_once} tasks at once`,
      ["floor", ms(many.bare)],
      ["orch", ms(many.full)],
      ["ratio", times(many.ratio)],
    );
  }
  for (const steps of [10, 100, 1000]) {
    const { bare, full, ratio } = await compare(engine, floor, { tasks: steps === 10 ? 10 : 1, steps, at_once: 1 }, 3);
    row(
      `cost per step at ${steps} steps`,
      ["floor", ms(bare / steps)],
      ["orch", ms(full / steps)],
      ["ratio", times(ratio)],
    );
  }
}
