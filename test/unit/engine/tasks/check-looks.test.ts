// Which checks are looked at, what is recorded of those that passed, and which red runs are remembered (D-193).
import { describe, expect, it, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { CheckLook, Examination } from "../../../../src/domain/proof.ts";
import type { JobEnd } from "../../../../src/domain/run-request.ts";
import type { Step, StepResult } from "../../../../src/domain/step.ts";
import { checksToLookAt } from "../../../../src/engine/policy/checks-to-look-at.ts";
import {
  type CheckExaminer,
  type ExaminedCheck,
  examineChecks,
  looksInRun,
  prepareChecks,
  withMemory,
} from "../../../../src/engine/tasks/check-looks.ts";
import { AT, aContract, aResult, check, cmd, mcpCall, wait } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
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

const look = (digest: string, day = 1): CheckLook => ({
  kind: "red",
  digest,
  body: null,
  looked_at: `2026-11-0${day}T00:00:00.000Z`,
});

function counted() {
  const store = memoryStore(() => new Date());
  const asked: string[] = [];
  const remembering = withMemory({
    ...store,
    findCheckLook: (kind, digest) => {
      asked.push(digest);
      return store.findCheckLook(kind, digest);
    },
  });
  const keep = (one: CheckLook) =>
    ({
      thread_id: `check:${one.digest}`,
      after: null,
      events: [],
      changes: [{ on: "check_look", look: one }],
    }) as const;
  return { store, asked, remembering, keep };
}

describe("the memory of looks at checks", () => {
  it("asks the database once for what is kept there, and each time for what is not", async () => {
    const { store, asked, remembering, keep } = counted();
    await store.commit(keep(look("a")));
    for (const digest of ["a", "a", "b", "b"]) await remembering.findCheckLook("red", digest);
    expect(asked).toEqual(["a", "b", "b"]);
  });

  it("answers with what was committed last", async () => {
    const { asked, remembering, keep } = counted();
    await remembering.commit(keep(look("a", 1)));
    await remembering.commit(keep(look("a", 2)));
    expect(await remembering.findCheckLook("red", "a")).toEqual(look("a", 2));
    expect(asked).toEqual([]);
  });
});

const PLAN = [
  wait("1s"),
  cmd("docker restart web"),
  check("docker inspect web"),
  check("true # orch: once"),
  check("test -e a"),
];
const ID = "0190a1b2-0000-7000-8000-00000000000";
const LOOKS = { look_at: [2, 4] };

const handedOver = (nth: number, index = 0, attempt = 1): NewEvent => ({
  kind: "step_started",
  body: { index, attempt, job: { job_id: `${ID}${nth}`, through: 4, engine: "e" } },
});
const ended = (nth: number, code: JobEnd["code"]): NewEvent => ({
  kind: "job_ended",
  body: { job_id: `${ID}${nth}`, code, message: "m", raw_result: null },
});
const finished = (index: number): NewEvent => ({ kind: "step_finished", body: aResult({ index }) });
const LOOKED: NewEvent = { kind: "checks_looked_at", body: { looks: [] } };

async function looks(events: readonly NewEvent[], plan = PLAN, over: Record<string, unknown> = {}) {
  const parts = pipelineParts({ remote: true });
  const contract = await parts.begin(aContract(over), pinning(procedureOf(plan)), ...events);
  const { projection } = (await parts.threads.threadOf(contract.task_id)).journal;
  return looksInRun(projection, checksToLookAt(contract, plan, "/root"));
}

describe("the looks of a job", () => {
  test.each<[string, readonly NewEvent[], object, object]>([
    ["the first job", [], LOOKS, {}],
    ["the first job when it is looked up", [handedOver(1)], LOOKS, LOOKS],
    ["a job after one that the engine did not accept", [handedOver(1), ended(1, "engine_unreachable")], LOOKS, LOOKS],
    ["only the lost job when it is examined again", [handedOver(1), ended(1, "lost")], {}, LOOKS],
    ["no job after one that ran", [handedOver(1), ended(1, "flow_crashed"), handedOver(2, 0, 2)], {}, {}],
    ["no job that begins later", [handedOver(1), finished(0), ended(1, "step_failed")], {}, LOOKS],
    ["no job once they are on record", [handedOver(1), LOOKED, ended(1, "lost")], {}, {}],
  ])("are those of %s", async (_what, events, next, last) => {
    expect(await looks(events)).toEqual({ next, last });
  });

  test("are none where nothing changes, or the intent only looks", async () => {
    expect(await looks([handedOver(1)], [check("test -e a")])).toEqual({ next: {}, last: {} });
    expect(await looks([handedOver(1)], PLAN, { intent: "triage" })).toEqual({ next: {}, last: {} });
  });
});
