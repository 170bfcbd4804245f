// When a task is done before anything has run, and what is said where it is not (D-199).
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Examination } from "../../../../src/domain/proof.ts";
import type { Step } from "../../../../src/domain/step.ts";
import type { CheckExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import { findIfDone } from "../../../../src/engine/tasks/check-looks.ts";
import { isAlreadyDone, verdictOn, whyNotSkipped } from "../../../../src/engine/tasks/plan.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { aContract, check, cmd, journalOf, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf } from "../../../support/pipeline-parts.ts";

const CONTROL = { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false } as const;
const GREEN = { ...CONTROL, answer: "green", exit_code: 0 } as const;
const PROVED: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  control: CONTROL,
  decoy: { answer: "red", exit_code: 1, reason: null },
};
const SENSITIVE: Examination = { ...PROVED, names_target: false };
const UNPROVED: Examination = { ...PROVED, control: GREEN, decoy: { answer: "green", exit_code: 0, reason: null } };
const NOT_POSSIBLE: Examination = {
  ...PROVED,
  control: { ...CONTROL, answer: "not_possible", reason: "no world" },
  decoy: null,
};

const STEPS = [cmd("make"), check("test -e a"), check("test -e b")];
const SERVED = { criterion: "the page is served", step_index: 1 };
const CONTRACT = aContract({ skip_if_done: true });

const looks = (...answers: readonly ("green" | "red" | "cannot_tell")[]): NewEvent => ({
  kind: "checks_looked_at",
  body: {
    looks: answers.map((answer, nth) => ({
      step_index: nth + 1,
      answer,
      exit_code: answer === "green" ? 0 : 1,
      reason: null,
      duration_ms: 1,
      printed: null,
    })),
  },
});
const examined = (...found: readonly Examination[]): NewEvent => ({
  kind: "checks_examined",
  body: { checks: found.map((one, nth) => ({ step_index: nth + 1, ...one })) },
});
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };

const stateAfter = (events: readonly NewEvent[], criteria = [SERVED]) =>
  projection(journalOf(pinning(procedureOf(STEPS, { criteria })), ...events));

describe("a task", () => {
  test("is not when its contract does not ask for it, or when a step has started", () => {
    const events = [looks("green", "green"), examined(PROVED, PROVED)];
    expect(isAlreadyDone(aContract(), stateAfter(events))).toBe(false);
    expect(isAlreadyDone(aContract({ skip_if_done: false }), stateAfter(events))).toBe(false);
    expect(whyNotSkipped(aContract(), stateAfter(events))).toBe("");
    expect(isAlreadyDone(CONTRACT, stateAfter([...events, started]))).toBe(false);
    expect(verdictOn(CONTRACT, stateAfter([...events, started]))).toMatchObject({ reason_code: "step_failed" });
  });

  test("without a procedure is not done", () => {
    expect(isAlreadyDone(CONTRACT, projection([]))).toBe(false);
    expect(whyNotSkipped(CONTRACT, projection([]))).toBe("");
  });

  test.each<[string, NewEvent[]]>([
    [" skip_if_done had no effect: check step 1 was not looked at before.", []],
    [" skip_if_done had no effect: check step 2 was not looked at before.", [looks("green"), examined(PROVED)]],
    ["", [looks("green", "red"), examined(PROVED, PROVED)]],
    ["", [looks("cannot_tell", "green"), examined(PROVED, PROVED)]],
    [" skip_if_done had no effect: check step 1 was not examined.", [looks("green", "green")]],
    [
      " skip_if_done had no effect: check step 2 is unproved: it also passes on an empty machine.",
      [looks("green", "green"), examined(PROVED, UNPROVED)],
    ],
    [
      " skip_if_done had no effect: check step 1 is not possible: no world.",
      [looks("green", "green"), examined(NOT_POSSIBLE, PROVED)],
    ],
    [
      ' skip_if_done had no effect: no check of "the page is served" is proved.',
      [looks("green", "green"), examined(SENSITIVE, PROVED)],
    ],
  ])("is not, and says%s", (said, events) => {
    expect(isAlreadyDone(CONTRACT, stateAfter(events))).toBe(false);
    expect(whyNotSkipped(CONTRACT, stateAfter(events))).toBe(said);
  });

  test("whose plan names no criteria needs one proved check", () => {
    const contract = aContract({ skip_if_done: true, success_criteria: [] });
    const weak = stateAfter([looks("green", "green"), examined(SENSITIVE, SENSITIVE)], []);
    expect(whyNotSkipped(contract, weak)).toBe(" skip_if_done had no effect: none of its checks is proved.");
    expect(isAlreadyDone(contract, weak)).toBe(false);
    expect(isAlreadyDone(contract, stateAfter([looks("green", "green"), examined(SENSITIVE, PROVED)], []))).toBe(true);
  });
});

