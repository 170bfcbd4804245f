// Counts the files and functions that one submit of a known two-step SOP executes, with the reading of its evidence: by V8's
// coverage, in the server process and in the runner process.
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { contractBody } from "./builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "./orch-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROBE = join(import.meta.dirname, "coverage-probe.ts");
const STEPS = [
  { kind: "cmd", value: "echo restarted > said" },
  { kind: "check", value: "grep -q restarted said" },
];

type Sop = { readonly intent: string; readonly target: Readonly<Record<string, string>> };

/** How many functions of each file were executed, by path below the repository. */
export type Executed = ReadonlyMap<string, number>;

/** How many submits are measured: what the clock starts in the middle of one of them is not in all. */
const SUBMITS = 4;

type Execution = { readonly server: Executed; readonly runner: Executed };

/** What every one of the measured submits executes. Rejects when a measured task does not end verified. */
export async function measureExecution(): Promise<Execution> {
  await using directory = await temporaryDirectory();
  // No world shows the data directory.
  await using place = await temporaryDirectory();
  const reports = join(directory.path, "coverage");
  await mkdir(reports);
  const env = { NODE_V8_COVERAGE: reports, BEFORE_LOOK: "on", CHECK_LOOKS: "on" };
  const orch = await startOrchProcess({ data_dir: directory.path, env, preload: PROBE });
  try {
    const sop = { intent: "restart", target: { service: "web", compose_dir: place.path } };
    await teachSop(orch, sop);
    // The first task starts the runner, and ends the trial of the SOP; from the second on a submit costs the same.
    await runTask(orch, sop, "first");
    await takeReports(orch, reports);
    const measured: Execution[] = [];
    for (let n = 0; n < SUBMITS; n++) {
      await runTask(orch, sop, `measured-${n}`);
      measured.push(await takeReports(orch, reports));
    }
    return { server: inAll(measured.map(({ server }) => server)), runner: inAll(measured.map(({ runner }) => runner)) };
  } finally {
    await orch.kill("SIGTERM");
  }
}

async function teachSop({ get, post }: OrchProcess, sop: Sop): Promise<void> {
  const { body } = await post("/v1/teach", { ...sop, steps: STEPS });
  await post("/v1/approve", { approval_id: body.approval_id, decision: "approve" });
  while ((await get(`/v1/sops/${body.sop.sop_id}`)).body.sop.status !== "active") await sleep(20);
}

async function runTask({ get, post }: OrchProcess, sop: Sop, task_id: string): Promise<void> {
  const contract = contractBody({ ...sop, task_id, success_criteria: [], delegation_mode: "known_only" });
  const asked = await post("/v1/tasks", { ...contract, wait_seconds: 30 });
  const is_on_trial = asked.body.status === "need_approval";
  if (is_on_trial) await post("/v1/approve", { task_id, decision: "approve" });
  const { body } = is_on_trial ? await get(`/v1/tasks/${task_id}?wait_seconds=30`) : asked;
  if (body.status !== "ok") throw new Error(`the measured task is ${body.status}: ${JSON.stringify(body)}`);
  await get(`/v1/tasks/${task_id}/evidence`);
}

function inAll(measured: readonly Executed[]): Executed {
  const [first = new Map<string, number>(), ...others] = measured;
  return new Map([...first].filter(([file]) => others.every((other) => other.has(file))));
}

/** One report of each process since the last time. */
async function takeReports({ child }: OrchProcess, reports: string): Promise<Execution> {
  const before = new Set(await readdir(reports));
  child.kill("SIGUSR2");
  const isServer = (name: string) => name.startsWith(`coverage-${child.pid}-`);
  for (;;) {
    const names = (await readdir(reports)).filter((name) => !before.has(name));
    const server = names.find(isServer);
    const runner = names.find((name) => !isServer(name));
    if (server !== undefined && runner !== undefined)
      return { server: await executedIn(join(reports, server)), runner: await executedIn(join(reports, runner)) };
    await sleep(20);
  }
}

const Report = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ count: z.int() })).min(1) })),
    }),
  ),
});

async function executedIn(path: string): Promise<Executed> {
  const { result } = Report.parse(await complete(path));
  const executed = new Map<string, number>();
  for (const { url, functions } of result) {
    const file = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!file.startsWith(`${ROOT}/`) || /\/(node_modules|test)\//.test(file)) continue;
    const count = functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0).length;
    if (count > 0) executed.set(file.slice(ROOT.length + 1), count);
  }
  return executed;
}

/** The file appears before it is complete. */
async function complete(path: string): Promise<unknown> {
  for (;;) {
    try {
      return JSON.parse(await readFile(path, "utf8"));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      await sleep(20);
    }
  }
}
