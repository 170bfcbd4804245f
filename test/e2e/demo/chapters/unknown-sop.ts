// An unknown procedure is asked for, not guessed.
import { type Chapter, contract } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const unknownSop: Chapter = {
  title: "What orch does not know, it asks for",
  play: async (scene) => {
    const { story, supervisor, site } = scene;
    story.say(
      `There is a git repository with one page, a checkout of it, and a web server at ${site.url} that has nothing to show yet. The supervisor wants the page deployed. Submitting a contract approves whatever is inside its implicit_scope, here three programs. How to deploy, nobody has told orch.`,
    );
    const body = contract(scene, "deploy-1", { delegation_mode: "teach_if_unknown" });
    const { body: task } = await supervisor.post("/v1/tasks", body, { shown: TASK });
    story.expectThat(task.outcome.reason_code === "sop_unknown", "the task waits to be taught");
    story.expectThat((await site.visit()).includes("nothing is published"), "nothing has run");
  },
};
