// The real server over HTTP, as many tasks at once as it takes: how many tasks end in a second, what memory it has after them,
// and how long a server starts that finds ten times as many.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { endTrial, known, learn } from "./http-tasks.ts";
import { residentMiB } from "./process-tree.ts";
import { ms, row, say, timed } from "./table.ts";

const AT_ONCE = 32;
const COPIES = 9;
const REST_MS = 15_000;
/** After these the caches are filled. */
const FIRST = 1_000;
/** What is at rest after all of them may be more than what was there with full caches; beyond this they leave something. */
const MOST_GROWTH = 1.25;

export async function benchServer(tasks: number): Promise<void> {
  await using directory = await temporaryDirectory();
  const env = { ORCH_REQUESTS_PER_SECOND: "0", ORCH_SUBMITS_PER_MINUTE: "0", ORCH_CONCURRENCY: String(AT_ONCE) };
  const start = () => startOrchProcess({ data_dir: directory.path, env });
  const orch = await start();
  await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => prepare(orch, `s${nth}`)));
  await submit(orch, 0, FIRST);
  const filled = residentMiB(orch.child.pid);
  const taken = await timed(() => submit(orch, FIRST, tasks));
  const [end, rest] = [residentMiB(orch.child.pid), await atRest(orch)];
  row(
    `${tasks} tasks of 1 step over HTTP`,
    ["tasks/s", (((tasks - FIRST) * 1_000) / taken).toFixed(0)],
    [`RSS at ${FIRST}`, `${filled.toFixed(0)} MiB`],
    ["at the end", `${end.toFixed(0)} MiB`],
    ["at rest", `${rest.toFixed(0)} MiB`],
  );
  if (rest > MOST_GROWTH * filled) {
    say(
      `  at rest it has more than ${MOST_GROWTH} times what it had with full caches: tasks leave something in memory`,
    );
    process.exitCode = 1;
  }
  await orch.kill("SIGTERM");
  copyTasks(join(directory.path, "state/orch.db"));
  // The first start gives the copies their sums.
  await (await start()).kill("SIGTERM");
  let last: OrchProcess | undefined;
  const started = await timed(async () => {
    last = await start();
  });
  await last?.kill("SIGTERM");
  row(`start with ${tasks * (COPIES + 1)} ended tasks`, ["until it listens", ms(started)]);
}

/** What is kept of them: the collector gives the rest back when nothing runs. */
async function atRest({ child }: OrchProcess): Promise<number> {
  await sleep(REST_MS);
  return residentMiB(child.pid);
}

async function prepare(orch: OrchProcess, service: string): Promise<void> {
  await learn(orch, "restart", service, [{ kind: "check", value: "test -d /" }]);
  await endTrial(orch, service);
}

async function submit(orch: OrchProcess, from: number, to: number): Promise<void> {
  let next = from;
  const worker = async (_: unknown, nth: number) => {
    while (next < to) {
      const body = known(`many-${next++}`, "restart", `s${nth}`);
      const answer = await orch.post("/v1/tasks", { ...body, wait_seconds: 30 });
      if (answer.body.status !== "ok") throw new Error(`a bench task ended ${JSON.stringify(answer.body)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Of tasks and their journals, each under an id of its own. */
function copyTasks(path: string): void {
  using database = new DatabaseSync(path);
  for (let copy = 1; copy <= COPIES; copy++) {
    for (const [table, id] of [
      ["task", "task_id"],
      ["journal_event", "thread_id"],
    ] as const) {
      const columns = database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => String(name))
        .filter((name) => name !== "cursor");
      const values = columns.map((name) =>
        name === id ? `'copy${copy}-' || ${id}` : name === "row_sum" ? "''" : name,
      );
      const from = `FROM ${table} WHERE ${id} LIKE 'many-%'`;
      database.exec(`INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} ${from}`);
    }
  }
}
