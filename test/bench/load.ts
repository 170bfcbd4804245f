// `npm run bench:load [-- seconds]`: the real server, with its rate limits off, while 200 calls wait, 50 tasks a second
// come in and 1,000 connections ask now and then. Latencies are of this machine and this moment, with the load and the
// server on the same cores. Exits with 1 after any error, or when a task did not end verified.
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../support/orch-process.ts";
import { endTrial, known, learn } from "./http-tasks.ts";
import { connections, createTally, type Tally } from "./load-tally.ts";
import { ownCpuMs, residentMiB } from "./process-tree.ts";
import { row, say } from "./table.ts";

const SERVICES = 50;
const HELD_WAITS = 190;
const MESSAGE_WAITS = 10;
const VISITORS = 1_000;
const VISIT_MS = 3_000;
const SUBMIT_MS = 20;
const REST_MS = 5_000;
const PATIENCE_MS = 120_000;

/** Tasks in the queue after the first of them, which waits for longer than the test takes. */
async function hold({ post }: OrchProcess): Promise<void> {
  // On trial: the others look up their procedure after its end.
  await post("/v1/tasks", { ...known("held-0", "deploy", "held"), wait_seconds: 30 });
  await post("/v1/approve", { task_id: "held-0", decision: "approve" });
  for (let n = 1; n < HELD_WAITS; n++) await post("/v1/tasks", known(`held-${n}`, "deploy", "held"));
}

/** Waits again and again until the test is over: most on tasks that stand in line, some on any message. */
function keepWaiting({ send }: Tally, over: AbortSignal): Promise<unknown> {
  const agent = connections();
  const onTask = async (_: unknown, n: number) => {
    while (!over.aborted) await send("wait for a task", { agent, path: `/v1/tasks/held-${n}?wait_seconds=10` });
  };
  const onMessages = async () => {
    for (let after = 0; !over.aborted; ) {
      const text = await send("wait for messages", {
        agent,
        path: `/v1/messages?after=${after}&wait_seconds=10&limit=500`,
      });
      after = text === null ? after : JSON.parse(text).next_cursor;
      // What a supervisor does with what it has read.
      await sleep(500);
    }
  };
  return Promise.all([
    ...Array.from({ length: HELD_WAITS }, onTask),
    ...Array.from({ length: MESSAGE_WAITS }, onMessages),
  ]);
}

/** Connections that are idle most of the time: one in five of their requests is for a task. */
function keepVisiting({ send }: Tally, over: AbortSignal): Promise<unknown> {
  const visit = async (_: unknown, n: number) => {
    const agent = connections(1);
    await sleep((VISIT_MS * n) / VISITORS);
    while (!over.aborted) {
      if (n % 5 > 0) await send("healthz", { agent, path: "/healthz" });
      else await send("get_task", { agent, path: `/v1/tasks/held-${n % HELD_WAITS}` });
      await sleep(VISIT_MS);
    }
    agent.destroy();
  };
  return Promise.all(Array.from({ length: VISITORS }, visit));
}

/** Does not wait for answers: the next task comes when it comes. */
function keepSubmitting({ send }: Tally, over: AbortSignal) {
  const agent = connections();
  const sent: Promise<unknown>[] = [];
  const submit = () => {
    const n = sent.length;
    const body = known(`load-${n}`, "restart", `s${n % SERVICES}`);
    sent.push(send("submit", { agent, method: "POST", path: "/v1/tasks", body }));
  };
  submit();
  const begun = performance.now();
  const timer = setInterval(() => {
    while (sent.length * SUBMIT_MS < performance.now() - begun) submit();
  }, SUBMIT_MS);
  over.addEventListener("abort", () => clearInterval(timer));
  return { count: () => sent.length, answered: () => Promise.all(sent) };
}

