// A failed step is retried once when the model calls the failure transient, else it is escalated [3.rule.7].
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd, polled } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { type RoutingModel, startRoutingModel } from "../../../support/routing-model.ts";

let engine: Engine;
let model: RoutingModel;
beforeAll(async () => {
  model = await startRoutingModel();
  engine = await openEngine({ env: { ...model.env, ROUTING_TIMEOUT_MS: "2000" } });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const TRANSIENT = { error_type: "transient" };
const UNKNOWN = { error_type: "unknown" };

/** Appends a line, and fails except in the run of this number. */
const passesAt = (file: string, nth: number) =>
  `echo try >> ${file}; if [ "$(wc -l < ${file})" -ne ${nth} ]; then echo connection refused >&2; exit 7; fi`;

async function runs(name: string, steps: Parameters<Engine["learn"]>[2], over: Record<string, unknown> = {}) {
  await engine.learn(String(over["intent"] ?? "deploy"), engine.targetOf(name), steps);
  const task = await engine.run(name, { delegation_mode: "known_only", ...over });
  return { task, evidence: await engine.call("get_evidence", { task_id: name }) };
}

async function messagesAbout(task_id: string) {
  const { messages } = await engine.call("list_messages", { limit: 500 });
  return messages.filter((message: { thread_id: string }) => message.thread_id === task_id);
}

describe("a failure that the model calls transient", () => {
  test("is retried once, at the failed step only [7.1] [7.10.temporary] [4.gate.error] [4.gate.sop_content]", async () => {
    const flaky = passesAt("flaky", 2);
    model.says(flaky, TRANSIENT);
    const { task, evidence } = await runs("temporary", [cmd("echo x >> before"), cmd(flaky), check("echo x >> after")]);
    expect(task).toMatchObject({ status: "ok" });
    expect(["before", "flaky", "after"].map((file) => engine.linesOf(file).length)).toEqual([1, 2, 1]);
    expect(evidence.attempts).toMatchObject([
      { index: 0, attempt: 1, status: "passed" },
      { index: 1, attempt: 1, status: "failed", exit_code: 7 },
      { index: 1, attempt: 2, status: "passed" },
      { index: 2, attempt: 1, status: "passed" },
    ]);
    const { sops } = await engine.call("list_sops", { target_signature: task.target_signature });
    expect(sops, "a temporary problem leaves the SOP as it is").toMatchObject([
      { status: "active", version: 1, steps: [cmd("echo x >> before"), cmd(flaky), check("echo x >> after")] },
    ]);
  });

  test("is escalated with its evidence when the second try fails too [3.rule.7.transient] [7.1.evidence] [8.retry]", async () => {
    const down = passesAt("down", 9);
    model.says(down, TRANSIENT);
    const { task, evidence } = await runs("down", [cmd(down), check("test -d /")]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 0 } });
    expect(engine.linesOf("down")).toHaveLength(2);
    expect(model.askedAbout(down), "the second failure is final without a question").toHaveLength(1);
    expect(evidence.step_results[0]).toMatchObject({ attempt: 2, stderr: "connection refused\n" });
    expect(await messagesAbout("down"), "the supervisor has it").toMatchObject([{ outcome: task.outcome }]);
  });
});

describe("a check that fails ends the task failed, and the model is not asked: promises 1.6", () => {
  test.each([
    ["exits with 1", passesAt("check-1", 2).replace("exit 7", "exit 1")],
    ["is ended by a signal", passesAt("check-5", 2).replace("exit 7", "kill -9 $$")],
    ["says to try again later", passesAt("check-6", 2).replace("connection refused", "503 try again later")],
  ])("that %s [3.rule.3.failed] [4.gate.bounds] [7.4]", async (_what, probe) => {
    model.says(probe, TRANSIENT);
    const name = /check-\d/.exec(probe)?.[0] ?? "";
    const { task, evidence } = await runs(name, [cmd(`echo x >> before-${name}`), check(probe)]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
    expect([engine.linesOf(`before-${name}`).length, engine.linesOf(name).length]).toEqual([1, 1]);
    expect(model.askedAbout(probe)).toEqual([]);
    expect(evidence).toMatchObject({ gate_answers: [], verdict: { passed: false, checks: [{ passed: false }] } });
  });

  test("that is polled too, with each of its tries on record", async () => {
    const probe = passesAt("polled-probe", 99);
    model.says(probe, TRANSIENT);
    const { task, evidence } = await runs("polled-probe", [cmd("echo x > polled-before"), polled(probe, "2s")]);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed" } });
    expect(task.outcome.message).toContain("exit code 7 after 2 tries");
    expect(model.askedAbout(probe)).toEqual([]);
    expect(evidence.step_results[1]).toMatchObject({
      attempt: 1,
      tries: { count: engine.linesOf("polled-probe").length },
    });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });
});

describe("a failure that is not known to be transient", () => {
  test.each([
    ["the model calls it unknown", UNKNOWN, null],
    ["the model does not answer in time", "is silent", expect.any(String)],
  ] as const)(
    "is escalated at once: %s [3.rule.7] [4.gate.error_fallback] [4.model.response] [7.8]",
    async (what, answer, fallback) => {
      const name = `unknown-${what.length}`;
      const command = passesAt(name, 2);
      model.says(command, answer);
      const { task, evidence } = await runs(name, [cmd(command), check("test -d /")]);
      expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
      expect(engine.linesOf(name)).toHaveLength(1);
      expect(await messagesAbout(name)).toMatchObject([{ outcome: task.outcome }]);
      expect(evidence.gate_answers).toMatchObject([{ question: "error", answer: UNKNOWN, fallback }]);
    },
  );
});

test("the model receives the command and its stderr, or its stdout when stderr is empty [4.gate.error_prompt] [4.gate.error_output]", async () => {
  await runs("both-streams", [cmd("echo out; echo err >&2; exit 1"), check("test -d /")]);
  await runs("one-stream", [cmd("echo out; exit 1"), check("test -d /")]);
  expect(model.askedAbout("echo out; echo err >&2; exit 1")).toMatchObject([{ error_output: "err\n" }]);
  expect(model.askedAbout("echo out; exit 1")).toMatchObject([{ error_output: "out\n" }]);
});

test("when a triage fails, an answer of the model with a cause or a remedy counts as unknown, and neither is stored [2.triage.decision] [2.triage.model] [4.gate.root_cause]", async () => {
  const probe = 'echo "disk full" >&2; test -e /nothing';
  model.says(probe, { error_type: "transient", root_cause: "a meteorite", remedy: "rm -rf build" });
  const { task, evidence } = await runs("triage", [cmd(probe), check("df")], { intent: "triage" });
  expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed" } });
  expect(evidence.step_results[0].stderr).toBe("disk full\n");
  expect(evidence.gate_answers).toMatchObject([{ answer: UNKNOWN, fallback: expect.any(String) }]);
  expect(JSON.stringify(evidence)).not.toMatch(/meteorite|rm -rf/);
});
