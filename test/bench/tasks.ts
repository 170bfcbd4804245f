// What a task costs beside the floor: of one step to a thousand, alone and many at once; on the other database, in a pid
// namespace, and where orch's files are hidden.

import { abilityHere } from "../../src/execution/execution.ts";
import { NO_LIMITS } from "../../src/execution/sandbox/sandbox.ts";
import type { Ability } from "../../src/execution/sandbox/sandbox-of-config.ts";
import { hidingFault } from "../../src/execution/sandbox/spaces.ts";
import { type Engine, openEngine } from "../support/engine.ts";
import { postgres } from "../support/postgres.ts";
import { LOADS, measure, printCost } from "./costs.ts";
import type { Floor, Load } from "./floor.ts";
import { median, ms, row, times } from "./table.ts";
import { trueTasks } from "./true-tasks.ts";

const ROUNDS = 12;

export async function benchTasks(engine: Engine, floor: Floor): Promise<void> {
  const tasks = trueTasks(engine);
  for (const [name, load] of Object.entries(LOADS)) {
    printCost(name, await measure(tasks, floor, load, ROUNDS), load);
  }
  await inPidNamespace(floor);
  await inSpace(floor);
  await onPostgresql(engine);
}

async function inPidNamespace(floor: Floor): Promise<void> {
  const ability = await abilityHere("auto", NO_LIMITS);
  if (!ability.sandboxed) return row("10 steps, in a pid namespace", ["not measured", ability.reason]);
  await contained("in a pid namespace", ability, floor);
}

/** As it is for an account other than root. */
async function inSpace(floor: Floor): Promise<void> {
  const fault = await hidingFault();
  if (fault !== null) return row("10 steps, in a space that hides", ["not measured", fault]);
  await contained("in a space that hides", { sandboxed: false, reason: "not measured here", visible: null }, floor);
}

async function contained(where: string, ability: Ability, floor: Floor): Promise<void> {
  await using engine = await openEngine({ ability });
  for (const name of ["10 steps, one task at a time", "10 steps, 32 tasks at once"] as const) {
    printCost(`${name}, ${where}`, await measure(trueTasks(engine), floor, LOADS[name], ROUNDS), LOADS[name]);
  }
}

async function onPostgresql(sqlite: Engine): Promise<void> {
  const server = postgres({ fsync: true });
  if (server === null) return;
  try {
    await using engine = await openEngine({ env: { DATABASE_URL: await server.createDatabase() } });
    for (const name of ["1 step, one task at a time", "10 steps, one task at a time"] as const) {
      await compare(`${name}, PostgreSQL`, { sqlite, postgresql: engine }, LOADS[name]);
    }
  } finally {
    await server.stop();
  }
}

type Engines = { readonly sqlite: Engine; readonly postgresql: Engine };

async function compare(name: string, engines: Engines, load: Load): Promise<void> {
  const sqlite = trueTasks(engines.sqlite);
  const postgresql = trueTasks(engines.postgresql);
  await Promise.all([sqlite.prepare(load), postgresql.prepare(load)]);
  const taken: { readonly on_sqlite: number; readonly on_postgresql: number }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const on_sqlite = (await sqlite.ms(load)) / load.tasks;
    const on_postgresql = (await postgresql.ms(load)) / load.tasks;
    if (round >= 0) taken.push({ on_sqlite, on_postgresql });
  }
  row(
    name,
    ["SQLite", ms(median(taken.map(({ on_sqlite }) => on_sqlite)))],
    ["PostgreSQL", ms(median(taken.map(({ on_postgresql }) => on_postgresql)))],
    ["ratio", times(median(taken.map(({ on_sqlite, on_postgresql }) => on_postgresql / on_sqlite)))],
  );
}
