import { describe, expect, test } from "vitest";
import {
  canRead,
  EVENT_BODIES,
  FIRST_LEVEL,
  JOURNAL_LEVEL,
  levelOf,
  levelWithoutServer,
  type NewEvent,
} from "../../../src/domain/journal.ts";
import { lateResult } from "../../../src/domain/reconcile.ts";
import { aResult } from "../../support/builders.ts";
import { pinning, procedureOf } from "../../support/pipeline-parts.ts";

const CANCEL: NewEvent = { kind: "cancel_requested", body: { reason: null } };
const EMPTY = { findings: [], steps: [] };
const LATE: NewEvent = { kind: "late_result", body: lateResult({ owner: "o", server: "a" }, aResult({})) };

describe("the level of a journal", () => {
  test("rises with each kind of event that the first version which shared a database did not know", () => {
    const kinds = Object.keys(EVENT_BODIES) as NewEvent["kind"][];
    const later = kinds.filter((kind) => levelOf([{ kind, body: EMPTY } as never]) !== null);
    expect(kinds.length - later.length, "a new kind needs its level in journal-level.ts").toBe(FIRST_LEVEL);
    const levels = later.map((kind) => levelOf([{ kind, body: EMPTY } as never]) ?? 0);
    expect(Math.min(...levels)).toBeGreaterThan(FIRST_LEVEL);
    expect(Math.max(...levels)).toBeLessThanOrEqual(JOURNAL_LEVEL);
  });

  test("is 58 where a step may be repeated, or a call was never sent", () => {
    const finished = (over: object): NewEvent => ({ kind: "step_finished", body: aResult(over) });
    expect(levelOf([finished({})])).toBeNull();
    expect(levelOf([finished({ never_sent: true })])).toBe(58);
    const step = { kind: "cmd", value: "a" } as const;
    expect(levelOf([pinning(procedureOf([step]))])).toBeNull();
    expect(levelOf([pinning(procedureOf([{ ...step, idempotent: true }]))])).toBe(58);
    expect(JOURNAL_LEVEL).toBeGreaterThanOrEqual(58);
  });

  test("rises with the processes that a step has left (promises 3.5)", () => {
    const left_processes = { ended: 1, running: 0, names: ["sleep"] };
    expect(levelOf([{ kind: "step_finished", body: aResult() }])).toBeNull();
    expect(levelOf([{ kind: "step_finished", body: aResult({ left_processes }) }])).toBe(63);
    expect(JOURNAL_LEVEL).toBeGreaterThanOrEqual(63);
  });

  test.each([
    ["names tools", { findings: [], tools: [] }],
    ["names a change since the promotion", { findings: [{ code: "safety.not_as_promoted" }] }],
    ["names what runs later", { findings: [{ code: "agent.runs_later" }] }],
  ])("rises with a judgement that %s", (_, body) => {
    expect(levelOf([{ kind: "policy_judged", body } as never])).toBe(62);
  });

  test("is 65 where the list of a tool server could not be read", () => {
    const body = { findings: [{ code: "tool.list_unread" }] };
    expect(levelOf([{ kind: "policy_judged", body } as never])).toBe(65);
    expect(JOURNAL_LEVEL).toBeGreaterThanOrEqual(65);
  });

  test("is that of its highest event, and none where every version can read it", () => {
    expect(levelOf([])).toBeNull();
    expect(levelOf([CANCEL])).toBeNull();
    expect(levelOf([LATE, CANCEL])).toBe(53);
  });

  test.each([
    [53, null, true],
    [null, null, true],
    [53, 53, true],
    [53, 54, false],
    [null, 53, false],
  ])("a server of level %s reads a journal that needs level %s: %s", (level, needs_level, can) => {
    expect(canRead(level, needs_level)).toBe(can);
  });

  test("is waited for where no server has it that takes tasks", () => {
    const server = (journal_level: number | null, draining = false) => ({ journal_level, draining });
    expect(levelWithoutServer([server(53)], null)).toBeNull();
    expect(levelWithoutServer([server(53), server(54)], 54)).toBeNull();
    expect(levelWithoutServer([server(53), server(54, true), server(null)], 54)).toBe(54);
    expect(levelWithoutServer([], 54)).toBe(54);
  });
});