describe("findIfDone", () => {
  async function finding(
    events: readonly NewEvent[],
    given: { steps?: readonly Step[]; found?: Examination; contract?: object } = {},
  ) {
    const { steps = STEPS, found = PROVED } = given;
    const asked: string[] = [];
    const examiner: CheckExaminer = {
      examine: async ({ text, decoy_on, commands }) => {
        asked.push(`${text} ${decoy_on} ${commands}`);
        return found;
      },
      prepare: async () => {},
      mendsOf: async () => [],
      redRun: () => {
        throw new Error("nothing was red");
      },
    };
    const parts = pipelineParts();
    const procedure = procedureOf(steps, { criteria: [SERVED] });
    const contract = await parts.begin(
      aContract({ skip_if_done: true, ...given.contract }),
      pinning(procedure),
      ...events,
    );
    const thread = await parts.threads.threadOf(contract.task_id);
    const looking = { examiner, backendOf: () => parts.backend };
    return { asked, parts, thread, contract, looking, is_done: await findIfDone(looking, thread, contract) };
  }

  test("examines the checks that were true, once, and records what it finds", async () => {
    const { asked, is_done, thread, looking, contract } = await finding([looks("green", "green")]);
    expect([is_done, asked]).toEqual([true, ["test -e a machine make", "test -e b machine make"]]);
    expect([...thread.journal.projection.proof.examinations.keys()]).toEqual([1, 2]);
    expect(await findIfDone(looking, thread, contract)).toBe(true);
    expect(asked).toHaveLength(2);
  });

  test("does not believe a check that could not be seen to fail, nor the call of a tool alone", async () => {
    expect((await finding([looks("green", "green")], { found: UNPROVED })).is_done).toBe(false);
    const steps = [cmd("make"), mcpCall({ expect: { equals: 1 } }), check("test -e b")];
    expect((await finding([looks("green", "green")], { steps })).is_done).toBe(false);
  });

  test.each<[string, NewEvent[], object]>([
    ["the contract does not ask for it", [looks("green", "green")], { skip_if_done: false }],
    ["a check was not true", [looks("green", "red")], {}],
    ["a check was not looked at", [looks("green")], {}],
    ["nothing was looked at", [], {}],
    ["a step has started", [looks("green", "green"), started], {}],
  ])("examines nothing where %s", async (_, events, contract) => {
    const { asked, is_done } = await finding(events, { contract });
    expect([is_done, asked]).toEqual([false, []]);
  });

  test("finds nothing where the task is cancelled while a check is examined", async () => {
    const { looking, parts } = await finding([]);
    const contract = await parts.begin(
      aContract({ task_id: "t-2", skip_if_done: true }),
      pinning(procedureOf(STEPS, { criteria: [SERVED] })),
      looks("green", "green"),
    );
    const thread = await parts.threads.threadOf("t-2");
    const stop = new AbortController();
    const examine = async () => {
      stop.abort();
      return PROVED;
    };
    const examiner: CheckExaminer = { ...looking.examiner, examine };
    expect(await findIfDone({ ...looking, examiner }, { ...thread, cancel: stop.signal }, contract)).toBe(false);
  });
});
