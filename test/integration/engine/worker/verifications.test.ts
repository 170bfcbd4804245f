// Checks of what is DONE by the diagnostic procedure that the contract names, on a whole engine whose clock is set.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let now = Date.parse("2026-12-01T08:00:00.000Z");
const clock = () => new Date(now);

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ clock });
});
afterAll(() => engine[Symbol.asyncDispose]());

const BY = { verify_by: "sop:health_check", verify_after_seconds: 600 };

type Steps = Parameters<Engine["learn"]>[2];
const OWN = [cmd("echo v1 > version"), check("test -s version")];

/** A task that has ended DONE, with the procedure that verifies it. */
async function done(name: string, verifying: Steps, over: Record<string, unknown> = {}) {
  const target = engine.targetOf(name);
  await engine.learn("deploy", target, OWN);
  if (verifying.length > 0) await engine.learn("health_check", target, verifying);
  const task = await engine.run(name, { target, ...BY, ...over });
  expect(task.label).toBe("DONE");
  return task;
}

/** The task once everything has been done that is due at that time. */
async function later(name: string, seconds: number) {
  now += seconds * 1000;
  await engine.armFeatures();
  await engine.outcomeOf(`${name}.verify`).catch(() => null);
  await engine.armFeatures();
  return engine.call("get_task", { task_id: name });
}

const missedOf = async (thread_id: string) => {
  const { messages } = await engine.call("list_messages", { limit: 500 });
  return messages.filter(
    (message: { thread_id: string; outcome: { reason_code: string } }) =>
      message.thread_id === thread_id && message.outcome.reason_code === "verification_missed",
  );
};

describe("a contract that names a diagnostic procedure", () => {
  test("is verified by it after its delay, and the record says by which version in which task", async () => {
    const task = await done("good", [check("grep -q v1 version")]);
    const { sops } = await engine.call("list_sops", {
      intent: "health_check",
      target_signature: task.target_signature,
    });
    const at = new Date(Date.parse(task.ended_at) + 600_000).toISOString();
    expect(task.verify).toEqual({
      by: "sop:health_check",
      task_id: "good.verify",
      at,
      owed_since: null,
      missed: null,
    });
    expect(task.next[0].text).toBe(`Nothing yet: sop:health_check verifies it as task good.verify, from ${at} on.`);
    expect((await later("good", 599)).verification, "too early").toBeNull();
    expect((await engine.refusal("get_task", { task_id: "good.verify" })).code).toBe("task_not_found");
    const { verification, next } = await later("good", 1);
    const verified_by = `sop:${sops[0].sop_id} v1`;
    expect(verification).toMatchObject({ verified: true, source: "sop:health_check", verified_by });
    expect(verification.evidence).toEqual({ task_id: "good.verify" });
    expect(next).toEqual([{ operation: null, arguments: {}, text: `Nothing: ${verified_by} has verified it.` }]);
    const { contract } = await engine.call("get_evidence", { task_id: "good.verify" });
    expect(contract).toMatchObject({
      intent: "health_check",
      target: engine.targetOf("good"),
      delegation_mode: "known_only",
      requested_by: "orch",
      requested_at: at,
    });
    const bundle = JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id: "good" })));
    expect(verifyBundle(bundle).faults).toEqual([]);
    const forged = { ...bundle, verification: { ...bundle.verification, verified_by: "sop:another v1" } };
    expect(verifyBundle(forged).faults).toEqual(["verification.verified_by is not what the journal gives."]);
  });

  test("is refuted by a check of it that fails, and the supervisor reads why", async () => {
    await done("bad", [check("grep -q v2 version")]);
    const { status, verification, next } = await later("bad", 600);
    expect([status, verification.verified]).toEqual(["ok", false]);
    expect(verification.note).toMatch(/^Check step 0 failed/);
    expect(next[0]).toMatchObject({ operation: "get_evidence", arguments: { task_id: "bad.verify" } });
  });

  test.each([
    ["no procedure is active", [], /^sop:health_check has not verified the task: No active SOP for health_check/],
    ["the program of its check is not there", [check("no-such-program-here")], /gave no verdict: .*\(check_failed\)$/],
    [
      "one of its commands fails, and no check",
      [cmd("ls /no/such/place"), check("grep -q v1 version")],
      /\(step_failed\)$/,
    ],
  ] as const)("gets no verdict and one message where %s", async (title, verifying, message) => {
    const name = `none-${title.length}`;
    await done(name, verifying as unknown as Steps);
    const task = await later(name, 600);
    await later(name, 3600);
    expect([task.verification, task.verify.missed]).toEqual([null, expect.stringMatching(message)]);
    expect(await missedOf(name)).toMatchObject([
      { outcome: { status: "blocked", message: task.verify.missed, next: [{ operation: "record_verification" }, {}] } },
    ]);
    expect(task.next.map(({ operation }: { operation: string }) => operation)).toEqual([null, "record_verification"]);
    const bundle = JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id: name })));
    expect(verifyBundle(bundle).faults).toEqual([]);
  });

  test("leaves the supervisor's own word as it is, and then does not look", async () => {
    await done("mine", [check("grep -q v2 version")]);
    await engine.call("record_verification", { task_id: "mine", verified: true, source: "my eyes" });
    expect((await later("mine", 600)).verification).toMatchObject({ verified: true, source: "my eyes" });
    expect((await engine.refusal("get_task", { task_id: "mine.verify" })).code).toBe("task_not_found");
  });

  test("is not verified by a procedure that has come to repeat the task's own checks, which then does not run", async () => {
    await done("again", []);
    await engine.learn("health_check", engine.targetOf("again"), [check(" test -s version")]);
    expect((await later("again", 600)).verify.missed).toMatch(/only repeats checks of the task's own procedure/);
    expect((await engine.refusal("get_task", { task_id: "again.verify" })).code).toBe("task_not_found");
  });

  test("takes no verdict of another task that has the id", async () => {
    await done("taken", [check("grep -q v1 version")]);
    await engine.run("taken.verify", {
      intent: "health_check",
      target: engine.targetOf("taken"),
      success_criteria: [],
    });
    expect((await later("taken", 600)).verify.missed).toMatch(/another task has the id taken.verify/);
  });
});

