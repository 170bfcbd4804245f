// What the looks at the checks of a plan cost (D-193, D-194): beside the time of the checks themselves, beside the same task
// without looks, and once for a text that is not known yet. Engines in turn, in pairs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine } from "../support/engine.ts";
import type { Floor } from "./floor.ts";
import { median, ms, row, timed, times } from "./table.ts";

const MODES = {
  off: { CHECK_LOOKS: "off", BEFORE_LOOK: "off" },
  kept: { CHECK_LOOKS: "on", BEFORE_LOOK: "off" },
  on: { CHECK_LOOKS: "on", BEFORE_LOOK: "on" },
} as const;
type Mode = keyof typeof MODES;

const ROUNDS = 40;
const TEXTS = 9;
let submitted = 0;

type Plan = { readonly service: string; readonly checks: readonly string[] };

const steps = ({ checks }: Plan) => [
  { kind: "cmd", value: 'echo "version 2" > release.txt' },
  ...checks.map((value) => ({ kind: "check", value })),
];

/** Each round begins where the goal is not reached: the checks are red before, which is the most that there is to record. */
async function taskMs(engine: Engine, service: string, compose_dir: string): Promise<number> {
  await rm(join(compose_dir, "release.txt"), { force: true });
  const contract = { target: { service, compose_dir }, success_criteria: [], delegation_mode: "known_only" };
  return timed(async () => {
    const task = await engine.submit({ task_id: `looks-${++submitted}`, ...contract });
    if (task.status !== "ok") throw new Error(`a bench task ended ${task.status}: ${task.outcome?.message}`);
  });
}

type Engines = Readonly<Record<Mode, Engine>>;
type Place = { readonly engines: Engines; readonly floor: Floor; readonly directory: string };

/** The time of the task in each mode, and of its two checks alone, in every round. */
async function rounds({ engines, floor, directory }: Place, plan: Plan) {
  const target = { service: plan.service, compose_dir: directory };
  const names = Object.keys(MODES) as Mode[];
  for (const name of names) await engines[name].learn("deploy", target, steps(plan));
  const taken: Record<Mode | "checks", number[]> = { off: [], kept: [], on: [], checks: [] };
  for (let round = -3; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const spent = await taskMs(engines[name], plan.service, directory);
      if (round >= 0) taken[name].push(spent);
    }
    let bare = 0;
    for (const command of plan.checks) bare += await floor.ms({ tasks: 1, steps: 1, at_once: 1, command, directory });
    if (round >= 0) taken.checks.push(bare);
  }
  return taken;
}

const pairs = (left: readonly number[], right: readonly number[], act: (a: number, b: number) => number): number =>
  median(left.map((value, n) => act(value, right[n] ?? Number.NaN)));

async function compare(place: Place, name: string, plan: Plan): Promise<void> {
  const { off, kept, on, checks } = await rounds(place, plan);
  const more = on.map((value, n) => value - (off[n] ?? Number.NaN));
  row(
    `${name}: looks`,
    ["off", ms(median(off))],
    ["on", ms(median(on))],
    ["more", ms(median(more))],
    ["the checks", ms(median(checks))],
    ["ratio", times(pairs(more, checks, (a, b) => a / b))],
  );
  const ratio = times(pairs(kept, off, (a, b) => a / b));
  row(`${name}: no before-look`, ["off", ms(median(off))], ["kept", ms(median(kept))], ["ratio", ratio]);
}

/** The first task with a text against the second: what all its looks cost, once. */
async function firstLooks({ engines, directory }: Place): Promise<void> {
  const first: number[] = [];
  const again: number[] = [];
  for (let n = 0; n < TEXTS; n++) {
    const plan = { service: `text-${n}`, checks: [`grep -q "version 2" release.txt # ${n}`] };
    await engines.kept.learn("deploy", { service: plan.service, compose_dir: directory }, steps(plan));
    first.push(await taskMs(engines.kept, plan.service, directory));
    again.push(await taskMs(engines.kept, plan.service, directory));
  }
  const more = pairs(first, again, (a, b) => a - b);
  row("all looks of one text, once", ["first", ms(median(first))], ["again", ms(median(again))], ["looks", ms(more)]);
}

export async function benchLooks(floor: Floor): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "orch-target-"));
  await using off = await openEngine({ env: MODES.off });
  await using kept = await openEngine({ env: MODES.kept });
  await using on = await openEngine({ env: MODES.on });
  const place = { engines: { off, kept, on }, floor, directory };
  try {
    const short = ['grep -q "version 2" release.txt', "test -s release.txt"];
    await compare(place, "two short checks", { service: "short", checks: short });
    const long = short.map((text) => `sleep 0.1 && ${text}`);
    await compare(place, "two checks of 0.1 s", { service: "long", checks: long });
    await firstLooks(place);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
