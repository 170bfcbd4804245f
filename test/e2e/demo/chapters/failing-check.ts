// A check that fails ends the task failed, with evidence that can be checked without orch.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brokenLink } from "../../../../src/domain/journal.ts";
import { within } from "../readable.ts";
import { CHECK_PAGE, type Chapter, contract, PUBLISHED, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const failingCheck: Chapter = {
  title: "What fails is reported as failed, with evidence",
  play: async (scene) => {
    await checkHealth(scene);
    await readEvidence(scene);
  },
};

async function checkHealth(scene: Scene): Promise<void> {
  const { story, supervisor, site } = scene;
  story.say(
    "Someone edits the published page by hand. A health check, taught on the spot, compares it with the checkout.",
  );
  await writeFile(join(site.web_root, "index.html"), "<h1>Hello, I was here</h1>\n");
  const body = contract(scene, "health-1", {
    intent: "health_check",
    delegation_mode: "teach_if_unknown",
    success_criteria: [PUBLISHED],
  });
  const sent = ["task_id", "intent", "delegation_mode", "success_criteria"];
  await supervisor.post("/v1/tasks", body, { sent, shown: ["label", "outcome.reason_code"] });
  const lesson = { task_id: "health-1", steps: [CHECK_PAGE], wait_seconds: 30 };
  const { body: ended } = await supervisor.post("/v1/teach", lesson, { shown: within("task", TASK) });
  story.expectThat(ended.task.label === "FAILED", "the task has FAILED");
  story.expectThat(ended.task.outcome.message.includes(PUBLISHED), "the criterion that does not hold is named");
}

async function readEvidence({ story, supervisor }: Scene): Promise<void> {
  story.say(
    "So the supervisor reads the evidence. The routing model was to tell whether the error might pass by itself; without one the fallback is unknown, and nothing is tried twice.",
  );
  const { body: evidence } = await supervisor.get("/v1/tasks/health-1/evidence", [
    ...within("step_results.*", ["index", "status", "attempt", "exit_code", "stdout"]),
    ...within("gate_answers.*", ["question", "answer", "fallback"]),
    ...within("verdict", ["passed", "reason_code", "checks"]),
    ...within("journal.*", ["seq", "kind"]),
    "broken_link",
  ]);
  const [result] = evidence.step_results;
  story.expectThat(result.exit_code === 1 && result.stdout.includes("differ"), "there is the exit code and the output");
  story.expectThat(
    evidence.broken_link === null && brokenLink(evidence.journal) === null,
    `each of the ${evidence.journal.length} journal entries holds the hash of the one before; computed again here, they fit`,
  );
  const forged = structuredClone(evidence.journal);
  forged[4].at = "2001-01-01T00:00:00.000Z";
  story.expectThat(brokenLink(forged) === 5, "in a copy with the time of entry 5 changed, entry 5 does not fit");
}
