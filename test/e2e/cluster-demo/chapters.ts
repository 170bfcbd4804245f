// The story: a task of slow steps, a kill in a wait, a kill in a command, an answer to another server, and DONE.
import { contractBody } from "../../support/builders.ts";
import { type Cluster, type Member, marking, until } from "../../support/cluster.ts";
import { within } from "../demo/readable.ts";
import { check, cmd } from "../demo/scene.ts";
import type { Story } from "../demo/story.ts";
import { createSupervisor, TASK } from "../demo/supervisor.ts";

export type Scene = { readonly story: Story; readonly cluster: Cluster; readonly members: readonly Member[] };

/** A lease of 30 s, and a look for what it has left. */
const TAKEN_OVER_MS = 35_000;
const TASK_ID = "restart-1";
const PATH = `/v1/tasks/${TASK_ID}`;
const PROGRESS = [...TASK, ...within("steps.*", ["index", "kind", "status"])];
const STEPS = [
  cmd(marking(0, "1")),
  { kind: "wait", value: "6s" },
  cmd(marking(2, "30")),
  check(`grep -q "^start $ORCH_TASK_ID 2" ../marks`),
];

export async function tell(scene: Scene): Promise<number> {
  const { story, members } = scene;
  const [first, second] = members;
  if (first === undefined || second === undefined) throw new Error("three servers were started");
  const begun = await begin(scene, first, second);
  const next = await killInTheWait(scene, begun);
  const last = await killInTheCommand(scene, begun, next);
  await resolve(scene, last);
  const seconds = (performance.now() / 1_000).toFixed(1);
  story.say(`All ${story.claimsHeld()} claims held, ${seconds} s after the start.`);
  return 0;
}

const supervisorOf = ({ story }: Scene, member: Member) => createSupervisor(() => member, story);
const marksOf = ({ cluster }: Scene) => cluster.marks();
const lineOf = ({ what, index, server }: ReturnType<Cluster["marks"]>[number]) =>
  `${what} of step ${index} on ${server}`;
const shown = (scene: Scene) => marksOf(scene).map(lineOf).join("\n");

/** Resolves with the server that runs the task. */
async function begin(scene: Scene, first: Member, second: Member): Promise<Member> {
  const { story, members } = scene;
  story.heading("1. A task is submitted to one server and taught to another");
  story.say(
    `${first.name} gets the contract, ${second.name} the procedure: a command, a wait, a slow command and a check. Each command leaves a line when it starts and when it ends, with the name of the server that runs it.`,
  );
  const contract = contractBody({ task_id: TASK_ID, intent: "restart", target: { service: "web" } });
  const sent = ["task_id", "intent", "target"];
  const asked = await supervisorOf(scene, first).post(
    "/v1/tasks",
    { ...contract, wait_seconds: 20 },
    { sent, shown: TASK },
  );
  story.expectThat(asked.body.outcome?.reason_code === "sop_unknown", `${first.name} asks to be taught`);
  const lesson = { task_id: TASK_ID, steps: STEPS };
  const taught = await supervisorOf(scene, second).post("/v1/teach", lesson, {
    sent: ["task_id"],
    shown: ["task.status"],
  });
  story.expectThat(taught.status === 200, `${second.name} takes the answer to what ${first.name} has asked`);
  const runner = await runnerOf(scene, 0, members);
  story.expectThat(marksOf(scene).length === 1, `step 0 runs once, on ${runner.name}`);
  return runner;
}

const runnerOf = ({ cluster }: Scene, index: number, members: readonly Member[]): Promise<Member> =>
  until(`step ${index}`, TAKEN_OVER_MS + 25_000, () => {
    const mark = cluster.marks().find((one) => one.index === index);
    return members.find(({ name }) => name === mark?.server) ?? null;
  });

/** Resolves with the server that goes on. */
async function killInTheWait(scene: Scene, runner: Member): Promise<Member> {
  const { story, cluster, members } = scene;
  story.heading("2. Its server is killed in the wait");
  await until("the wait", 20_000, async () => {
    const rows = await cluster.rows();
    const started = rows.filter(({ thread_id, kind }) => thread_id === TASK_ID && kind === "step_started");
    return started.some(({ body }) => body["index"] === 1) || null;
  });
  await runner.kill("SIGKILL");
  const killed = performance.now();
  story.expectThat(
    runner.child.signalCode === "SIGKILL",
    `${runner.name} is gone in the middle of the wait, without a word`,
  );
  const others = members.filter((member) => member !== runner);
  const next = await runnerOf(scene, 2, others);
  const took = (performance.now() - killed) / 1_000;
  story.expectThat(
    took * 1_000 < TAKEN_OVER_MS + 6_000,
    `${next.name} has waited for the rest of the time and runs step 2, ${took.toFixed(1)} s after the kill: a wait that is cut off needs no question`,
  );
  const starts = marksOf(scene).filter(({ what, index }) => what === "start" && index === 0);
  story.expectThat(starts.length === 1, "step 0 has not run again");
  return next;
}

/** Resolves with the server that is left. */
async function killInTheCommand(scene: Scene, first: Member, runner: Member): Promise<Member> {
  const { story, members } = scene;
  story.heading("3. The next one is killed in the command");
  await runner.kill("SIGKILL");
  const killed = performance.now();
  const last = members.find((member) => member !== first && member !== runner);
  if (last === undefined) throw new Error("a third server was started");
  story.say(`Of step 2 the journal has a start and no end. ${last.name} is the only server that is left.`);
  const isAsked = ({ body }: { body: { outcome?: { reason_code: string } | null } }) =>
    body.outcome?.reason_code === "step_outcome_unknown";
  await until(
    "the question",
    TAKEN_OVER_MS + 25_000,
    async () => isAsked(await last.get(`${PATH}?wait_seconds=5`)) || null,
  );
  const took = (performance.now() - killed) / 1_000;
  await supervisorOf(scene, last).get(PATH, PROGRESS);
  story.expectThat(
    took * 1_000 < TAKEN_OVER_MS,
    `${last.name} does not guess what became of step 2: it asks, ${took.toFixed(1)} s after the kill`,
  );
  const starts = marksOf(scene).filter(({ what, index }) => what === "start" && index === 2);
  story.expectThat(starts.length === 1, "step 2 has not run again");
  return last;
}

async function resolve(scene: Scene, last: Member): Promise<void> {
  const { story, cluster } = scene;
  story.heading("4. The supervisor looks, and answers");
  story.file("marks", shown(scene));
  const answer = { resolution: "succeeded", index: 2, reason: "its line is there", wait_seconds: 30 };
  const { body: task } = await supervisorOf(scene, last).post(`${PATH}/resolve`, answer, { shown: PROGRESS });
  story.expectThat(task.label === "DONE", `the check has run and passed on ${last.name}: DONE`);
  const starts = marksOf(scene).filter(({ what }) => what === "start");
  story.expectThat(starts.length === 2, "each command has started once, on three servers of which two were killed");
  const rows = await cluster.rows();
  const claims = rows.filter(({ thread_id, kind }) => thread_id === TASK_ID && kind === "taken_up");
  const owners = new Set(claims.map(({ body }) => body["owner"]));
  story.expectThat(owners.size >= 2, `its journal names each of the ${owners.size} servers that worked on it`);
  const breaches = await cluster.breaches();
  story.expectThat(
    breaches.length === 0,
    `a checker that shares no code with orch has read all ${rows.length} entries of the journals, and every claim, start and end has its licence`,
  );
}
