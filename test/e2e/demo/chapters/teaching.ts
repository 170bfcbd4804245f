// Teaching: one check step per success criterion, then the steps run and prove themselves.
import { within } from "../readable.ts";
import { CHECK_HEAD, CHECK_PAGE, type Chapter, PUBLISH, PUBLISHED, PULL, type Scene } from "../scene.ts";
import { PROBLEM, TASK } from "../supervisor.ts";

export const teaching: Chapter = {
  title: "It is taught, and what it was taught must prove itself",
  play: async (scene) => {
    await forgetACriterion(scene);
    await teachProperly(scene);
    await lookForOneself(scene);
  },
};

async function forgetACriterion({ story, supervisor }: Scene): Promise<void> {
  story.say("The contract names two success criteria. The first lesson forgets to check the second one:");
  const lesson = { task_id: "deploy-1", steps: [PULL, PUBLISH, CHECK_HEAD] };
  const { status, body } = await supervisor.post("/v1/teach", lesson, { shown: PROBLEM });
  story.expectThat(status === 422 && body.code === "sop_steps_invalid", "the lesson is refused");
  story.expectThat(body.issues[0].message.includes(PUBLISHED), "the criterion that nobody would check is named");
  const { body: task } = await supervisor.look("/v1/tasks/deploy-1");
  story.expectThat(task.status === "need_input", "the task still waits");
}

async function teachProperly({ story, supervisor }: Scene): Promise<void> {
  story.say(
    "Now with a check for each. A check passes when it exits 0. Steps are not templates: they run in the compose_dir of the target and read the rest of it from variables such as $ORCH_TARGET_WEB_ROOT.",
  );
  const lesson = { task_id: "deploy-1", steps: [PULL, PUBLISH, CHECK_HEAD, CHECK_PAGE], wait_seconds: 30 };
  const steps = within("task.steps.*", ["index", "kind", "status", "exit_code", "duration_ms"]);
  const checks = within("task.checks.*", ["step_index", "proof", "seen_red", "change"]);
  const { body } = await supervisor.post("/v1/teach", lesson, {
    shown: [...within("task", TASK), ...steps, ...checks],
  });
  story.expectThat(body.task.label === "DONE", "the task is DONE");
  const passed = body.task.steps.every((step: { exit_code: number }) => step.exit_code === 0);
  story.expectThat(passed, "every step exited 0, the two checks among them");
  const became_true = body.task.checks.every(
    (each: { change: string; proof: string }) => each.proof === "proved" && each.change === "became_true",
  );
  story.expectThat(became_true, "orch had run both checks before step 0 too: they failed then, so they are proved");
}

async function lookForOneself({ story, supervisor, site }: Scene): Promise<void> {
  story.say(
    "The answer says what may be done next, so the supervisor looks at the page as a visitor would, and records what it saw.",
  );
  const page = (await site.visit()).trim();
  story.expectThat(page.includes("version 1"), `${site.url} shows ${page}`);
  const { body } = await supervisor.post(
    "/v1/tasks/deploy-1/verification",
    { verified: true, source: site.url },
    { shown: ["status", "verification"] },
  );
  story.expectThat(body.verification.verified === true, "the supervisor's own finding is on record");
}
