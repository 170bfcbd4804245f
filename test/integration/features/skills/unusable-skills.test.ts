// A skill that cannot be used any more: its new tasks are blocked, those that have begun wait, and others run (D-271).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { skillsDirectory, withApproval } from "../../../support/skills.ts";

const handlerOf = (intent: string, body: string) =>
  withApproval(`export const HANDLED_INTENTS = ["${intent}"];
export async function handle(ctx, task) { ${body} }`);
const DONE = 'return { status: "ok", code: "done", message: "Done." };';
const ASKS = `
  await ctx.step("look", async () => 1, "repeat");
  const id = await requestApproval(ctx, { action: "Dim", details: ["dim it"], data: {} });
  const decided = await waitForApproval(ctx, id);
  if (decided.status !== "approved") return notApproved(decided);
  ${DONE}`;
const contract = { delegation_mode: "known_only", target: {}, success_criteria: [] };

test("a task of a skill that cannot be used is blocked with the reason, and the skill beside it runs", async () => {
  await using skills = await skillsDirectory({
    lamps: 'export const HANDLED_INTENTS = ["dim"];\nexport const = 1;',
    bells: handlerOf("ring", DONE),
  });
  await using engine = await openEngine({ env: { ORCH_CAPABILITIES: skills.path } });
  expect(await engine.submit({ ...contract, task_id: "dim", intent: "dim" })).toMatchObject({
    status: "blocked",
    outcome: {
      reason_code: "skill_unusable",
      message: expect.stringMatching(/^The skill lamps cannot be used: .*handler\.ts:2: cannot be loaded: Unexpected/),
    },
  });
  const agent = { ...contract, delegation_mode: "agent", payload: { goal: "dim it" }, success_criteria: ["it is dim"] };
  expect(await engine.submit({ ...agent, task_id: "agent", intent: "dim" })).toMatchObject({
    outcome: { reason_code: "skill_unusable" },
  });
  expect(await engine.submit({ ...contract, task_id: "ring", intent: "ring" })).toMatchObject({ status: "ok" });
});

test("a task that has begun waits until its skill is repaired, and then goes on where it was", async () => {
  const handler = handlerOf("dim", ASKS);
  await using skills = await skillsDirectory({ lamps: handler });
  const file = join(skills.path, "lamps/handler.ts");
  const env = { ORCH_CAPABILITIES: skills.path };
  await using first = await openEngine({ env });
  const { directory } = first;
  await first.submit({ ...contract, task_id: "dim", intent: "dim" });
  const { approval_id } = await first.approvalOf("dim");
  await first.shutDown();

  await writeFile(file, `${handler} (`);
  await using second = await openEngine({ env, directory });
  const { task } = await second.call("approve", { approval_id, decision: "approve", wait_seconds: 20 });
  expect(task).toMatchObject({
    status: "need_input",
    waiting: { kind: "parked" },
    outcome: { reason_code: "parked", message: expect.stringContaining("The skill lamps cannot be used: ") },
    next: [{ operation: "resolve_step", arguments: { task_id: "dim", resolution: "retry" } }, {}, {}],
  });
  await second.shutDown();

  await writeFile(file, handler);
  await using third = await openEngine({ env, directory });
  const resolved = await third.call("resolve_step", { task_id: "dim", resolution: "retry", wait_seconds: 20 });
  expect(resolved).toMatchObject({ status: "ok", outcome: { skill_code: "done" } });
});

test("a secret that a handler throws while it is loaded is in no answer", async () => {
  await using skills = await skillsDirectory({
    lamps:
      'export const HANDLED_INTENTS = ["dim"];\nthrow new Error("refused: Authorization: Bearer abcdefghij0123456789abcdefghij");',
  });
  await using engine = await openEngine({ env: { ORCH_CAPABILITIES: skills.path } });
  const view = await engine.submit({ ...contract, task_id: "dim", intent: "dim" });
  expect(view).toMatchObject({ outcome: { reason_code: "skill_unusable" } });
  expect(JSON.stringify(view)).not.toContain("abcdefghij0123456789");
});
