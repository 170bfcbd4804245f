// What a task costs beside the floor: of one step to a thousand, alone and many at once; on the other database, and in a pid
// namespace.
import { chooseSandbox } from "../../src/execution/local/containment/choose-sandbox.ts";
import { NO_LIMITS } from "../../src/execution/local/step-limits.ts";
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
  await onPostgresql(engine);
}

async function inPidNamespace(floor: Floor): Promise<void> {
  const sandbox = await chooseSandbox("auto", NO_LIMITS);
  if (!sandbox.sandboxed) return row("10 steps, in a pid namespace", ["not measured", sandbox.reason]);
  await using engine = await openEngine({ sandbox });
  const load = LOADS["10 steps, one task at a time"];
  printCost("10 steps, in a pid namespace", await measure(trueTasks(engine), floor, load, ROUNDS), load);
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
