// One server of this checkout beside one of another commit, in pairs: what a change costs a user with one server.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/orch-process.ts";
import { row, say } from "../table.ts";
import { startGroup, teach } from "./group.ts";
import { inTurn, type Load, type Played, ratioOf, total } from "./rounds.ts";

const PROJECT = join(import.meta.dirname, "../../..");
const DATABASES = ["PostgreSQL", "SQLite"] as const;

export async function benchAgainst(commit: string, rounds: number, loads: readonly Load[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const checkout = stack.use(await checkoutOf(commit)).path;
  const callers = Math.max(...loads.map(({ at_once }) => at_once));
  for (const database of DATABASES) {
    await using now = await startGroup({ count: 1, database });
    await using before = await startGroup({ count: 1, database, checkout });
    for (const group of [now, before]) await teach(group, callers);
    for (const load of loads) {
      const [of_now = [], of_before = []] = await inTurn([now, before], rounds, load);
      say(
        `\none server on ${database}, beside ${commit}: ${load.at_once} callers, ${rounds} pairs of ${load.seconds} s`,
      );
      printPair(of_now, of_before);
    }
  }
}

const SHOWN = {
  "tasks/s": ({ per_second }) => per_second,
  "ms from submit to end": ({ ms }) => ms,
  "CPU ms, all": ({ cpu }) => total(cpu),
  "CPU ms, server": ({ cpu }) => cpu.server,
  "CPU ms, database": ({ cpu }) => cpu.database,
} as const satisfies Record<string, (played: Played) => number>;

function printPair(now: readonly Played[], before: readonly Played[]): void {
  for (const [name, of] of Object.entries(SHOWN)) {
    const middle = (played: readonly Played[]) => medianOf(played.map(of)).toFixed(1);
    row(name, ["before", middle(before)], ["now", middle(now)], ["ratio", ratioOf(now, before, of)]);
  }
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** With the packages of this checkout: a commit with others needs an installation of its own. */
async function checkoutOf(commit: string): Promise<{ readonly path: string } & AsyncDisposable> {
  await using given = new AsyncDisposableStack();
  const path = join(given.use(await temporaryDirectory()).path, "orch");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: PROJECT, stdio: ["ignore", "ignore", "inherit"] });
  git("worktree", "add", "--quiet", "--detach", path, commit);
  given.defer(() => void git("worktree", "remove", "--force", path));
  symlinkSync(join(PROJECT, "node_modules"), join(path, "node_modules"));
  execFileSync(process.execPath, ["prisma/generate.ts"], { cwd: path, stdio: ["ignore", "ignore", "inherit"] });
  const stack = given.move();
  return { path, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}
