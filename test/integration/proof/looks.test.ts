// What a task says of its checks, with every look on: before the change, with a decoy, and in an empty world (D-193, D-194).
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine } from "../../support/looking-engine.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

type Task = { readonly task_id: string; readonly target: Record<string, string>; readonly over?: object };

async function taught({ task_id, target, over = {} }: Task, steps: readonly object[]) {
  await engine.submit({ task_id, target, ...over });
  return engine.call("teach", { task_id, steps, wait_seconds: 40 });
}

const REACH = cmd('echo "version 2" > release.txt');
const HONEST = check('grep -q "version 2" release.txt');

describe("a task with looks", () => {
  test("proves a check that was red before the change and is green after it", async () => {
    const target = await engine.aTarget();
    const { task, warnings } = await taught({ task_id: "became-true", target }, [REACH, HONEST]);
    expect(task).toMatchObject({ status: "ok", outcome: { message: "1 check passed." } });
    expect(task.checks).toMatchObject([{ proof: "proved", change: "became_true", passed: true }]);
    expect(task.checks[0].seen_red).toContain("before");
    expect(warnings).toEqual([]);
    const bundle = await engine.call("get_evidence", { task_id: "became-true" });
    expect(verifyBundle(bundle)).toMatchObject({ faults: [] });
    bundle.verdict.checks[0].proof.class = "unproved";
    expect(verifyBundle(bundle).faults).not.toEqual([]);
  });

  test("says of the next run that the check was true already, and that it is proved by history", async () => {
    const target = await engine.aTarget();
    await taught({ task_id: "first", target }, [REACH, HONEST]);
    const over = { delegation_mode: "teach_if_unknown" };
    const { task } = await taught({ task_id: "second", target, over }, [REACH, HONEST]);
    expect(task.outcome.message).toBe("1 check passed. It was true already before the change.");
    expect(task.checks).toMatchObject([{ proof: "proved", change: "was_true_already" }]);
    expect(task.checks[0].seen_red).toContain("history");
  });

  test("ends ok and says that its checks have never been seen to fail, with the usual mend", async () => {
    const target = await engine.aTarget();
    const steps = [
      cmd("echo hi > x"),
      check('test "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)"'),
      check("! docker ps | grep -q Restarting"),
    ];
    const over = { success_criteria: ["the checkout is at origin/main", "no container restarts"] };
    const { task, warnings } = await taught({ task_id: "vacuous", target, over }, steps);
    expect(task.status).toBe("ok");
    expect(task.outcome.message).toContain("have never been seen to fail");
    expect(task.checks.map(({ seen_red }: { seen_red: string[] }) => seen_red)).toEqual([[], []]);
    expect(warnings[0]).toMatchObject({
      step_index: 1,
      mends: [{ text: 'x=$(git rev-parse HEAD) && y=$(git rev-parse origin/main) && test "$x" = "$y"' }],
    });
  });

  test("refuses to be taught a check that cannot fail, and names its mend", async () => {
    const task_id = "constant";
    await engine.submit({ task_id, target: await engine.aTarget() });
    for (const text of ['test -n "$ORCH_TARGET_SERVICE"', "grep -q x release.txt || true"]) {
      const error = await engine.refusal("teach", { task_id, steps: [REACH, check(text)] });
      expect(error.code).toBe("sop_steps_invalid");
      expect(error.message).toContain("check step 1 cannot fail: ");
      if (text.includes("||")) expect(error.message).toContain("; instead: grep -q x release.txt");
    }
  });

  test("offers no mend that is green in its own control", async () => {
    const target = await engine.aTarget();
    const { warnings } = await taught({ task_id: "no-mend", target }, [REACH, check('[ "$(seq 3 | wc -l)" -lt 5 ]')]);
    expect(warnings).toMatchObject([{ proof: "unproved", mends: [] }]);
  });

  test("explain tries the checks of given steps where it is asked to, and none where policy blocks a step", async () => {
    const contract = contractBody({ target: await engine.aTarget() });
    const explained = async (first: object, try_checks: boolean) =>
      (await engine.call("explain", { contract, steps: [first, check("test -d /")], try_checks })).warnings;
    expect(await explained(REACH, true)).toMatchObject([{ step_index: 1, proof: "unproved" }]);
    expect(await explained(REACH, false)).toEqual([]);
    expect(await explained(cmd("rm -rf /"), true)).toEqual([]);
  });

  test("hands what a check printed before the change to its run after", async () => {
    const target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "started_at"), "1\n");
    const restarted = check('at=$(cat started_at) && echo "$at" && test "$at" != "$ORCH_BEFORE"');
    const { task } = await taught({ task_id: "restarted", target }, [cmd("echo 2 > started_at"), restarted]);
    expect(task).toMatchObject({ status: "ok", checks: [{ change: "compared", proof: "proved" }] });
    const { task: same } = await taught({ task_id: "not-restarted", target }, [cmd("touch started_at"), restarted]);
    expect(same).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed" } });
  });

  test("does not look where a plan changes nothing, and not at a check that opts out", async () => {
    const target = await engine.aTarget();
    const counted = (name: string) => check(`${HONEST.value} # ${name}\n# orch: once`);
    const { task } = await taught({ task_id: "once", target }, [REACH, counted("a")]);
    expect(task.checks).toMatchObject([{ change: "not_looked_at" }]);
    const { task: looking } = await taught({ task_id: "looking", target, over: { intent: "triage" } }, [HONEST]);
    expect(looking.checks).toMatchObject([{ change: "not_looked_at" }]);
  });

  test("examines the same check of the same target once", async () => {
    const target = await engine.aTarget();
    await taught({ task_id: "kept-1", target }, [REACH, HONEST]);
    const kept = await engine.database.client.checkLook.count({ where: { kind: "examination" } });
    await taught({ task_id: "kept-2", target }, [REACH, HONEST]);
    expect(await readFile(join(target.compose_dir, "release.txt"), "utf8"), "no look wrote there").toBe("version 2\n");
    expect(await engine.database.client.checkLook.count({ where: { kind: "examination" } })).toBe(kept);
  });
});

test("a task that stops after its looks keeps them and does not look again", async () => {
  await using stopped = await openLookingEngine({ ORCH_DRAIN_SECONDS: "0" });
  const steps = [stopped.holding("stopped"), check("test -e stopped.begun")];
  await stopped.run("stopped", { success_criteria: ["it began"] });
  await stopped.call("teach", { task_id: "stopped", steps });
  await stopped.begun("stopped");
  await stopped.shutDown();
  await using again = await openLookingEngine({}, stopped.directory);
  expect(await again.outcomeOf("stopped")).toMatchObject({ status: "need_input" });
  await again.call("resolve_step", { task_id: "stopped", resolution: "succeeded" });
  const task = await again.outcomeOf("stopped");
  expect(task).toMatchObject({ status: "ok", checks: [{ proof: "proved", change: "became_true" }] });
  const { events } = await again.call("read_journal", { task_id: "stopped", limit: 100 });
  expect(events.filter(({ kind }: { kind: string }) => kind === "checks_looked_at")).toHaveLength(1);
});
