// What is recorded of the checks of a plan that passed, and which red runs are remembered (D-193).
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Examination } from "../../../../src/domain/proof.ts";
import type { Step, StepResult } from "../../../../src/domain/step.ts";
import type { CheckExaminer, ExaminedCheck } from "../../../../src/engine/tasks/check-looks.ts";
import { examineChecks, prepareChecks } from "../../../../src/engine/tasks/check-looks.ts";
import { AT, aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf } from "../../../support/pipeline-parts.ts";

const FOUND: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  control: { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false },
  decoy: { answer: "red", exit_code: 1, reason: null },
};

type Given = {
  readonly steps: readonly Step[];
  /** By step; a step without one passed. */
  readonly ends?: Readonly<Record<number, Partial<StepResult>>>;
  readonly red_before?: readonly number[];
  readonly red_at?: string | null;
  readonly remote?: boolean;
};

async function examining({ steps, ends = {}, red_before = [], red_at = null, remote = false }: Given) {
  const asked: ExaminedCheck[] = [];
  const prepared: ExaminedCheck[] = [];
  const remembered: string[] = [];
  const examiner: CheckExaminer = {
    prepare: async (one) => {
      prepared.push(one);
      throw new Error("the database is closed");
    },
    examine: async (one) => {
      asked.push(one);
      return { ...FOUND, red_at };
    },
    mendsOf: async () => [],
    redRun: ({ text }) => {
      remembered.push(text);
      return { on: "check_look", look: { kind: "red", digest: text, body: null, looked_at: AT } };
    },
  };
  const parts = pipelineParts({ remote });
  const looks = red_before.map((step_index) => ({
    step_index,
    answer: "red",
    exit_code: 1,
    reason: null,
    duration_ms: 1,
    printed: null,
  }));
  const looked: NewEvent[] = looks.length === 0 ? [] : [{ kind: "checks_looked_at", body: { looks } as never }];
  const ran = steps.flatMap((step, index): NewEvent[] => {
    const end = { index, kind: step.kind, ...ends[index] };
    return [
      { kind: "step_started", body: { index, attempt: 1 } },
      { kind: "step_finished", body: aResult(end) },
    ];
  });
  const contract = await parts.begin(aContract(), pinning(procedureOf(steps)), ...looked, ...ran);
  const thread = await parts.threads.threadOf(contract.task_id);
  prepareChecks({ examiner, backendOf: () => parts.backend }, thread, contract);
  await examineChecks({ examiner, backendOf: () => parts.backend }, thread, contract);
  const examined = [...thread.journal.projection.proof.examinations];
  return { asked, prepared, remembered, examined, kept: await parts.store.findCheckLook("red", "test -e a") };
}

const failed = (over: Partial<StepResult> = {}): Partial<StepResult> => ({ status: "failed", exit_code: 1, ...over });

describe("the checks of a plan", () => {
  test("are examined when they passed, with the commands that ran beside them", async () => {
    const { asked, examined, remembered } = await examining({
      steps: [cmd("make"), check("test -e a"), check("test -e b")],
      ends: { 2: failed({ exit_code: 127 }) },
    });
    expect(asked).toMatchObject([{ text: "test -e a", commands: ["make"], decoy_on: "machine" }]);
    expect(examined.map(([index]) => index)).toEqual([1]);
    expect(remembered).toEqual([]);
  });

  test("say that no world is possible for the call of a tool, and are examined by their text alone on a flow engine", async () => {
    const tool = await examining({ steps: [cmd("make"), mcpCall({ expect: { equals: 1 } })] });
    expect([tool.asked, tool.examined]).toMatchObject([
      [],
      [[1, { control: { answer: "not_possible" }, decoy: null }]],
    ]);
    const engine = await examining({ steps: [cmd("make"), check("test -e a")], remote: true });
    expect(engine.asked).toMatchObject([{ text: "test -e a", decoy_on: "elsewhere" }]);
    expect(engine.examined.map(([index]) => index)).toEqual([1]);
  });

  test("are remembered when they were red, in the run or before the change, each text once", async () => {
    const steps = [cmd("false"), check("test -e a"), check("test -e a"), check("test -e b")];
    const ends = { 0: failed(), 1: failed(), 2: failed() };
    const { remembered, kept } = await examining({ steps, ends, red_before: [3] });
    expect(remembered).toEqual(["test -e a", "test -e b"]);
    expect(kept).toMatchObject({ kind: "red", looked_at: AT });
  });

  test.each<[string, Partial<StepResult>]>([
    ["reached the time limit", failed({ timed_out: true })],
    ["could not be run", failed({ exit_code: 126 })],
    ["was ended by a signal", failed({ exit_code: null })],
  ])("are not remembered as red when one %s", async (_, end) => {
    expect((await examining({ steps: [check("test -e a")], ends: { 0: end } })).remembered).toEqual([]);
  });

  test("are not remembered again when they are known to have been red", async () => {
    const given = { steps: [cmd("make"), check("test -e a")], red_before: [1] };
    expect((await examining({ ...given, red_at: AT })).remembered).toEqual([]);
    expect((await examining(given)).remembered).toEqual(["test -e a"]);
  });
});
