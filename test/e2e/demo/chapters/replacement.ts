// update_sop: the old version steps aside, the new one needs an approval, and both are kept.
import { within } from "../readable.ts";
import {
  CHECK_HEAD,
  CHECK_PAGE,
  type Chapter,
  check,
  cmd,
  constraints,
  contract,
  PUBLISH,
  PULL,
  type Scene,
} from "../scene.ts";
import { TASK } from "../supervisor.ts";

const NAME_COMMIT = cmd('git rev-parse HEAD > "$ORCH_TARGET_WEB_ROOT/version.txt"');
const CHECK_COMMIT = check(
  'head=$(git rev-parse HEAD) && named=$(cat "$ORCH_TARGET_WEB_ROOT/version.txt") && test "$named" = "$head"',
);

/** What deploys and what checks it, apart from the step between them, which the next version gets wrong. */
export const PUBLISHES = [PULL, PUBLISH];
export const CHECKS = [CHECK_HEAD, CHECK_PAGE, CHECK_COMMIT];

export const replacement: Chapter = {
  title: "A procedure is replaced, not edited",
  play: async (scene) => {
    await replace(scene);
    await compare(scene);
    await deployAgain(scene);
  },
};

async function replace(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say(
    "Next time it should be plain which commit is published. The supervisor proposes a new deploy, with one step and one check more.",
  );
  const steps = [...PUBLISHES, NAME_COMMIT, ...CHECKS];
  const body = contract(scene, "update-1", {
    intent: "update_sop",
    success_criteria: [],
    payload: { intent: "deploy", steps },
  });
  const sent = ["task_id", "intent", "payload"];
  const { body: asked } = await supervisor.post("/v1/tasks", body, { sent, shown: TASK });
  story.expectThat(asked.outcome.reason_code === "replacement_pending", "the replacement waits for approval");
  await supervisor.post("/v1/approve", { decision: "approve", task_id: "update-1" }, { shown: ["kind", "status"] });
  const { body: done } = await supervisor.get("/v1/tasks/update-1?wait_seconds=30", TASK);
  story.expectThat(done.label === "DONE", "approved: DONE");
}

async function compare({ story, supervisor }: Scene): Promise<void> {
  const { body } = await supervisor.get("/v1/sops?intent=deploy", within("sops.*", ["sop_id", "version", "status"]));
  const [newer, older] = body.sops;
  story.expectThat(newer.version === 2 && newer.status === "active", "version 2 is active");
  story.expectThat(older.version === 1 && older.status === "deprecated", "version 1 is deprecated, and kept");
  const { body: compared } = await supervisor.get(`/v1/sops/${newer.sop_id}?diff_to=${older.sop_id}`, ["diff"]);
  const added = compared.diff.includes(`+    value: ${NAME_COMMIT.value}`);
  story.expectThat(
    added && compared.diff.includes(`+    value: ${CHECK_COMMIT.value}`),
    "the diff shows both new steps",
  );
}

async function deployAgain(scene: Scene): Promise<void> {
  const { story, supervisor, site } = scene;
  story.say("The new check runs cat, so the next contract has to allow it.");
  const limits = constraints(["cmd:git", "cmd:cp", "cmd:cmp", "cmd:cat"]);
  const { body: asked } = await supervisor.post("/v1/tasks", contract(scene, "deploy-4", { constraints: limits }), {
    sent: ["task_id", "intent", "constraints"],
    shown: ["label", "outcome.message"],
  });
  story.expectThat(
    asked.outcome.findings[0].code === "safety.on_trial",
    "no run has proved version 2 yet, so it is on trial: its first run asks",
  );
  await supervisor.post("/v1/approve", { decision: "approve", task_id: "deploy-4" }, { shown: ["kind", "status"] });
  const { body: task } = await supervisor.get("/v1/tasks/deploy-4?wait_seconds=30", [...TASK, "sop_version"]);
  story.expectThat(task.label === "DONE" && task.sop_version === 2, "DONE, by version 2: its trial is over");
  story.expectThat((await site.visit()).includes("version 3"), `${site.url} shows version 3 again`);
}
