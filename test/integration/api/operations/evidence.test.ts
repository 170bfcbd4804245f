// What the supervisor can read: evidence, messages, its own verification, and what a contract would do.
import { describe, expect, test } from "vitest";
import { check, cmd, mcpCall } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { startRoutingModel } from "../../../support/routing-model.ts";

const model = held(await startRoutingModel());
const engine = held(await openEngine({ env: model.env }));

const KNOWN = { delegation_mode: "known_only" };
const ASKING = { safety_level: "approval_required" } as const;
const constraints = (...require_approval_for: string[]) => ({ implicit_scope: ["notes"], require_approval_for });

describe("the evidence of a task", () => {
  test("is one bundle with all that orch knows about it and an unbroken journal", async () => {
    const steps = [cmd("echo out; echo err >&2"), check("test -d /")];
    const sop = await engine.learn("deploy", engine.targetOf("bundle"), steps, {
      ...ASKING,
      criteria: { "the page is served": 1 },
    });
    await engine.run("bundle", { ...KNOWN, constraints: constraints("restarts") });
    await engine.call("approve", { task_id: "bundle", decision: "approve", wait_seconds: 30 });
    const bundle = await engine.call("get_evidence", { task_id: "bundle" });
    expect(bundle).toMatchObject({
      bundle_version: 2,
      task_id: "bundle",
      status: "ok",
      outcome: { reason_code: "verified" },
      broken_link: null,
      contract: { task_id: "bundle", target: engine.targetOf("bundle"), requested_by: "brain" },
      procedure: { sop_id: sop.sop_id, sop_version: 1, steps, safety_level: "approval_required" },
      findings: [{ step_index: 0, code: "safety.approval_required" }],
      approvals: [{ thread_id: "bundle", status: "approved", content: { steps } }],
      gate_answers: [{ about: "echo out; echo err >&2" }, { about: "test -d /" }],
      step_results: [
        { index: 0, stdout: "out\n", stderr: "err\n" },
        { index: 1, exit_code: 0 },
      ],
      attempts: [
        { index: 0, attempt: 1 },
        { index: 1, attempt: 1 },
      ],
      executed_commands: ["echo out; echo err >&2", "test -d /"],
      verdict: { passed: true, checks: [{ criterion: "the page is served", passed: true }] },
      verification: null,
    });
    const kinds = bundle.journal.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind !== "taken_up")).toEqual([
      ...["task_accepted", "sop_pinned", "gate_answered", "gate_answered", "policy_judged", "approval_requested"],
      ...["reported", "approval_decided", "step_started", "step_finished", "step_started", "step_finished"],
      ...["verdict_reached", "reported"],
    ]);
  });

  test("names the broken link of an altered journal", async () => {
    await engine.run("tampered", KNOWN);
    const where = { thread_id: "tampered", kind: "taken_up" };
    await engine.database.client.journalEvent.updateMany({ where, data: { body: '{"owner":"x","recovery":false}' } });
    expect((await engine.call("get_evidence", { task_id: "tampered" })).broken_link).toBe(2);
  });

  test("is not found for a task that does not exist", async () => {
    expect((await engine.refusal("get_evidence", { task_id: "nobody" })).code).toBe("task_not_found");
  });
});

describe("the supervisor's own verification", () => {
  const verify = { verified: false, source: "https://status.example", note: "the page is blank" };

  test("is recorded in addition to DONE, which alone is no proof [8.verification]", async () => {
    await engine.learn("deploy", engine.targetOf("verified"), [check("test -d /")]);
    const done = await engine.run("verified", KNOWN);
    expect([done.label, done.verification]).toEqual(["DONE", null]);
    expect(done.next).toMatchObject([{ operation: "record_verification" }]);
    const task = await engine.call("record_verification", { task_id: "verified", ...verify });
    expect(task).toMatchObject({ status: "ok", verification: { ...verify, recorded_at: expect.any(String) } });
    const { verification, broken_link } = await engine.call("get_evidence", { task_id: "verified" });
    expect([verification, broken_link]).toMatchObject([verify, null]);
  });

  test("is accepted only once the task has ended", async () => {
    await engine.run("not-yet");
    const { code, current } = await engine.refusal("record_verification", { task_id: "not-yet", ...verify });
    expect([code, current]).toMatchObject(["task_not_ended", { task_id: "not-yet", status: "need_input" }]);
    const resolve = { task_id: "not-yet", resolution: "succeeded" };
    expect((await engine.refusal("resolve_step", resolve)).code, "nor does it wait for that").toBe("task_not_waiting");
    for (const name of ["record_verification", "resolve_step"] as const) {
      const unknown = { ...(name === "resolve_step" ? resolve : verify), task_id: "nobody" };
      expect((await engine.refusal(name, unknown)).code).toBe("task_not_found");
    }
  });
});

