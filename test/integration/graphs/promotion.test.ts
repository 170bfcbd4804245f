// From a candidate to the SOP that is used, and what its counters count.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const teach = (task_id: string, steps: readonly Step[]) =>
  engine.call("teach", { task_id, steps, wait_seconds: 30 }).then(({ task }) => task);
const run = async (name: string, over: object = {}) => engine.run(name, { delegation_mode: "known_only", ...over });
const sopsFor = async (name: string) =>
  (await engine.call("list_sops", { target_signature: signatureFor(name), limit: 500 })).sops;
const signatureFor = (name: string) => `compose_dir=${engine.directory};service=${name}`;
const sop = async (sop_id: string) => (await engine.call("get_sop", { sop_id })).sop;
const decided = async (sop_id: string, decision: "approve" | "reject") => {
  const { approval_id } = await engine.approvalOf(`promotion/${sop_id}`);
  await engine.call("approve", { approval_id, decision });
  while ((await sop(sop_id)).status === "candidate") await new Promise((resolve) => setTimeout(resolve, 5));
  return sop(sop_id);
};

/** A task that was taught these steps, and the candidate that came of it. */
async function taught(name: string, steps: readonly Step[]) {
  await engine.run(name);
  const task = await teach(name, steps);
  const [candidate] = await sopsFor(name);
  return { task, candidate };
}

describe("a taught task that succeeds", () => {
  const steps = [cmd("echo x >> taught"), check("test -s taught")];

  test("is DONE at once, records a candidate and asks for its promotion [3.sop.candidate] [3.sop.candidate_approval] [2.sop.intent] [2.sop.target_signature] [2.sop.last_success_at]", async () => {
    const { task, candidate } = await taught("taught", steps);
    expect(task).toMatchObject({ status: "ok" });
    expect(candidate).toMatchObject({
      intent: "deploy",
      target_signature: signatureFor("taught"),
      status: "candidate",
      version: 1,
      steps,
      criteria: [{ criterion: "the page is served", step_index: 1 }],
      origin: "taught",
      success_count: 1,
      failure_count: 0,
      last_success_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const approval = await engine.approvalOf(`promotion/${candidate.sop_id}`);
    expect(approval).toMatchObject({ kind: "promotion", content: { sop_id: candidate.sop_id, sop_version: 1, steps } });
    expect(await run("taught-2", { target: engine.targetOf("taught") }), "it is not used yet").toMatchObject({
      outcome: { reason_code: "sop_not_found" },
    });
  });

  test("is used from then on when the promotion is approved, without any code [3.sop.promote] [3.sop.used] [6.promotion] [1.A.8.data]", async () => {
    const { candidate } = await taught("promoted", [cmd("echo x >> promoted"), check("test -d /")]);
    expect(await decided(candidate.sop_id, "approve")).toMatchObject({ status: "active", version: 1 });
    const next = await run("promoted-2", { target: engine.targetOf("promoted") });
    expect(next).toMatchObject({ status: "ok", sop_id: candidate.sop_id, sop_version: 1 });
    expect(engine.linesOf("promoted")).toHaveLength(2);
    const { messages } = await engine.call("list_messages", { limit: 500 });
    const told = messages.filter(
      ({ thread_id }: { thread_id: string }) => thread_id === `promotion/${candidate.sop_id}`,
    );
    expect(told).toMatchObject([
      { outcome: { label: "NEED_APPROVAL", reason_code: "promotion_pending" } },
      { outcome: { label: "DONE", reason_code: "promoted" } },
    ]);
  });

  test("says which version its promotion would replace, and which it has replaced [3.sop.promotion_replaces]", async () => {
    const target = engine.targetOf("replaced");
    await engine.run("replaced-1", { target });
    await teach("replaced-1", [check("test -d /")]);
    const [first] = await sopsFor("replaced");
    const asked = await engine.approvalOf(`promotion/${first.sop_id}`);
    expect([asked.content.replaces, asked.reason]).toEqual([null, "Version 1 asks for its promotion."]);
    await decided(first.sop_id, "approve");
    const later = [check("test -d /"), check("test -d /usr")];
    await engine.call("teach", { intent: "deploy", target, steps: later });
    const second = (await sopsFor("replaced")).find(({ version }: { version: number }) => version === 2);
    const again = await engine.approvalOf(`promotion/${second.sop_id}`);
    expect(again.content.replaces).toBe(1);
    expect(again.reason).toBe("Version 2 asks for its promotion; it would replace version 1, which is in use.");
    await decided(second.sop_id, "approve");
    const { messages } = await engine.call("list_messages", { limit: 500 });
    const last = messages.findLast(
      ({ thread_id }: { thread_id: string }) => thread_id === `promotion/${second.sop_id}`,
    );
    expect(last.outcome.message).toMatch(/^Promoted: version 2 .*, in the place of version 1\.$/);
  });

  test("supersedes older candidates when a newer one is promoted: their approvals cannot be given any more [3.sop.older_candidates]", async () => {
    const target = engine.targetOf("older");
    for (const task_id of ["older-1", "older-2", "older-3"]) await engine.run(task_id, { target });
    for (const [nth, task_id] of ["older-1", "older-2", "older-3"].entries()) {
      await teach(task_id, [check("test -d /"), check(`! test -e ${nth + 1}`)]);
    }
    const candidates = (await sopsFor("older")).toSorted(
      (a: { version: number }, b: { version: number }) => a.version - b.version,
    );
    const [first, second, third] = candidates;
    const { approval_id } = await engine.approvalOf(`promotion/${first.sop_id}`);
    await engine.approvalOf(`promotion/${third.sop_id}`);
    await decided(second.sop_id, "approve");
    const statuses = await Promise.all([first, second, third].map(async ({ sop_id }) => (await sop(sop_id)).status));
    expect(statuses, "a newer candidate goes on waiting").toEqual(["deprecated", "active", "candidate"]);
    expect(await engine.refusal("approve", { approval_id, decision: "approve" })).toMatchObject({
      code: "approval_not_pending",
      current: { status: "superseded" },
    });
    expect(await engine.approvalOf(`promotion/${third.sop_id}`)).toMatchObject({ status: "pending" });
  });
});

describe("the counters of an SOP", () => {
  test("move with every verified result, and only the last success has its time kept [2.counters.success] [2.counters.failure] [2.counters.last_success]", async () => {
    const target = engine.targetOf("counted");
    const { sop_id } = await engine.learn("deploy", target, [check('test "$ORCH_PAYLOAD" != "{\\"fail\\":true}"')]);
    expect(await sop(sop_id)).toMatchObject({ success_count: 0, failure_count: 0, last_success_at: null });
    const { ended_at } = await run("counted-1", { target });
    const once = await sop(sop_id);
    expect([once.success_count, once.last_success_at >= ended_at]).toEqual([1, true]);
    await run("counted-2", { target, payload: { fail: true } });
    const { last_success_at } = once;
    expect(await sop(sop_id)).toMatchObject({ success_count: 1, failure_count: 1, last_success_at });
    await run("counted-3", { target });
    const twice = await sop(sop_id);
    expect(twice).toMatchObject({ success_count: 2, failure_count: 1 });
    expect(twice.last_success_at > last_success_at).toBe(true);
  });
});