/** Of the tasks that were submitted, how many have each status, once none is left to be done. */
async function settle({ get }: OrchProcess, total: number): Promise<ReadonlyMap<string, number>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const counts = new Map<string, number>();
    for (let after = ""; after !== "end"; ) {
      const { body } = await get(`/v1/tasks?limit=500${after === "" ? "" : `&after=${after}`}`);
      for (const { task_id, status } of body.tasks) {
        if (task_id.startsWith("load-")) counts.set(status, (counts.get(status) ?? 0) + 1);
      }
      after = body.next_after ?? "end";
    }
    const open = (counts.get("accepted") ?? 0) + (counts.get("running") ?? 0);
    if (open === 0 || performance.now() > deadline) return counts.set("missing", total - sum(counts));
    await sleep(250);
  }
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);

function watchProcess(pid: number) {
  const rss = () => residentMiB(pid);
  const seen = { rss: rss(), files: 0 };
  const timer = setInterval(() => {
    seen.rss = Math.max(seen.rss, rss());
    seen.files = Math.max(seen.files, readdirSync(`/proc/${pid}/fd`).length);
  }, 250);
  const cpu = () => ownCpuMs(pid) / 1_000;
  return { rss, cpu, seen, stop: () => clearInterval(timer) };
}

const mib = (value: number): string => `${Math.round(value)} MiB`;

async function bench(seconds: number): Promise<boolean> {
  await using directory = await temporaryDirectory();
  const env = {
    ORCH_SUBMITS_PER_MINUTE: "0",
    ORCH_REQUESTS_PER_SECOND: "0",
    ORCH_DRAIN_SECONDS: "1",
    LOG_LEVEL: "warn",
  };
  const preload = join(import.meta.dirname, "loop-delay-process.ts");
  const orch = await startOrchProcess({ data_dir: directory.path, env, preload });
  const tally = createTally(orch.url);
  await learn(orch, "deploy", "held", [
    { kind: "wait", value: "1h" },
    { kind: "check", value: "test -d /" },
  ]);
  for (let n = 0; n < SERVICES; n++) {
    await learn(orch, "restart", `s${n}`, [{ kind: "check", value: "test -d /" }]);
    await endTrial(orch, `s${n}`);
  }
  await hold(orch);

  const watched = watchProcess(orch.child.pid ?? 0);
  const before = watched.rss();
  const submitting = new AbortController();
  const using_it = new AbortController();
  const submits = keepSubmitting(tally, submitting.signal);
  const others = [keepWaiting(tally, using_it.signal), keepVisiting(tally, using_it.signal)];
  await sleep(seconds * 1_000);
  submitting.abort();
  await submits.answered();
  const begun = performance.now();
  const counts = await settle(orch, submits.count());
  const behind = performance.now() - begun;
  using_it.abort();
  await Promise.all(others);
  await sleep(REST_MS);
  const after = watched.rss();
  const { user, system } = process.cpuUsage();
  const cpu = { server: watched.cpu(), load: (user + system) / 1e6 };
  watched.stop();
  const code = await orch.kill("SIGTERM");

  tally.print();
  row("tasks", ["submitted", String(submits.count())], ...[...counts].map(([name, n]) => [name, String(n)] as const));
  row("last task done after its submit", ["ms", behind.toFixed(0)]);
  row("memory", ["before", mib(before)], ["most", mib(watched.seen.rss)], ["after", mib(after)]);
  row("CPU", ["server", `${cpu.server.toFixed(1)} s`], ["load", `${cpu.load.toFixed(1)} s`]);
  row("open files and connections", ["most", String(watched.seen.files)]);
  row("server", ["exit code", String(code)], ["", /loop delay: .*/.exec(orch.output())?.[0] ?? "no loop delay"]);
  return tally.errors.size === 0 && counts.get("ok") === submits.count() && code === 0;
}

const seconds = Number(process.argv[2] ?? 30);
say(`orch under load for ${seconds} s, node ${process.version}, ${cpus().length} cores\n`);
process.exitCode = (await bench(seconds)) ? 0 : 1;