describe("the messages to the supervisor", () => {
  const read = (over: object = {}) => engine.call("list_messages", { limit: 500, ...over });

  test("are read from a cursor on, each once [1.A.4]", async () => {
    const { next_cursor: start } = await read();
    await engine.run("told-1", KNOWN);
    await engine.run("told-2");
    const first = await read({ after: start, limit: 1 });
    const second = await read({ after: first.next_cursor });
    expect([first.messages, second.messages]).toMatchObject([
      [
        {
          thread_id: "told-1",
          outcome: {
            label: "BLOCKED",
            reason_code: "sop_not_found",
            next: [{ operation: "list_approvals" }, { operation: "submit_task" }],
          },
        },
      ],
      [{ thread_id: "told-2", outcome: { label: "NEED_INPUT", reason_code: "sop_unknown" } }],
    ]);
    expect(await read({ after: second.next_cursor })).toEqual({
      messages: [],
      next_cursor: second.next_cursor,
      quarantined: [],
    });
  });

  test("end a wait when the next one arrives, and a wait that reaches its limit returns none", async () => {
    const { next_cursor: after } = await read();
    const next = read({ after, wait_seconds: 30 });
    await engine.run("wakes", KNOWN);
    const woken = await next;
    expect(woken.messages).toMatchObject([{ thread_id: "wakes" }]);
    const begun = performance.now();
    expect((await read({ after: woken.next_cursor, wait_seconds: 0.2 })).messages).toEqual([]);
    expect(performance.now() - begun).toBeGreaterThan(190);
  });
});

describe("explain returns", () => {
  const explain = (name: string, over: object = {}, input: object = {}) =>
    engine.call("explain", { contract: engine.contract(name, { ...KNOWN, ...over }), ...input });
  const rows = () => engine.database.client.journalEvent.count();

  test.each([
    ["run", [check("test -d /")], {}, {}],
    ["ask_model", [check("test -d /")], { constraints: constraints("restarts") }, {}],
    ["ask", [cmd("true")], {}, ASKING],
    ["block", [cmd("rm -rf /")], {}, ASKING],
    ["block", [mcpCall({ server: "gitserver" })], { constraints: constraints("restarts") }, {}],
  ] as const)("%s for the stored SOP and for given steps", async (would, steps, over, sop) => {
    const name = `explained-${would}-${steps[0].kind}`;
    const { sop_id } = await engine.plant("deploy", engine.targetOf(name), steps, { version: 3, ...sop });
    const [before, asked] = [await rows(), model.questions.length];
    const stored = await explain(name, over);
    expect(stored).toMatchObject({ would, sop: { sop_id, version: 3 }, steps: [{ index: 0, kind: steps[0].kind }] });
    const given = await explain("explained-never", over, { steps, ...sop });
    const steps_alike = stored.steps.map(({ environment: _environment, ...step }: { environment: object }) => step);
    expect(given).toMatchObject({ would, sop: null, steps: steps_alike });
    expect([await rows(), model.questions.length], "nothing was written or asked").toEqual([before, asked]);
  });

  test("what policy saw in a step, and why the contract as a whole is blocked", async () => {
    const steps = [cmd('x=/usr; echo "rm -rf $x" | sudo -n bash'), mcpCall()];
    const seen = await explain("explained-seen", {}, { steps });
    expect(seen.why).toBeNull();
    expect(seen.steps[0]?.saw).toEqual(["echo rm -rf /usr", "sudo -n bash", "bash", "rm -rf /usr"]);
    expect(seen.steps[1]?.saw).toEqual([]);
    expect((await explain("explained-none")).why).toMatch(/^No active SOP for deploy on "/);
    const unknown = await explain("explained-intent", { intent: "maintain" }, { steps: [check("test -d /")] });
    expect(unknown).toMatchObject({
      would: "block",
      why: expect.stringMatching(/^"maintain" is not a known intent; use one of/),
    });
  });
});
