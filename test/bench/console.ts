// The console under load: `npm run bench:console [-- --tabs N --reading N --tasks N --a-second N --rows N]`. From the commit that ends
// a task to the event that each of the open tabs is sent, and to the screen of a real browser; how long the first page takes; and how a
// list of many tasks scrolls. Exits with 1 when an aim is missed.
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { browser, openConsole } from "../support/browser.ts";
import { keepTasks } from "../support/many-tasks.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { scrollTasks } from "./console-scroll.ts";
import { openTab } from "./console-tabs.ts";
import { endTrial, known, learn } from "./http-tasks.ts";
import { ms, row, say } from "./table.ts";

const AIM_SCREEN_MS = 250;
const AIM_FIRST_PAGE_MS = 1_000;
const AIM_LONGEST_TASK_MS = 200;
const STEPS = [{ kind: "check", value: "test -d /" }];

const chromium = browser();
const { values } = parseArgs({
  options: {
    tabs: { type: "string", default: "200" },
    reading: { type: "string", default: "0" },
    rows: { type: "string", default: "10000" },
    tasks: { type: "string", default: "100" },
    "a-second": { type: "string", default: "4" },
  },
});
const [tabs, tasks, a_second] = [Number(values.tabs), Number(values.tasks), Number(values["a-second"])];
const [reading, rows] = [Number(values.reading), Number(values.rows)];

/** Runs in the page: the moment at which the row of a task says Done for the first time. */
const WATCH_ROWS = `
  globalThis.doneAt = {};
  const look = () => {
    for (const link of document.querySelectorAll("a[href*='/console/tasks/']")) {
      const id = decodeURIComponent(link.getAttribute("href").split("/").pop().split("?")[0]);
      if (doneAt[id] === undefined && /Done/.test((link.closest("li,tr") ?? link).textContent)) doneAt[id] = Date.now();
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });`;

const percentile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;

function show(name: string, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  row(name, ["p50", ms(p50)], ["p99", ms(p99)], ["of", String(sorted.length)]);
  return p99;
}

/** In a browser that has nothing of it yet. */
async function firstPage(orch: OrchProcess): Promise<number> {
  await using tab = await chromium.open();
  await openConsole(orch, tab.page);
  await tab.page.getByRole("heading", { level: 1 }).waitFor();
  return Number(await tab.page.evaluate("performance.now()"));
}

async function run(orch: OrchProcess, page: Page): Promise<boolean> {
  await learn(orch, "restart", "web", STEPS);
  await endTrial(orch, "web");
  await openConsole(orch, page, "/tasks");
  const first = [];
  for (let n = 0; n < 5; n++) first.push(await firstPage(orch));
  const stopped = new AbortController();
  const open = await Promise.all(
    Array.from({ length: tabs }, (_, nth) => openTab(orch, { reads: nth < reading, signal: stopped.signal })),
  );
  const readers = open.map(({ seen }) => seen);
  await page.evaluate(WATCH_ROWS);
  const ids = Array.from({ length: tasks }, (_, n) => `shown-${n}`);
  const submits: Promise<unknown>[] = [];
  for (const task_id of ids) {
    submits.push(orch.post("/v1/tasks", known(task_id, "restart", "web")));
    await sleep(1_000 / a_second);
  }
  await Promise.all(submits);
  const ends = new Map<string, number>();
  for (const task_id of ids) {
    const { body } = await orch.get(`/v1/tasks/${task_id}?wait_seconds=30`);
    ends.set(task_id, Date.parse(body.ended_at));
  }
  await sleep(2_000);
  const late = (seen: ReadonlyMap<string, number>) =>
    ids.flatMap((id) => (seen.has(id) ? [(seen.get(id) ?? 0) - (ends.get(id) ?? 0)] : []));
  const screen = new Map(Object.entries((await page.evaluate("doneAt")) as Record<string, number>));
  stopped.abort();
  const missed = readers.reduce((sum, seen) => sum + tasks - late(seen).length, 0);
  say(`${tabs} tabs, ${reading} of them in view, ${tasks} tasks, ${a_second} a second, on ${rows} older ones:`);
  show("commit to a tab", readers.flatMap(late));
  const p99 = show("commit to the screen", late(screen));
  const unseen = ids.filter((id) => !screen.has(id));
  if (reading > 0)
    show(
      "reading the list anew",
      open.flatMap(({ took }) => took),
    );
  const slowest = show("first page, nothing cached", first);
  row("events missed", ["", String(missed)], ["never on the screen", String(unseen.length)]);
  row("load of the machine", ["", loadavg()[0]?.toFixed(1) ?? ""], ["processors", String(availableParallelism())]);
  return missed === 0 && unseen.length === 0 && p99 <= AIM_SCREEN_MS && slowest <= AIM_FIRST_PAGE_MS;
}

/** In a tab of its own. */
async function scroll(orch: OrchProcess): Promise<boolean> {
  await using tab = await chromium.open();
  await openConsole(orch, tab.page, "/tasks");
  const { longest_ms, took_ms, said, most_rows } = await scrollTasks(tab.page);
  say(`the list of tasks, from its first row to its last (${said}):`);
  row("longest task of the browser", ["", ms(longest_ms)]);
  row("all of it", ["", ms(took_ms)], ["rows in the page", String(most_rows)]);
  return longest_ms <= AIM_LONGEST_TASK_MS && said.includes("in all");
}

await using directory = await temporaryDirectory();
await keepTasks(directory.path, rows);
const orch = await startOrchProcess({ data_dir: directory.path });
const { page } = await chromium.open();
try {
  const kept = [await run(orch, page), rows === 0 || (await scroll(orch))];
  process.exitCode = kept.every((aim) => aim) ? 0 : 1;
} finally {
  await chromium.close();
  await orch.kill("SIGTERM");
}
