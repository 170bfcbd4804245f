// What a check is worth (D-193): one that cannot fail is refused, and one that also passes on an empty machine is named.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Answer } from "../../../support/orch-process.ts";
import { within } from "../readable.ts";
import { type Chapter, check, cmd, constraints, contract, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const proof: Chapter = {
  title: "A check proves nothing until it has been seen to fail",
  play: async (scene) => {
    scene.story.say(
      "Not every check is worth as much as the two of deploy-1. Another service, api, is to be restarted. Its directory is empty: nothing has been checked out there.",
    );
    await submit(scene, "api-1");
    await checkWhatIsAlwaysTrue(scene);
    await checkAnEmptyDirectory(scene);
    await refuseIt(scene);
    await submit(scene, "api-2");
    await checkWithTheMend(scene);
  },
};

const START = cmd("echo started >> api.log");
const CONSTANT = check('test -n "$ORCH_TARGET_SERVICE"');
const BOTH_FAIL = check('test "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)"');
const MENDED = check('x=$(git rev-parse HEAD) && y=$(git rev-parse origin/main) && test "$x" = "$y"');

async function submit(scene: Scene, task_id: string): Promise<void> {
  const compose_dir = join(scene.site.checkout, "../api");
  await mkdir(compose_dir, { recursive: true });
  const body = contract(scene, task_id, {
    intent: "restart",
    target: { service: "api", compose_dir },
    delegation_mode: "teach_if_unknown",
    constraints: constraints(["cmd:git"]),
    success_criteria: ["it runs from the head of main"],
  });
  const sent = ["task_id", "intent", "target", "success_criteria"];
  await scene.supervisor.post("/v1/tasks", body, { sent, shown: ["label", "outcome.reason_code"] });
}

async function checkWhatIsAlwaysTrue({ story, supervisor }: Scene): Promise<void> {
  story.say("The first lesson checks a value that the contract itself has set:");
  const lesson = { task_id: "api-1", steps: [START, CONSTANT] };
  const { status, body } = await supervisor.post("/v1/teach", lesson, { shown: ["code", "detail"] });
  story.expectThat(status === 422 && body.code === "sop_steps_invalid", "a check that cannot fail is refused");
  story.expectThat(body.detail.includes("which is 0 on any machine"), "the sentence says why it cannot");
}

/** Resolves with false on a machine where no empty world can be made. */
async function checkAnEmptyDirectory({ story, supervisor }: Scene): Promise<boolean> {
  story.say(
    "The second lesson has a check that many would write. Without a repository both commands fail, and what they print is equal: nothing. orch runs each check in an empty world too, in which nothing of the target exists.",
  );
  const lesson = { task_id: "api-1", steps: [START, BOTH_FAIL], wait_seconds: 30 };
  const { body } = await supervisor.post("/v1/teach", lesson, {
    shown: [...within("task", ["label", "outcome.message"]), ...within("warnings.*", ["step_index", "proof", "mends"])],
  });
  const { task, warnings } = body;
  story.expectThat(task.label === "DONE", "the check has passed, so the task is DONE");
  story.expectThat(
    task.outcome.message.includes("never been seen to fail"),
    "DONE says that the check has never been seen to fail",
  );
  if (task.checks[0].proof === "not_possible") {
    story.say(
      "On this machine no empty world can be made (orch doctor says why), so orch cannot warn of such a check.",
    );
    return false;
  }
  const [warning] = warnings;
  story.expectThat(
    warning.proof === "unproved",
    "the lesson was accepted with a warning: it also passes in an empty world",
  );
  story.expectThat(
    warning.mends[0].text === MENDED.value,
    "the warning has the mend: what cannot be read fails the check",
  );
  return true;
}

async function refuseIt({ story, supervisor }: Scene): Promise<void> {
  story.say("The human who is asked whether these steps may be kept sees the warnings first, and refuses:");
  const shown = within("approvals.*", within("content.proof", ["level", "warnings"]));
  const { body } = await supervisor.getUntil("/v1/approvals?status=pending", canBeDecided, shown);
  const { approval_id, digest, content } = body.approvals[0];
  const warned = content.proof.warnings.some((each: string) => each.startsWith("Check step 1 is "));
  story.expectThat(warned, "the check is among the warnings of the promotion");
  const decision = { decision: "reject", approval_id, digest, reason: "its check proves nothing" };
  await supervisor.post("/v1/approve", decision, { sent: ["decision", "reason"], shown: ["kind", "status"] });
}

const canBeDecided = ({ body }: Answer): boolean =>
  body.approvals.some((each: { interrupt_id: string | null }) => each.interrupt_id !== null);

async function checkWithTheMend({ story, supervisor }: Scene): Promise<void> {
  story.say("The same steps with the mended check end as they should:");
  const lesson = { task_id: "api-2", steps: [START, MENDED], wait_seconds: 30 };
  const { body } = await supervisor.post("/v1/teach", lesson, {
    shown: within(
      "task",
      TASK.filter((field) => field !== "next"),
    ),
  });
  story.expectThat(body.task.label === "FAILED", "nothing is checked out, and the check says so: FAILED");
}
