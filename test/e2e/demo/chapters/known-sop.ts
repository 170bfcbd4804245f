// The same intent on the same target again: the active SOP runs, without a question to a human or a model.
import { type Chapter, contract } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const knownSop: Chapter = {
  title: "From now on it is known",
  play: async (scene) => {
    const { story, supervisor, site } = scene;
    story.say(
      "A colleague pushes version 2 of the page. The supervisor submits the same contract under a new id, this time known_only: an unknown procedure would be blocked, not taught.",
    );
    await site.push("<h1>Hello, version 2</h1>");
    const { body: task } = await supervisor.post("/v1/tasks", contract(scene, "deploy-2"), {
      sent: ["task_id", "intent", "target", "delegation_mode"],
      shown: [...TASK, "sop_version"],
    });
    story.expectThat(task.label === "DONE" && task.sop_version === 1, "DONE, by version 1 of the procedure");
    const { body: evidence } = await supervisor.look("/v1/tasks/deploy-2/evidence");
    const silent = evidence.approvals.length === 0 && evidence.gate_answers.length === 0;
    story.expectThat(silent, "nobody was asked: no approval, no question to a model");
    story.expectThat((await site.visit()).includes("version 2"), `${site.url} shows version 2`);
  },
};
