// How many tasks three servers end in a second, beside one. Where cores are few, the servers, their steps, the database and the load share
// them; what a task costs of the processor does not depend on that.
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { row, say } from "../table.ts";
import { type Group, startGroup, teach } from "./group.ts";
import { costOf, inTurn, type Load, type Played, ratioOf, total } from "./rounds.ts";

const COUNTS = [1, 3] as const;
/** Until what was taught is scored. */
const REST_MS = 4_000;
const IDLE_S = 6;

export async function benchThroughput(rounds: number, load: Load): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const groups: Group[] = [];
  for (const count of COUNTS) {
    const group = stack.use(await startGroup({ count, database: "PostgreSQL" }));
    await teach(group, load.at_once);
    groups.push(group);
  }
  await sleep(REST_MS);
  for (const group of groups) await printIdle(group);
  const [one = [], three = []] = await inTurn(groups, rounds, load);
  say(`\n${load.at_once} callers, tasks of one step on as many targets, ${rounds} rounds of ${load.seconds} s in turn`);
  printGroup("one server", one);
  printGroup("three servers", three);
  row("three beside one", ["tasks/s", ratioOf(three, one, ({ per_second }) => per_second)]);
  row("", ["CPU of a task", ratioOf(three, one, ({ cpu }) => total(cpu))]);
  const bound = (3 * costOf(one).server) / costOf(three).server;
  row("", ["tasks/s where only the servers' own processes limit it", `${bound.toFixed(2)}x`]);
}

/** What servers cost that do nothing: where tasks are few, much of a task's figure is this. */
async function printIdle(group: Group): Promise<void> {
  const before = await group.spent();
  await sleep(IDLE_S * 1_000);
  const after = await group.spent();
  const spent = (of: "server" | "database") => `${((after[of] - before[of]) / IDLE_S).toFixed(0)} ms`;
  const name = group.servers.length === 1 ? "one server, idle" : `${group.servers.length} servers, idle`;
  row(name, ["CPU of a second: server", spent("server")], ["database", spent("database")]);
}

function printGroup(name: string, played: readonly Played[]): void {
  const rates = played.map(({ per_second }) => per_second).toSorted((a, b) => a - b);
  const cost = costOf(played);
  const all = total(cost);
  const middle = rates[Math.floor(rates.length / 2)] ?? 0;
  row(name, ["tasks/s", `${middle.toFixed(0)} (${rates[0]?.toFixed(0)} to ${rates.at(-1)?.toFixed(0)})`]);
  const { server, steps, database } = cost;
  const parts = `server ${server.toFixed(1)}, steps ${steps.toFixed(1)}, database ${database.toFixed(1)}`;
  row("", ["CPU ms of a task:", parts]);
  const cores = cpus().length;
  row(
    "",
    ["tasks in a CPU second", (1_000 / all).toFixed(0)],
    [`so at most on ${cores} cores`, `${((1_000 * cores) / all).toFixed(0)}/s`],
  );
}
