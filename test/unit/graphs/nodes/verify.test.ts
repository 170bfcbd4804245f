// What the verdict of a procedure and of an agent's finish says to the supervisor.
import { describe, expect, test } from "vitest";
import { verify, verifyFinish } from "../../../../graphs/nodes/verify.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { StepResult } from "../../../../src/domain/step.ts";
import { agentJournal, changed, checked } from "../../../support/agent-journal.ts";
import { aContract, aResult, check, cmd } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const ran = (index: number, over: Partial<StepResult> = {}): NewEvent[] => [
  { kind: "step_started", body: { index, attempt: 1 } },
  { kind: "step_finished", body: aResult({ index, kind: index === 1 ? "check" : "cmd", ...over }) },
];

describe("verify", () => {
  const verified = async (events: readonly NewEvent[], procedure = PROCEDURE, contract = aContract()) => {
    const parts = pipelineParts();
    await parts.begin(contract, pinning(procedure), ...events);
    const facts = await verify(parts.deps)(stateOf({ contract }));
    const { events: known } = await parts.journalOf();
    return { facts, noted: known.at(-1), committed: await parts.kindsOf() };
  };
  const failed = { status: "failed", exit_code: 7 } as const;

  test("passes a plan whose steps passed, and notes the verdict with the criterion that the check proves", async () => {
    const { facts, noted, committed } = await verified([...ran(0), ...ran(1)]);
    const reason = { reason_code: "verified", message: "1 check passed.", step_index: null };
    expect(facts).toEqual({ verdict: "pass", reason });
    expect(noted).toMatchObject({
      kind: "verdict_reached",
      body: {
        passed: true,
        uncovered_criteria: [],
        checks: [{ step_index: 1, criterion: "the page is served", passed: true, exit_code: 0 }],
      },
    });
    expect(committed).not.toContain("verdict_reached");
  });

  test.each<[string, readonly NewEvent[], string, string, number | null]>([
    [
      "a failed check with its criterion and last words",
      [...ran(0), ...ran(1, { ...failed, stderr: 'it is "down"\n' })],
      "check_failed",
      'Check step 1 failed (success criterion "the page is served") with exit code 7; it said last: "it is \\"down\\"".',
      1,
    ],
    ["a failed step", [...ran(0, failed)], "step_failed", "Step 0 failed with exit code 7.", 0],
    [
      "a step at its limit",
      ran(0, { ...failed, timed_out: true }),
      "step_failed",
      "Step 0 failed at its time limit.",
      0,
    ],
    ["a step without exit code", ran(0, { ...failed, exit_code: null }), "step_failed", "Step 0 failed.", 0],
    ["a step that never ran", [], "step_failed", "Step 0 failed.", 0],
  ])("fails on %s", async (_what, events, reason_code, message, step_index) => {
    const { facts } = await verified(events);
    expect(facts).toEqual({ verdict: "fail", reason: { reason_code, message, step_index } });
  });

  test("fails on a check that proves no criterion, and on a plan without a check", async () => {
    const plain = await verified([...ran(0), ...ran(1, failed)], procedureOf(PROCEDURE.steps, { criteria: [] }));
    expect(plain.facts).toMatchObject({ reason: { message: "Check step 1 failed with exit code 7." } });
    const none = await verified(ran(0), procedureOf([cmd("a")]));
    const message = "The procedure holds no check step, so nothing was verified.";
    const reason = { reason_code: "nothing_verified", message, step_index: null };
    expect(none.facts).toEqual({ verdict: "fail", reason });
  });

  test("fails on the failure of a job, although every step passed", async () => {
    const job_id = "0190a1b2-0000-7000-8000-000000000001";
    const ended = (message: string): NewEvent => ({
      kind: "job_ended",
      body: { job_id, code: "flow_not_ok", message, raw_result: null },
    });
    const { facts } = await verified([...ran(0), ...ran(1), ended("The flow says no.")]);
    const reason = { reason_code: "flow_not_ok", message: "The flow says no.", step_index: null };
    expect(facts).toEqual({ verdict: "fail", reason });
  });

  test("counts the checks that passed", async () => {
    const two = procedureOf([check("a"), check("b")]);
    const { facts } = await verified([...ran(0, { kind: "check" }), ...ran(1)], two);
    expect(facts).toMatchObject({ reason: { message: "2 checks passed." } });
  });
});

describe("verify_finish", () => {
  const FINISH = { index: 2, summary: "It is done.", done: true, criteria: [] };
  const finished = async (events: readonly NewEvent[], over: object = {}, success_criteria: string[] = []) => {
    const parts = pipelineParts();
    const contract = aContract({ delegation_mode: "agent", success_criteria });
    await parts.begin(contract, ...events);
    (await parts.journalOf()).note({ kind: "agent_finished", body: { ...FINISH, ...over } });
    const facts = await verifyFinish(parts.deps)(stateOf({ contract }));
    return { facts, noted: (await parts.journalOf()).events.at(-1) };
  };
  const proved = agentJournal([[changed("a"), checked("b")]]);
  const SAYS = ' The agent says: "It is done.".';

  test("passes a finish that a check has proved after the last change", async () => {
    const { facts, noted } = await finished(proved);
    const message = `1 check passed after the last change.${SAYS}`;
    expect(facts).toMatchObject({ verdict: "pass", reason: { reason_code: "verified", message, step_index: null } });
    expect(noted).toMatchObject({ kind: "verdict_reached", body: { passed: true } });
  });

  test("says of a finish that passes that the agent changed nothing", async () => {
    const { facts } = await finished(agentJournal([[checked("b")]]));
    expect(facts).toMatchObject({ reason: { message: `1 check passed. The agent changed nothing.${SAYS}` } });
  });

  test.each<[string, readonly NewEvent[], object, string[], string]>([
    ["that gave up", proved, { done: false }, [], "The agent could not do it."],
    [
      "without a check after the last change",
      agentJournal([[checked("b"), changed("a")]]),
      {},
      [],
      "No check exited with 0 after the last change.",
    ],
    [
      "that leaves criteria open",
      proved,
      {},
      ["it is up", "it is fast"],
      'No check that exited with 0 after the last change proves: "it is up", "it is fast".',
    ],
  ])("fails a finish %s", async (_what, events, over, criteria, message) => {
    const { facts } = await finished(events, over, criteria);
    const reason = { reason_code: "nothing_verified", message: message + SAYS, step_index: null };
    expect(facts).toEqual({ verdict: "fail", reason });
  });

  test("shows the first 200 characters of what the agent says", async () => {
    const { facts } = await finished(proved, { summary: "x".repeat(300) });
    expect(facts).toMatchObject({ reason: { message: expect.stringContaining(`: "${"x".repeat(200)}".`) } });
  });

  test("is an error without a finish on record", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), ...proved);
    await expect(verifyFinish(parts.deps)(stateOf({ contract }))).rejects.toThrow("the journal does not say so");
  });
});