describe("submit_task refuses, and explain says so,", () => {
  const refused = async (name: string, over: Record<string, unknown>, by: string = "contract_invalid") => {
    const contract = engine.contract(name, { target: engine.targetOf("refused"), ...over });
    const { code, issues } = await engine.refusal("submit_task", contract);
    expect(code).toBe(by);
    const [issue] = issues;
    const explained = await engine.call("explain", { contract });
    expect(explained).toMatchObject({ would: "block", why: `${issue?.path} ${issue?.message}.` });
    return issues;
  };

  test.each([
    ["the intent of the task itself", { intent: "triage", verify_by: "sop:triage" }, "verify_by", /own checks again/],
    [
      "an intent that may change something",
      { verify_by: "sop:restart" },
      "verify_by",
      /must name a procedure that only looks/,
    ],
    ["a delay without a procedure", { verify_after_seconds: 5 }, "verify_after_seconds", /is for verify_by/],
    ["a wish for update_sop", { intent: "update_sop", verify_within_hours: 1 }, "verify_within_hours", /leave it out/],
    [
      "an id with no room for that of the diagnostic task",
      { task_id: "x".repeat(122), ...BY },
      "task_id",
      /121 characters/,
    ],
  ])("%s", async (_title, over, path, message) => {
    expect(await refused("refused", over)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test("a procedure that only repeats the task's own checks, unless the task is there already", async () => {
    const target = engine.targetOf("refused");
    await engine.learn("deploy", target, OWN);
    const before = await engine.run("sent-before", { target, ...BY });
    await engine.learn("health_check", target, [check("test -s version")]);
    const message = expect.stringMatching(/cannot verify: .* only repeats/);
    expect(await refused("sent-after", BY, "sop_conflict")).toEqual([{ path: "verify_by", message }]);
    expect((await engine.run("sent-before", { target, ...BY })).created_at).toBe(before.created_at);
  });
});

test("explain says which version would verify, and why none would", async () => {
  const target = engine.targetOf("explained");
  await engine.learn("deploy", target, OWN);
  const contract = engine.contract("explained", { target, ...BY, verify_within_hours: 24 });
  const without = await engine.call("explain", { contract });
  expect(without.verification).toMatch(
    /^sop:health_check on ".*", 600 s after DONE, as task explained.verify; owed 24 h after DONE\. As it is now, it would give no verdict: No active SOP/,
  );
  const { sop_id } = await engine.learn("health_check", target, [check("grep -q v1 version")]);
  const { would, verification } = await engine.call("explain", { contract });
  expect([would, verification]).toEqual(["run", expect.stringContaining(`It would run SOP ${sop_id}, version 1.`)]);
});

test("a task that is done and not verified in the time of its contract waits in the inbox until it is", async () => {
  const target = engine.targetOf("debt");
  await engine.learn("deploy", target, OWN);
  const task = await engine.run("debt", { target, verify_within_hours: 24 });
  const debts = async () => {
    const { items } = await engine.call("list_inbox", { limit: 500 });
    return items.filter(({ kind }: { kind: string }) => kind === "verification");
  };
  expect(await debts()).toEqual([]);
  const since = new Date(Date.parse(task.ended_at) + 24 * 3_600_000).toISOString();
  expect(task.verify).toMatchObject({ by: null, owed_since: since });
  now = Date.parse(since) - 1;
  expect(await debts(), "a moment before").toEqual([]);
  now += 1;
  expect(await debts()).toEqual([
    {
      kind: "verification",
      thread_id: "debt",
      approval_id: null,
      intent: "deploy",
      risk: "unverified",
      target_signature: task.target_signature,
      since,
      expires_at: null,
      text: `DONE since ${task.ended_at}, and nothing outside has verified it within 24 h.`,
      next: [{ operation: "record_verification", arguments: { task_id: "debt" }, text: expect.any(String) }],
    },
  ]);
  await engine.call("record_verification", { task_id: "debt", verified: false, source: "a look" });
  expect(await debts(), "any word pays it, also one that refutes").toEqual([]);
});
