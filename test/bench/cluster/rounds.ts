// Rounds of one load on several groups of servers in turn, forwards and then backwards, so that all share what else the machine does. A
// round is a time in which callers submit a task, wait for its end, and submit the next.
import { connections, createTally } from "../load-tally.ts";
import { median } from "../table.ts";
import { type Group, oneStep, type Spent, serviceOf } from "./group.ts";

export type Load = { readonly at_once: number; readonly seconds: number };

export type Played = {
  readonly per_second: number;
  /** From a submit to the answer with its end. */
  readonly ms: number;
  /** Of the processor, for a task. */
  readonly cpu: Spent;
};

let submitted = 0;

/** Of each group its rounds. A first one of each is not counted. */
export async function inTurn(groups: readonly Group[], rounds: number, load: Load): Promise<Played[][]> {
  const played = groups.map((): Played[] => []);
  for (let round = -1; round < rounds; round++) {
    const all = groups.map((group, at) => ({ group, at }));
    for (const { group, at } of round % 2 === 0 ? all : all.reverse()) {
      const one = await play(group, load);
      if (round >= 0) played[at]?.push(one);
    }
  }
  return played;
}

async function play(group: Group, { at_once, seconds }: Load): Promise<Played> {
  const { servers } = group;
  const tally = createTally("");
  const agent = connections();
  const before = await group.spent();
  const begun = performance.now();
  const taken: number[] = [];
  const caller = async (_: unknown, nth: number) => {
    const url = servers[nth % servers.length]?.url ?? "";
    while (performance.now() < begun + seconds * 1_000) {
      const body = { ...oneStep(`bench-${++submitted}`, serviceOf(nth)), wait_seconds: 30 };
      const at = performance.now();
      const answer = await tally.send("task", { url, agent, method: "POST", path: "/v1/tasks", body });
      if (answer === null || !answer.includes('"status":"ok"'))
        throw new Error(`a task of the bench did not end ok: ${answer} ${[...tally.errors.keys()]}`);
      taken.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: at_once }, caller));
  const elapsed = performance.now() - begun;
  agent.destroy();
  const after = await group.spent();
  const each = (of: keyof Spent): number => (after[of] - before[of]) / taken.length;
  return {
    per_second: (taken.length * 1_000) / elapsed,
    ms: median(taken),
    cpu: { server: each("server"), steps: each("steps"), database: each("database") },
  };
}

export const total = ({ server, steps, database }: Spent): number => server + steps + database;

/** The medians of what a task costs. */
export const costOf = (played: readonly Played[]): Spent => ({
  server: median(played.map(({ cpu }) => cpu.server)),
  steps: median(played.map(({ cpu }) => cpu.steps)),
  database: median(played.map(({ cpu }) => cpu.database)),
});

/** A ratio of medians, with the least and the most of the rounds one by one. */
export function ratioOf(now: readonly Played[], before: readonly Played[], of: (played: Played) => number): string {
  const ratios = now.map((one, at) => of(one) / of(before[at] ?? one));
  const whole = median(now.map(of)) / median(before.map(of));
  return `${whole.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}
