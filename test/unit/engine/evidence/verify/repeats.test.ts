// A step that started twice has its licence in the journal, and what a reconcile command settled follows from what it said.
import { expect, test } from "vitest";
import type { NewEvent } from "../../../../../src/domain/journal.ts";
import type { Reconciliation } from "../../../../../src/domain/reconcile.ts";
import type { Step } from "../../../../../src/domain/step.ts";
import { repeatFault } from "../../../../../src/engine/evidence/verify/walk.ts";
import { evolve, initial } from "../../../../../src/engine/tasks/projection.ts";
import { aResult, check, cmd, journalOf, mcpCall } from "../../../../support/builders.ts";
import { pinning, procedureOf } from "../../../../support/pipeline-parts.ts";

const STEP = { ...cmd("touch x"), reconcile: "test -e x" } as Step;
const started = (attempt = 1, index = 0): NewEvent => ({ kind: "step_started", body: { index, attempt } });
const claimed = (over: object = { cleared: true }): NewEvent => ({
  kind: "taken_up",
  body: { owner: "me", recovery: true, ...over },
});
const reconciled = (over: Partial<Reconciliation> = {}): NewEvent => ({
  kind: "step_reconciled",
  body: {
    index: 0,
    attempt: 1,
    exit_code: 1,
    timed_out: false,
    stdout: "",
    stderr: "",
    duration_ms: 1,
    says: "not_done",
    may_run: null,
    settles: "retry",
    ...over,
  },
});
const ended = (status: "passed" | "failed"): NewEvent => ({ kind: "step_finished", body: aResult({ status }) });

function faults(step: Step, ...events: NewEvent[]): string[] {
  const state = initial();
  return journalOf(pinning(procedureOf([step, check("test -e x")])), ...events).flatMap((event) => {
    const fault = repeatFault(event, state);
    evolve(state, event);
    return fault === null ? [] : [fault];
  });
}

test.each<[string, NewEvent[]]>([
  ["a step that ran once", [started(), ended("passed"), started(1, 1)]],
  ["a check that was cut off", [started(), ended("passed"), started(1, 1), claimed(), started(1, 1)]],
  ["a retry that was granted", [started(), ended("failed"), { kind: "retry_granted", body: { index: 0 } }, started(2)]],
  ["a reconcile command that says not done", [started(), claimed(), reconciled(), started(2)]],
  [
    "the word of the supervisor",
    [
      ...[started(), claimed(), reconciled({ exit_code: 2, says: "cannot_tell", settles: null })],
      { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: null } },
      started(2),
    ],
  ],
])("%s is sound", (_what, events) => expect(faults(STEP, ...events)).toEqual([]));

const SETTLES = "settles a step in a way that does not follow from the exit code of its reconcile command";
const CERTAIN = "says that nothing of a step can run, and that is not certain";

test.each<[string, Step, NewEvent[], string]>([
  ["a licence from another exit code", STEP, [started(), claimed(), reconciled({ exit_code: 2 })], SETTLES],
  [
    "a licence from a command that said done",
    STEP,
    [started(), claimed(), reconciled({ exit_code: 0, says: "done" })],
    SETTLES,
  ],
  ["a licence although the server before may live", STEP, [started(), claimed({}), reconciled()], CERTAIN],
  [
    "a licence for a tool call",
    { ...mcpCall(), reconcile: "ls" } as Step,
    [started(), claimed(), reconciled()],
    CERTAIN,
  ],
  [
    "a step without a reconcile command",
    cmd("touch x"),
    [started(), claimed(), reconciled()],
    "reconciles a step that has no reconcile command",
  ],
  [
    "a step that has ended",
    STEP,
    [started(), ended("passed"), reconciled()],
    "reconciles a step whose outcome is not unknown",
  ],
])("%s is found", (_what, step, events, fault) => expect(faults(step, ...events)).toContain(fault));
