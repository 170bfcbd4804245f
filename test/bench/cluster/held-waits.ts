// Three servers with 200 calls that wait, spread over them, while so many tasks a second arrive, whether or not those before them were
// answered. A latency counts from when a request was due, so that a server that keeps the load waiting is not spared.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ask } from "../../support/read-journals.ts";
import { known, learn } from "../http-tasks.ts";
import { connections, createTally, type Tally } from "../load-tally.ts";
import { ms, say } from "../table.ts";
import { type Group, oneStep, serviceOf, startGroup, teach } from "./group.ts";

const SERVERS = 3;
const HELD = 200;
const SERVICES = 50;
const RATES = [50, 40, 30, 20, 10, 5];
const LIMIT_MS = 250;
const SUBMIT = "submit, to its answer";
const END = "end of a task, to the answer elsewhere";

/** Whether the highest rate was kept. */
export async function benchHeldWaits(seconds: number): Promise<boolean> {
  await using group = await startGroup({ count: SERVERS, database: "PostgreSQL" });
  await teach(group, SERVICES);
  await hold(group);
  for (const rate of RATES) {
    const tally = await atRate(group, rate, seconds);
    const worst = Math.max(tally.percentile(SUBMIT, 0.99), tally.percentile(END, 0.99));
    say(`\n${SERVERS} servers, ${HELD} waits, ${rate} submits a second for ${seconds} s`);
    tally.print();
    const isKept = worst < LIMIT_MS && tally.errors.size === 0;
    say(`  p99 under ${LIMIT_MS} ms: ${isKept ? "yes" : `no, ${ms(worst)}`}`);
    if (isKept) return rate === RATES[0];
  }
  return false;
}

const at = <T>(list: readonly T[], nth: number): T => {
  const found = list[nth % list.length];
  if (found === undefined) throw new Error("an empty list");
  return found;
};

/** Tasks that wait for their target for longer than the test takes, accepted by all servers. */
async function hold({ servers }: Group): Promise<void> {
  const first = at(servers, 0);
  await learn(first, "deploy", "held", [
    { kind: "wait", value: "1h" },
    { kind: "check", value: "test -d /" },
  ]);
  // On trial: the others look up their procedure after its end.
  await first.post("/v1/tasks", { ...known("held-0", "deploy", "held"), wait_seconds: 30 });
  await first.post("/v1/approve", { task_id: "held-0", decision: "approve" });
  for (let n = 1; n <= HELD; n++) await at(servers, n).post("/v1/tasks", known(`held-${n}`, "deploy", "held"));
}

async function atRate(group: Group, rate: number, seconds: number): Promise<Tally> {
  const tally = createTally("");
  const over = new AbortController();
  const agent = connections();
  const held = Array.from({ length: HELD }, async (_, n) => {
    const { url } = at(group.servers, n + 2);
    while (!over.signal.aborted)
      await tally.send("held wait, to its answer", { url, agent, path: `/v1/tasks/held-${n + 1}?wait_seconds=10` });
  });
  const before = await group.spent();
  const ends = await submitAll(group, tally, { rate, total: rate * seconds });
  const after = await group.spent();
  over.abort();
  await Promise.all(held);
  agent.destroy();
  await noteEnds(group, tally, ends);
  const spent = (of: keyof typeof after) => `${((after[of] - before[of]) / ends.length).toFixed(1)} ms`;
  say(`  CPU of a task: server ${spent("server")}, steps ${spent("steps")}, database ${spent("database")}`);
  return tally;
}

type End = { readonly task_id: string; readonly asked: number; readonly answered: number };

const now = () => performance.timeOrigin + performance.now();
let runs = 0;

/** Each at its time; the end of each is waited for on another server than the one that has accepted it. */
async function submitAll(
  { servers }: Group,
  tally: Tally,
  { rate, total }: { readonly rate: number; readonly total: number },
): Promise<End[]> {
  const agent = connections();
  const begun = performance.now();
  const run = ++runs;
  const one = async (nth: number, due: number): Promise<End> => {
    const task_id = `load-${run}-${nth}`;
    const body = oneStep(task_id, serviceOf(nth % SERVICES));
    const to = at(servers, nth);
    const accepted = await tally.send(SUBMIT, { url: to.url, agent, method: "POST", path: "/v1/tasks", body }, due);
    const asked = now();
    const { url } = at(servers, nth + 1);
    const answer = accepted && (await tally.send("wait", { url, agent, path: `/v1/tasks/${task_id}?wait_seconds=30` }));
    const answered = now();
    if (answer !== null && !answer.includes('"status":"ok"')) tally.fail("task", "had not ended after 30 s");
    return { task_id, asked, answered };
  };
  const sent: Promise<End>[] = [];
  while (sent.length < total) {
    const due = begun + (sent.length * 1_000) / rate;
    const left = due - performance.now();
    if (left > 0) await sleep(left);
    sent.push(one(sent.length, due));
  }
  const ends = await Promise.all(sent);
  agent.destroy();
  return ends;
}

const Reported = z.array(z.object({ thread_id: z.string(), committed: z.number() }));
const REPORTED = `
  SELECT thread_id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::double precision AS committed
  FROM journal_event WHERE kind = 'reported' AND thread_id LIKE 'load-%'`;

/** Of those that were waited for when they ended. */
async function noteEnds({ database_url }: Group, tally: Tally, ends: readonly End[]): Promise<void> {
  const rows = Reported.parse(await ask(database_url ?? "", REPORTED));
  const committed = new Map(rows.map((row) => [row.thread_id, row.committed]));
  for (const { task_id, asked, answered } of ends) {
    const ended = committed.get(task_id);
    if (ended === undefined) tally.fail("task", "has no end");
    else if (asked < ended) tally.note(END, answered - ended);
  }
}
