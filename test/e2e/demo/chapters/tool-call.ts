// A step calls a tool of another server and gets no answer. It is not called a second time.
import { linesOf } from "../../../support/orch-process.ts";
import { type Chapter, check, constraints, contract, type Scene } from "../scene.ts";
import { TASK } from "../supervisor.ts";

export const toolCall: Chapter = {
  title: "A tool server does not answer",
  play: async (scene) => {
    await askForANote(scene);
    await teachTheCall(scene);
    await resolve(scene);
  },
};

const STEPS = [
  {
    kind: "mcp_call",
    server: "notes",
    tool: "create_note",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter is spelled that way
    arguments: { title: "${payload.change}" },
  },
  check("test -s notes.txt"),
];

const notes = ({ notes: { file } }: Scene): string => linesOf(file).join("\n");

async function askForANote(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say(
    "A change is to be written down by another program: a tool server, set with MCP_NOTES_URL and nothing else.",
  );
  const body = contract(scene, "note-1", {
    intent: "record_to_notes",
    target: { service: "diary" },
    delegation_mode: "teach_if_unknown",
    constraints: constraints(["notes", "cmd:test"]),
    success_criteria: ["the change is written down"],
    payload: { change: "version 3 is live" },
  });
  const sent = ["task_id", "intent", "constraints.implicit_scope", "payload"];
  await supervisor.post("/v1/tasks", body, { sent, shown: ["label", "outcome.reason_code"] });
}

async function teachTheCall(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  story.say("The tool server writes the note and then hangs up.");
  const lesson = { task_id: "note-1", steps: STEPS, wait_seconds: 30 };
  const shown = TASK.map((field) => `task.${field}`);
  const { body } = await supervisor.post("/v1/teach", lesson, { shown });
  const { outcome } = body.task;
  story.expectThat(
    outcome.reason_code === "step_outcome_unknown",
    "orch cannot know whether the note was written: it asks",
  );
  story.file("notes.txt", notes(scene));
  story.expectThat(notes(scene) === "version 3 is live", "the note is there, once, with the title from the payload");
}

async function resolve(scene: Scene): Promise<void> {
  const { story, supervisor } = scene;
  const answer = { resolution: "succeeded", reason: "the note is there", wait_seconds: 30 };
  const { body: task } = await supervisor.post("/v1/tasks/note-1/resolve", answer, { shown: TASK });
  story.expectThat(task.label === "DONE", "the check has found it: DONE");
  story.expectThat(notes(scene) === "version 3 is live", "the tool was not called a second time");
}
