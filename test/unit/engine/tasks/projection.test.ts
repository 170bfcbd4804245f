// What the journal says of a task: its steps, its jobs, its procedure and the worth of its checks.
import { describe, expect, test } from "vitest";
import type { JournalEvent, NewEvent } from "../../../../src/domain/journal.ts";
import type { BeforeLook, Examination } from "../../../../src/domain/proof.ts";
import type { Procedure } from "../../../../src/domain/sop.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { evolveProof, noProof, projection, proofAt } from "../../../../src/engine/tasks/projection.ts";
import { stepResultsOf } from "../../../../src/engine/tasks/steps-fold.ts";
import { AT, aResult, check, cmd, journalOf, mcpCall, wait } from "../../../support/builders.ts";
import { pinning, procedureOf } from "../../../support/pipeline-parts.ts";

const LATER = "2026-03-06T10:00:00.000Z";
const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };

const started = (index: number, attempt = 1, given?: typeof job): NewEvent => ({
  kind: "step_started",
  body: { index, attempt, ...(given && { job: given }) },
});
const finished = (index: number, over: Parameters<typeof aResult>[0] = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, ...over }),
});
const resolved = (resolution: "succeeded" | "failed" | "retry", reason: string | null = null): NewEvent => ({
  kind: "step_resolved",
  body: { index: 0, attempt: 1, resolution, reason },
});

const stepsAfter = (...events: NewEvent[]) => projection(journalOf(...events)).steps;
const resultsAfter = (plan: readonly Step[], ...events: NewEvent[]) => stepResultsOf(stepsAfter(...events), plan);

describe("the steps of a task", () => {
  test("have passed up to the first one that has not", () => {
    const both = [started(0), finished(0), started(1), finished(1)];
    expect(stepsAfter(...both).passed).toBe(2);
    expect(stepsAfter(...both.slice(2)).passed).toBe(0);
    expect(stepsAfter(...both.slice(2), ...both.slice(0, 2)).passed).toBe(2);
    expect(stepsAfter(...both, started(0, 2)).passed).toBe(0);
    expect(stepsAfter(...both, started(0, 2), finished(0, { attempt: 2 })).passed).toBe(2);
  });
});

describe("the record of a step", () => {
  test("keeps the first start of an attempt that a stop interrupted, and no other attempt's", () => {
    const startsOf = (attempt: number) => {
      const [first] = journalOf(started(0));
      const [, again] = journalOf(started(0), started(0, attempt)).map((event) => ({ ...event, at: LATER }));
      const { records } = projection([first, again].filter((event) => event !== undefined)).steps;
      return records.get(0);
    };
    expect(startsOf(1)).toMatchObject({ attempt: 1, started_at: AT, restarted_at: LATER });
    expect(startsOf(2)).toMatchObject({ attempt: 2, started_at: LATER, restarted_at: LATER });
  });
});

describe("the results of the steps", () => {
  test("are in the order of the plan, whichever started first", () => {
    const events = [2, 0, 1].flatMap((index) => [started(index), finished(index)]);
    expect(resultsAfter([cmd("a"), cmd("b"), cmd("c")], ...events).map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test.each([
    ["command", cmd("a"), "cmd"],
    ["check", check("a"), "check"],
    ["wait", wait("1s"), "wait"],
    ["tool call", mcpCall(), "mcp_call"],
    ["step that is not in the plan", undefined, "cmd"],
  ] as const)("have an unknown outcome for a %s without an end", (_what, step, kind) => {
    const plan = step === undefined ? [] : [step];
    expect(resultsAfter(plan, started(0, 2))).toMatchObject([
      { index: 0, attempt: 2, kind, status: "outcome_unknown", started_at: AT },
    ]);
  });

  test.each([
    ["succeeded", "passed", null, "resolved by the supervisor as succeeded"],
    ["failed", "failed", "it is down", "resolved by the supervisor as failed: it is down"],
    ["retry", "outcome_unknown", "nothing was sent", "resolved by the supervisor as retry: nothing was sent"],
  ] as const)("say that the supervisor settled a step as %s, and why", (resolution, status, reason, stderr) => {
    expect(resultsAfter([cmd("a")], started(0), resolved(resolution, reason))).toMatchObject([{ status, stderr }]);
  });
});

const stateAfter = (...events: NewEvent[]) => projection(journalOf(...events));

const CLAIMED: NewEvent = { kind: "taken_up", body: { owner: "me", recovery: false } };
const CANCELLED: NewEvent = { kind: "cancel_requested", body: { reason: null } };

describe("a task", () => {
  test.each<[boolean, string, NewEvent[]]>([
    [false, "nothing", []],
    [false, "only claims", [CLAIMED, CLAIMED]],
    [true, "any other event", [CANCELLED]],
    [true, "another event before a claim", [CANCELLED, CLAIMED]],
  ])("has begun: %s, when its journal contains %s", (has_begun, _what, events) => {
    expect(stateAfter(...events).has_begun).toBe(has_begun);
  });
});

describe("the procedure of a task", () => {
  const pinned = procedureOf([cmd("stored")]);
  const taught: Procedure = procedureOf([cmd("taught")], { sop_id: null, sop_version: null });
  const teaching: NewEvent = { kind: "taught", body: taught };

  test.each<[string, Procedure | null, NewEvent[]]>([
    ["none before the look-up", null, []],
    ["that of the pinned SOP", pinned, [pinning(pinned)]],
    ["what the supervisor taught", taught, [teaching]],
    ["what the supervisor taught, also when an SOP is pinned after it", taught, [teaching, pinning(pinned)]],
  ])("is %s", (_what, procedure, events) => {
    expect(stateAfter(...events)).toMatchObject({ procedure, is_taught: events.includes(teaching) });
  });
});

const FOUND: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  decoy: null,
  control: { answer: "not_possible", exit_code: null, reason: "no world", world: "empty", wrote: false },
};
const look = (step_index: number, answer: BeforeLook["answer"]): BeforeLook => ({
  step_index,
  answer,
  exit_code: 1,
  reason: null,
  duration_ms: 1,
  printed: "x",
});
const looked = (...looks: BeforeLook[]): NewEvent => ({ kind: "checks_looked_at", body: { looks } });
const examined = (step_index: number, over: Partial<Examination> = {}): NewEvent => ({
  kind: "checks_examined",
  body: { checks: [{ step_index, ...FOUND, ...over }] },
});

function proofAfter(...events: NewEvent[]) {
  const state = noProof();
  for (const event of events) evolveProof(state, event as JournalEvent);
  return state;
}

describe("the proof of a check", () => {
  test("is that of its own look and its own examination", () => {
    const state = proofAfter(looked(look(1, "red"), look(2, "green")), examined(1), examined(2));
    expect(proofAt(state, 1)).toMatchObject({ class: "proved", change: "became_true", seen_red: ["before"] });
    expect(proofAt(state, 2)).toMatchObject({ class: "not_possible", change: "was_true_already", reason: "no world" });
    expect(proofAt(proofAfter(examined(1)), 1)).toMatchObject({ change: "not_looked_at" });
    expect(proofAt(proofAfter(looked(look(2, "red")), examined(1)), 1)).toMatchObject({ change: "not_looked_at" });
  });
});
