// require_approval_for: the routing model matches steps to categories; without it, orch rather asks.
import { within } from "../readable.ts";
import { type Chapter, constraints, contract, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const approval: Chapter = {
  title: "Some things need a human every time",
  play: async (scene) => {
    const { site } = scene;
    await site.push("<h1>Hello, version 3</h1>");
    await beAsked(scene);
    await approve(scene);
  },
};

async function beAsked(scene: Scene): Promise<void> {
  const { story, supervisor, site } = scene;
  story.say(
    "Version 3 is pushed, and this contract lists a category in require_approval_for. Whether a step falls into it is a question to the routing model. There is none here, so the fallback decides, and the fallback is to ask.",
  );
  const limits = constraints(["cmd:git", "cmd:cp", "cmd:cmp"], ["changes what visitors see"]);
  const { body: task } = await supervisor.post("/v1/tasks", contract(scene, "deploy-3", { constraints: limits }), {
    sent: ["task_id", "intent", "delegation_mode", "constraints"],
    shown: TASK,
  });
  story.expectThat(task.label === "NEED_APPROVAL", "the task waits for approval");
  const waits = task.steps.every((step: { status: string }) => step.status === "pending");
  story.expectThat(waits, "none of its steps has started");
  story.expectThat((await site.visit()).includes("version 2"), `${site.url} still shows version 2`);
}

async function approve({ story, supervisor, site }: Scene): Promise<void> {
  story.say("One approval covers the plan. Each finding in it names the step that it is about:");
  const finding = within("content.findings.*", ["step_index", "verdict", "code", "command"]);
  const shown = within("approvals.*", ["approval_id", "status", "reason", ...finding, "digest"]);
  const { body: list } = await supervisor.get("/v1/approvals?thread_id=deploy-3", shown);
  story.expectThat(list.approvals.length === 1, "there is one approval for the whole plan");
  const [{ approval_id, digest }] = list.approvals;
  await supervisor.post("/v1/approve", { decision: "approve", approval_id, digest }, { shown: ["status"] });
  const { body: task } = await supervisor.get("/v1/tasks/deploy-3?wait_seconds=30", TASK);
  story.expectThat(task.label === "DONE", "approved, run, DONE");
  story.expectThat((await site.visit()).includes("version 3"), `${site.url} shows version 3`);
}
