// What policy blocks: outside the scope of the contract, and what is never allowed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../../../support/orch-process.ts";
import { within } from "../readable.ts";
import { type Chapter, check, cmd, constraints, contract, type Scene } from "../scene.ts";
import { PROBLEM, TASK } from "../supervisor.ts";

export const blocked: Chapter = {
  title: "What the contract does not cover is blocked",
  play: async (scene) => {
    await teachAhead(scene);
    await leaveTheScope(scene);
    await askForTheForbidden(scene);
  },
};

const INTENT = "record_to_notes";
const WRITTEN = "the last change is written down";
const WRITE_DOWN = cmd("git log -1 --format=%s > last-change.txt");
const CHECK_WRITTEN = check('change=$(git log -1 --format=%s) && test "$(<last-change.txt)" = "$change"');
const TELL_NOTES = {
  kind: "mcp_call",
  server: "notes",
  tool: "create_note",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter is spelled that way
  arguments: { title: "${target.service}" },
};

async function teachAhead({ story, supervisor, site }: Scene): Promise<void> {
  story.say(
    "A procedure can also be taught ahead, without a task. Nothing has proved it then, so it stays a candidate until someone agrees. The second step of this one calls a tool of the server notes.",
  );
  const steps = [WRITE_DOWN, TELL_NOTES, CHECK_WRITTEN];
  const lesson = { intent: INTENT, target: site.target, steps, criteria: { [WRITTEN]: 2 } };
  const { body: taught } = await supervisor.post("/v1/teach", lesson, {
    sent: ["intent", "steps", "criteria"],
    shown: within("sop", ["status", "version", "success_count"]),
  });
  const pending = `/v1/approvals?status=pending&thread_id=promotion/${taught.sop.sop_id}`;
  const { body } = await supervisor.getUntil(
    pending,
    canBeDecided,
    within("approvals.*", ["kind", "status", "content.intent"]),
  );
  const [{ approval_id }] = body.approvals;
  story.say("The decision names the approval:");
  const decision = { approval_id, decision: "approve" };
  await supervisor.post("/v1/approve", decision, { shown: ["kind", "status", "content.intent"] });
  const active = `/v1/sops?intent=${INTENT}&status=active`;
  await supervisor.getUntil(active, ({ body }) => body.sops.length === 1, within("sops.*", ["intent", "status"]));
}

const canBeDecided = ({ body }: Answer): boolean =>
  body.approvals.some((each: { interrupt_id: string | null }) => each.interrupt_id !== null);

async function leaveTheScope(scene: Scene): Promise<void> {
  const { story, supervisor, site } = scene;
  story.say("Now a contract whose implicit_scope allows git and nothing else:");
  const body = contract(scene, "record-1", {
    intent: INTENT,
    constraints: constraints(["cmd:git"]),
    success_criteria: [WRITTEN],
  });
  const { body: task } = await supervisor.post("/v1/tasks", body, {
    sent: ["task_id", "intent", "delegation_mode", "constraints"],
    shown: [...TASK, ...within("outcome.findings.*", ["step_index", "verdict", "code"])],
  });
  const [finding] = task.outcome.findings;
  story.expectThat(task.label === "BLOCKED", "the task is BLOCKED");
  story.expectThat(finding.code === "scope.server" && finding.step_index === 1, "the rule and the step are named");
  const ran = existsSync(join(site.checkout, "last-change.txt"));
  story.expectThat(!ran, "the whole plan is judged before its first step: not even step 0 has run");
}

async function askForTheForbidden(scene: Scene): Promise<void> {
  const { story, supervisor, site } = scene;
  story.say("Some commands are never allowed, whatever the scope and whoever agrees. They cannot even be taught:");
  const steps = [cmd("cd . && git reset --hard origin/main"), check("git diff --quiet origin/main")];
  const lesson = { intent: "restart", target: site.target, steps };
  const refused = await supervisor.post("/v1/teach", lesson, { sent: ["intent", "steps"], shown: PROBLEM });
  const [issue] = refused.body.issues;
  story.expectThat(refused.status === 422 && issue.path === "steps.0", "the lesson is refused, and the step is named");
  story.expectThat(issue.message.startsWith("git.reset_hard"), "so is the rule");

  story.say("The same question can be asked without teaching or running anything:");
  const { wait_seconds: _, ...restart } = contract(scene, "restart-0", { intent: "restart" });
  const shown = ["would", ...within("steps.*", ["command", "verdict", "findings.*.code"])];
  const sent = ["contract.intent", "steps"];
  const { body } = await supervisor.post("/v1/explain", { contract: restart, steps }, { sent, shown });
  story.expectThat(
    body.would === "block" && body.steps[0].verdict === "block",
    "it would be blocked, because of step 0",
  );
  story.expectThat((await supervisor.look("/v1/tasks/restart-0")).status === 404, "no task has come of the question");
}
