// The server is killed while a flow engine runs the steps. The next server finds the job, and asks no question.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { linesOf } from "../../../support/orch-process.ts";
import { within } from "../readable.ts";
import { type Chapter, check, cmd, constraints, contract, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const flowEngine: Chapter = {
  title: "The server is killed while a flow engine runs the steps",
  play: async (scene) => {
    await handOver(scene);
    await killMeanwhile(scene);
    await findAgain(scene);
  },
};

const TRACE = "engine.txt";
const STEPS = [
  cmd(`echo stopped >> ${TRACE}`),
  cmd(`echo started >> ${TRACE}; until test -e ${TRACE}.go; do sleep 0.05; done`),
  check(`tail -n 1 ${TRACE} | grep -x started`),
];

const trace = ({ site }: Scene): string => linesOf(join(site.checkout, TRACE)).join("\n");

async function handOver(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say(
    "The same restart, on a flow engine. It runs the very script that `src/execution/flow` pushes to a real one.",
  );
  const body = contract(scene, "restart-2", {
    intent: "restart",
    target: { ...scene.site.target, environment: "engine" },
    delegation_mode: "teach_if_unknown",
    execution_backend: "flowengine",
    constraints: constraints(["cmd:test", "cmd:sleep", "cmd:tail", "cmd:grep"]),
    success_criteria: ["what happened last is a start"],
  });
  const sent = ["task_id", "intent", "execution_backend"];
  await supervisor.post("/v1/tasks", body, { sent, shown: ["label", "outcome.reason_code"] });
  const lesson = { task_id: "restart-2", steps: STEPS };
  await supervisor.post("/v1/teach", lesson, { shown: ["task.status"] });
}

async function killMeanwhile(scene: Scene): Promise<void> {
  const { story, server, site } = scene;
  for (let looks = 0; !trace(scene).endsWith("started"); looks += 1) {
    if (looks > 500) throw new Error("step 1 did not begin");
    await sleep(20);
  }
  story.say("Step 1 is at work there. Now, here: kill -9. The engine does not notice, and goes on.");
  await server.kill();
  writeFileSync(join(site.checkout, `${TRACE}.go`), "");
}

async function findAgain(scene: Scene): Promise<void> {
  const { story, supervisor, server, engine } = scene;
  story.say("The next server has the id of the job from its journal, and asks the engine what became of it.");
  await server.start();
  const { body: task } = await supervisor.get("/v1/tasks/restart-2?wait_seconds=30", [
    ...TASK,
    ...within("steps.*", ["index", "kind", "status"]),
  ]);
  story.file(TRACE, trace(scene));
  story.expectThat(task.label === "DONE", "the check has run and passed there: DONE, and nobody was asked");
  story.expectThat(trace(scene) === "stopped\nstarted", `${TRACE} has one line of each: nothing ran twice`);
  story.expectThat(engine.counts().accepted === 1, "the engine was given one job");
}
