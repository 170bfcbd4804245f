// Preloaded into the server (`node --import`): writes down every point of its work, and ends the process with SIGKILL at the
// one that is ordered. A point is the beginning of a node or either side of a commit, such as `node:run_steps#1`,
// `commit:after:step_started#2` or, for any point, `point#17`. Counting starts anew with every order.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";

/**
 * The file that holds the order, the one that the points are written to, and the one whose time is that of the kill, in the directory
 * `KILL_DIR`.
 */
export const orderIn = (directory: string): string => join(directory, "kill-order");
export const killedIn = (directory: string): string => join(directory, "killed");
export const pointsIn = (directory: string): string => join(directory, "points");

type Commit = { readonly when: "before" | "after"; readonly kinds: readonly string[] };

/** They come when it is quiet, and say nothing of a task: most tests leave them out. */
const OF_SCORES = new Set(["task_scored", "duty_done"]);
const with_scores = process.env["KILL_SCORES"] === "on";

const directory = process.env["KILL_DIR"];
if (directory !== undefined) obey(directory);

function obey(kill_dir: string): void {
  let order: string | null = null;
  const seen = new Map<string, number>();

  const count = (name: string): string => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return `${name}#${nth}`;
  };
  const reach = (name: string): void => {
    const given = read(orderIn(kill_dir));
    if (given !== order) seen.clear();
    order = given;
    const [place, point] = [count("point"), count(name)];
    appendFileSync(pointsIn(kill_dir), `${point}\n`);
    if (order !== place && order !== point) return;
    rmSync(orderIn(kill_dir), { force: true });
    // Only for the speed of the next start.
    flushCompileCache();
    writeFileSync(killedIn(kill_dir), point);
    process.kill(process.pid, "SIGKILL");
  };

  subscribe("orch:node", (message) => reach(`node:${(message as { name: string }).name}`));
  subscribe("orch:moment", (message) => reach((message as { name: string }).name));
  subscribe("orch:commit", (message) => {
    const { when, kinds } = message as Commit;
    if (with_scores || !kinds.every((kind) => OF_SCORES.has(kind))) reach(`commit:${when}:${kinds.join("+")}`);
  });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
