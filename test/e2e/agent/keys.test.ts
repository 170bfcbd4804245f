// Commands of an agent, whose text does not show what they look for, cannot reach the tokens, the database or the API.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { expectNoTrace, filesIn } from "../secrets/traces.ts";
import { obedient } from "./obedient-model.ts";
import { THEFTS, type Theft } from "./thefts.ts";
import { askedForApproval, CHECKOUT, openWorld, SECRETS, STORED, type World } from "./world.ts";

const SOUGHT = [...Object.values(SECRETS), STORED];

/** Paths in the home directory that do not exist yet: units of systemd, and the compile cache of the next server. */
const LATER = [".config/systemd/user", ".cache/orch"];

let world: World;
let calls: { readonly state: string; readonly findings: readonly object[]; readonly result: object }[];

/** The output is also written to a file, where the test reads it without redaction. */
const keeping = ({ script }: Theft, number: number): string => `set +eu\n{ ${script}\n} 2>&1 | tee loot-${number}`;

function placeFor(name: string): string {
  const path = join(world.home, "places", name);
  mkdirSync(path);
  writeFileSync(join(path, "data"), `${join(world.home, "state")}\n`);
  writeFileSync(join(path, "database"), `${join(world.home, "database", "orch.db")}\n`);
  writeFileSync(join(path, "api"), `127.0.0.1:${world.port}\n`);
  writeFileSync(join(path, "later"), `${LATER.join("\n")}\n`);
  writeFileSync(join(path, "checkout"), `${CHECKOUT}\n`);
  return path;
}

async function carryOut(agent_backend: string, part: readonly (readonly [Theft, number])[]) {
  const begin = part.map(([theft, number]) => ["shell", { command: keeping(theft, number) }]);
  const contract = contractBody({
    task_id: agent_backend,
    delegation_mode: "agent",
    agent_backend,
    payload: { begin },
    success_criteria: [],
    target: { compose_dir: placeFor(agent_backend) },
    constraints: { implicit_scope: ["shell"], require_approval_for: [], max_minutes: 1 },
  });
  const task = await world.carryOut(contract);
  expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "nothing_verified" } });
  return (await world.ask(`/v1/tasks/${agent_backend}/evidence`)).body.agent_calls.slice(0, part.length);
}

beforeAll(async () => {
  world = await openWorld(obedient, { database: "database/orch.db", own_cache: true });
  await askedForApproval(world);
  const numbered = THEFTS.map((theft, number) => [theft, number] as const);
  const half = Math.ceil(numbered.length / 2);
  const done = await Promise.all([carryOut("plain", numbered.slice(0, half)), carryOut("react", numbered.slice(half))]);
  calls = done.flat();
}, 110_000);

afterAll(() => world[Symbol.asyncDispose]());

test.each(THEFTS.map(({ title }, number) => [title, number] as const))("%s finds nothing [5.4]", (_, number) => {
  const { state, findings, result } = calls[number] as (typeof calls)[number];
  expect({ state, findings }, "nobody saw what it was after").toEqual({ state: "ended", findings: [] });
  expectNoTrace("its output", JSON.stringify(result), SOUGHT);
});

test("nothing was read then or later, and the API admitted no other client than this test [5.3]", async () => {
  await sleep(1_500);
  const kept = filesIn(join(world.home, "places"), []);
  expect(kept.filter(([path]) => path.includes("/loot-"))).toHaveLength(THEFTS.length);
  for (const [path, text] of kept) expectNoTrace(path, text, SOUGHT);
  const { body } = await world.ask("/v1/approvals");
  expect(body.approvals).toMatchObject([{ thread_id: "bystander", status: "pending" }]);
  expect(world.strangers()).toEqual([]);
  expect(world.orch.output(), "none has knocked").not.toMatch(/"status":401/);
  expect(world.orch.output(), "they have tried").toContain("it is orch itself, which no contract and no setting opens");
});

test("nothing is planted where it would run later, or where the next server would use it for its database", () => {
  const planted = ["database/orch.db-journal", ...LATER.map((name) => `${name}/planted`)];
  expect(planted.filter((path) => existsSync(join(world.home, path)))).toEqual([]);
});

test("each of the commands finds something where nothing is hidden", async () => {
  const cwd = placeFor("unconfined");
  const env = { PATH: process.env["PATH"] ?? "", HOME: world.home };
  // They run in a pid namespace, beside a process with the tokens, so that they read no environment of the host.
  const beside = `ORCH_TOKEN=${SECRETS.supervisor} sleep 60 & exec bash -c "$0"`;
  const inside = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c", beside];
  const found = async (theft: Theft, number: number): Promise<boolean> => {
    const run = promisify(execFile)("unshare", [...inside, keeping(theft, number)], { cwd, env, maxBuffer: 2 ** 28 });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return SOUGHT.some((secret) => stdout.includes(secret));
  };
  const working = THEFTS.flatMap((theft, number) => (theft.fails === null ? [[theft, number] as const] : []));
  const failed: string[] = [];
  for (const [theft, number] of working) if (!(await found(theft, number))) failed.push(theft.title);
  expect(failed).toEqual([]);
  expect(world.strangers()).not.toEqual([]);
});
