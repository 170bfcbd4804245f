// What a task costs beside the floor, in time, in time of the processor of all processes, and in flushes of the disk. The
// last two are not touched by what else runs on the machine, or hardly.
import type { Floor, Load } from "./floor.ts";
import { countFlushes } from "./flushes.ts";
import { treeCpuMs } from "./process-tree.ts";
import { median, ms, row, times } from "./table.ts";
import type { TrueTasks } from "./true-tasks.ts";

export type Cost = {
  /** Of a task. */
  readonly floor_ms: number;
  readonly orch_ms: number;
  readonly ratio: number;
  readonly cpu_ms: number;
  readonly cpu_ratio: number;
  /** Null where they cannot be counted. */
  readonly flushes: number | null;
};

export const LOADS = {
  "1 step, one task at a time": { tasks: 40, steps: 1, at_once: 1 },
  "1 step, 32 tasks at once": { tasks: 128, steps: 1, at_once: 32 },
  "10 steps, one task at a time": { tasks: 20, steps: 10, at_once: 1 },
  "10 steps, 8 tasks at once": { tasks: 64, steps: 10, at_once: 8 },
  "10 steps, 32 tasks at once": { tasks: 64, steps: 10, at_once: 32 },
  "100 steps, one task at a time": { tasks: 2, steps: 100, at_once: 1 },
  "1000 steps, one task at a time": { tasks: 1, steps: 1000, at_once: 1 },
} as const satisfies Record<string, Load>;

/** In turn, so many rounds after a first one that is not counted; medians. */
export async function measure(orch: TrueTasks, floor: Floor, load: Load, rounds: number): Promise<Cost> {
  await orch.prepare(load);
  const taken: { readonly floor_ms: number; readonly orch_ms: number }[] = [];
  const spent = { floor: 0, orch: 0 };
  for (let round = -1; round < rounds; round++) {
    const before = cpuNow(floor);
    const floor_ms = (await floor.ms(load)) / load.tasks;
    const between = cpuNow(floor);
    const orch_ms = (await orch.ms(load)) / load.tasks;
    if (round < 0) continue;
    taken.push({ floor_ms, orch_ms });
    spent.floor += between.floor - before.floor;
    spent.orch += cpuNow(floor).orch - between.orch;
  }
  const counted = await countFlushes(process.pid, () => orch.ms(load));
  return {
    floor_ms: median(taken.map(({ floor_ms }) => floor_ms)),
    orch_ms: median(taken.map(({ orch_ms }) => orch_ms)),
    ratio: median(taken.map(({ floor_ms, orch_ms }) => orch_ms / floor_ms)),
    cpu_ms: spent.orch / (rounds * load.tasks),
    cpu_ratio: spent.orch / spent.floor,
    flushes: counted === null ? null : counted / load.tasks,
  };
}

/** The engine runs in this process, and its commands below it. */
const cpuNow = (floor: Floor) => ({
  floor: treeCpuMs(floor.pid, 0),
  orch: treeCpuMs(process.pid, floor.pid),
});

export function printCost(name: string, { floor_ms, orch_ms, ratio, cpu_ms, cpu_ratio, flushes }: Cost, load: Load) {
  row(
    name,
    ["floor", ms(floor_ms)],
    ["orch", ms(orch_ms)],
    ["ratio", times(ratio)],
    ["CPU", `${ms(cpu_ms)} ${times(cpu_ratio)}`],
    ["flushes", flushes === null ? "not counted" : flushes.toFixed(1)],
    ...(load.at_once > 1 ? [["tasks/s", (1_000 / orch_ms).toFixed(0)] as const] : []),
  );
}
