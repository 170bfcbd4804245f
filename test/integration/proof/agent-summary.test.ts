// The list of tasks says what the checks of an agent are worth, and its evidence proves it.
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, done, openAgentWorld, run } from "../../support/agent-engine.ts";
import { calls } from "../../support/agent-model.ts";

const CHECK = 'grep -q "port=8080" app.conf';

test("the outcome of an agent counts its checks by class, and a better count is found out", async () => {
  const script = [calls(check(CHECK)), calls(run("echo port=8080 > app.conf")), calls(check(CHECK)), done([1, CHECK])];
  await using world = await openAgentWorld((_request, turn) => script[turn - 1] ?? done([1, CHECK]), {
    env: { BEFORE_LOOK: "on", CHECK_LOOKS: "on" },
  });
  await using engine = await world.open();
  const contract = world.contract({ success_criteria: ["the port is 8080"] });
  const task = await engine.call("submit_task", { ...contract, wait_seconds: 40 });
  expect(task).toMatchObject({ status: "ok" });
  const { tasks } = await engine.call("list_tasks", {});
  expect(tasks[0].outcome.proof).toMatchObject({ checks: 1, proved: 1, became_true: 1 });
  const bundle = JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id: "task" })));
  expect(verifyBundle(bundle).faults).toEqual([]);
  bundle.outcome.proof.proved = 2;
  bundle.journal.at(-1).body.proof.proved = 2;
  expect(verifyBundle(bundle).faults).toContain("outcome.proof does not follow from the verdict: proved.");
});
