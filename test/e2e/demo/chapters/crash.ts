// The server dies in the middle of a step (ARCHITECTURE.md: the journal is the authority). Nothing runs twice.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "../../../support/orch-process.ts";
import { within } from "../readable.ts";
import { type Chapter, check, cmd, constraints, contract, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const crash: Chapter = {
  title: "The server is killed in the middle of a step",
  play: async (scene) => {
    await beginRestart(scene);
    await killInStepOne(scene);
    await startAgain(scene);
    await resolve(scene);
  },
};

const TRACE = "restarts.txt";
const STEPS = [
  cmd(`echo stopped >> ${TRACE}`),
  cmd(`echo started >> ${TRACE}; sleep 20`),
  check(`tail -n 1 ${TRACE} | grep -x started`),
];
const PROGRESS = [...TASK, ...within("steps.*", ["index", "kind", "status"])];

const trace = ({ site }: Scene): string => linesOf(join(site.checkout, TRACE)).join("\n");
const ranOnceEach = (scene: Scene): boolean => trace(scene) === "stopped\nstarted";

async function beginRestart(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say(`A restart in two steps and a check. Each of the two leaves a line in ${TRACE} whenever it runs.`);
  const body = contract(scene, "restart-1", {
    intent: "restart",
    delegation_mode: "teach_if_unknown",
    constraints: constraints(["cmd:sleep", "cmd:tail", "cmd:grep"]),
    success_criteria: ["what happened last is a start"],
  });
  const sent = ["task_id", "intent", "success_criteria"];
  await supervisor.post("/v1/tasks", body, { sent, shown: ["label", "outcome.reason_code"] });
  const lesson = { task_id: "restart-1", steps: STEPS };
  const { body: taught } = await supervisor.post("/v1/teach", lesson, { shown: ["task.status", "task.next"] });
  story.expectThat(taught.task.status === "running", "it runs, and the supervisor does not wait for it");
}

async function killInStepOne(scene: Scene): Promise<void> {
  const { story, server } = scene;
  for (let looks = 0; !ranOnceEach(scene); looks += 1) {
    if (looks > 500) throw new Error("step 1 did not begin");
    await sleep(20);
  }
  story.say("Step 1 has left its line and is still at work. Now: kill -9.");
  await server.kill();
  story.file(TRACE, trace(scene));
  story.expectThat(server.orch().child.signalCode === "SIGKILL", "the server is gone, without a word");
}

async function startAgain(scene: Scene): Promise<void> {
  const { story, supervisor, server } = scene;
  story.say(
    "It is started again on the same directory, and takes the task up from its journal. Of step 1 the journal holds a start and no end.",
  );
  await server.start();
  const { body: task } = await supervisor.get("/v1/tasks/restart-1?wait_seconds=30", PROGRESS);
  const unknown = task.outcome.reason_code === "step_outcome_unknown" && task.outcome.step_index === 1;
  story.expectThat(unknown, "orch does not guess what became of step 1: it asks");
  story.expectThat(ranOnceEach(scene), `neither step has run again: ${TRACE} has one line of each`);
}

async function resolve(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say("The supervisor looks:");
  story.file(TRACE, trace(scene));
  story.say("Step 1 has done its work, and the supervisor says so. What is left is the check.");
  const answer = { resolution: "succeeded", index: 1, reason: `${TRACE} ends with started`, wait_seconds: 30 };
  const { body: task } = await supervisor.post("/v1/tasks/restart-1/resolve", answer, { shown: PROGRESS });
  story.expectThat(task.label === "DONE" && task.steps[2].status === "passed", "the check has run and passed: DONE");
  story.expectThat(ranOnceEach(scene), `${TRACE} still has one line of each: nothing ran twice`);
}
