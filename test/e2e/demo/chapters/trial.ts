// A version that no run has proved is on trial (D-200): when its run fails, the version before is active again.
import { within } from "../readable.ts";
import { type Chapter, cmd, constraints, contract, type Scene } from "../scene.ts";
import { CHECKS, PUBLISHES } from "./replacement.ts";

export const trial: Chapter = {
  title: "A trial that fails gives the old version back",
  play: async (scene) => {
    await replaceByABadVersion(scene);
    await tryIt(scene);
    await readMessages(scene);
    await deployAgain(scene);
  },
};

const NAME_COMMIT_SHORT = cmd('git rev-parse --short HEAD > "$ORCH_TARGET_WEB_ROOT/version.txt"');
const limits = constraints(["cmd:git", "cmd:cp", "cmd:cmp", "cmd:cat"]);
const ENDED = ["label", "outcome.message", "sop_version"];

async function replaceByABadVersion(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say(
    "The name of a commit is long, so version 3 is to write its short form into version.txt. Its author forgets that the last check compares it with the long one. This is what the human is shown:",
  );
  const body = contract(scene, "update-2", {
    intent: "update_sop",
    success_criteria: [],
    payload: { intent: "deploy", steps: [...PUBLISHES, NAME_COMMIT_SHORT, ...CHECKS] },
  });
  await supervisor.post("/v1/tasks", body, { sent: ["task_id", "intent"], shown: ["label", "outcome.reason_code"] });
  const known = within("approvals.*.content.proof", ["level", "warnings", "diff"]);
  const { body: list } = await supervisor.get("/v1/approvals?thread_id=update-2", known);
  const { warnings } = list.approvals[0].content.proof;
  story.expectThat(
    warnings.includes("No run of it has passed yet."),
    "that it has never run is the first of the warnings",
  );
  await supervisor.post("/v1/approve", { decision: "approve", task_id: "update-2" }, { shown: ["kind", "status"] });
  const { body: done } = await supervisor.look("/v1/tasks/update-2?wait_seconds=30");
  story.expectThat(done.label === "DONE", "approved all the same: version 3 is active, on trial");
}

async function tryIt(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  const body = contract(scene, "deploy-5", { constraints: limits });
  const sent = ["task_id", "intent"];
  const { body: asked } = await supervisor.post("/v1/tasks", body, { sent, shown: ENDED });
  story.expectThat(asked.outcome.findings[0].code === "safety.on_trial", "its first run asks");
  await supervisor.post("/v1/approve", { decision: "approve", task_id: "deploy-5" }, { shown: ["kind", "status"] });
  const { body: task } = await supervisor.get("/v1/tasks/deploy-5?wait_seconds=30", ENDED);
  story.expectThat(task.label === "FAILED", "the check finds the mistake: FAILED");
  const shown = within("sops.*", ["version", "status", "level"]);
  const { body: list } = await supervisor.get("/v1/sops?intent=deploy", shown);
  const statusOf = (version: number) => list.sops.find((sop: { version: number }) => sop.version === version).status;
  story.expectThat(
    statusOf(3) === "deprecated" && statusOf(2) === "active",
    "version 2 is active again, as soon as the task has ended",
  );
}

async function readMessages({ story, supervisor }: Scene): Promise<void> {
  const { body } = await supervisor.look("/v1/messages?after=0&limit=500");
  const about = body.messages.find(
    ({ outcome }: { outcome: { reason_code: string } }) => outcome.reason_code === "sop_trial_failed",
  );
  story.say("It is also among the messages, for a supervisor that did not wait:");
  await supervisor.get(
    `/v1/messages?after=${about.cursor - 1}&limit=1`,
    within("messages.*.outcome", ["reason_code", "message"]),
  );
  story.expectThat(about.thread_id === "deploy-5", "the supervisor is sent a message of its own about the trial");
}

async function deployAgain(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  const body = contract(scene, "deploy-6", { constraints: limits });
  const { body: task } = await supervisor.post("/v1/tasks", body, { sent: ["task_id", "intent"], shown: ENDED });
  story.expectThat(
    task.label === "DONE" && task.sop_version === 2,
    "the next deploy runs version 2, which is proved and asks no question",
  );
}
