// A task's life: each status x each transition, as the table in ARCHITECTURE.md has it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import { outcome, TASK_STATUSES } from "../../../../src/domain/outcome.ts";
import type { Task } from "../../../../src/domain/task.ts";
import { answer, answerApproval } from "../../../../src/engine/tasks/answer-pause.ts";
import {
  acceptConflict,
  cancel,
  cancelConflict,
  claim,
  end,
  isRefusal,
  pause,
  refusalError,
  requestCancel,
  type Transition,
  type TransitionRefusal,
} from "../../../../src/engine/tasks/transitions.ts";
import { aContract } from "../../../support/builders.ts";
import { ACCEPTED, APPROVAL, APPROVED, anApproval, LATER, PROCEDURE, TEACHING, taskIn } from "./a-task.ts";

type TaskChange = Extract<Change, { on: "task" }>;
const taskChange = ({ changes }: Transition): TaskChange | undefined =>
  changes.find(({ on }) => on === "task") as never;

/** The status of a task after a transition, as a store would apply it: what is expected has to hold. */
function after(task: Task, transition: Transition | TransitionRefusal): string {
  if (isRefusal(transition)) return transition.code === "task_ended" ? "refused" : "-";
  const change = taskChange(transition);
  if (change === undefined) return task.status;
  const { status, interrupt_id } = change.expect;
  const holds =
    status.includes(task.status) && (interrupt_id ?? task.waiting?.interrupt_id) === task.waiting?.interrupt_id;
  return holds ? (change.set.status ?? task.status) : "-";
}

const task_id = ACCEPTED.task_id;
const ended = (status: "ok" | "failed" | "blocked" | "cancelled", over: object = {}) =>
  end({
    task_id,
    outcome: outcome(status, "verified", "It ended.", { thread_id: task_id }),
    at: LATER,
    procedure: PROCEDURE,
    withdrawn: [],
    ...over,
  });
const paused = (status: "need_input" | "need_approval") =>
  pause({
    task_id,
    outcome: outcome(status, "sop_unknown", "It asks.", { thread_id: task_id }),
    procedure: PROCEDURE,
    waiting: status === "need_input" ? TEACHING : APPROVAL,
    keeps_target: false,
  });
const noted = { reason: null, job: null, at: LATER, withdrawn: [], restored: null };

/** The columns of the table: everything that a transition may be asked for in a status. */
const COLUMNS: Record<string, (task: Task) => (Transition | TransitionRefusal)[]> = {
  claim: () => [claim({ task_id, owner: "server-1", lease_expires_at: LATER, recovery: false })],
  pause: () => [paused("need_input"), paused("need_approval")],
  answer: (task) => [
    answer(task, { kind: "teaching", procedure: PROCEDURE }),
    answerApproval(anApproval(), APPROVED, LATER),
  ],
  end: () => [ended("ok"), ended("failed"), ended("blocked"), ended("cancelled")],
  cancel: (task) => [cancel(task, noted)],
};

function tableOfArchitecture(): Map<string, Record<string, string>> {
  const text = readFileSync(join(import.meta.dirname, "../../../../ARCHITECTURE.md"), "utf8");
  const [head = [], , ...rows] = text
    .slice(text.indexOf("## Task status"))
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(
    rows.map((cells) => [
      (cells[1] ?? "").replaceAll("`", ""),
      Object.fromEntries(head.flatMap((name, place) => (name in COLUMNS ? [[name, cells[place] ?? ""]] : []))),
    ]),
  );
}

describe("the table of statuses in ARCHITECTURE.md", () => {
  const table = tableOfArchitecture();

  test("has a row for every status", () => {
    expect([...table.keys()]).toEqual([...TASK_STATUSES]);
  });

  test.each(TASK_STATUSES.flatMap((status) => Object.keys(COLUMNS).map((column) => [status, column] as const)))(
    "is what happens to a task that is %s on %s",
    (status, column) => {
      const task = taskIn(status);
      const results = (COLUMNS[column]?.(task) ?? []).map((transition) => after(task, transition));
      const next = [...new Set(results.filter((result) => result !== "-"))].map((result) =>
        result === "refused" ? result : `\`${result}\``,
      );
      expect(next.join(", ") || "-").toBe(table.get(status)?.[column]);
    },
  );
});

describe("accept", () => {
  test("takes the same contract again as the same task, and refuses another one under its id", () => {
    expect(acceptConflict(ACCEPTED, aContract())).toBeNull();
    const refusal = acceptConflict(ACCEPTED, aContract({ requested_by: "another" }));
    expect(refusal).toMatchObject({ code: "task_exists", current: { task_id, status: "accepted" } });
  });
});

describe("claim", () => {
  test("alone sets a lease, which a pause and an end clear, and says whether it recovers the task", () => {
    const claimed = claim({ task_id, owner: "server-1", lease_expires_at: LATER, recovery: true });
    expect(claimed.events).toEqual([{ kind: "taken_up", body: { owner: "server-1", recovery: true } }]);
    expect(taskChange(claimed)?.set).toEqual({ status: "running", owner: "server-1", lease_expires_at: LATER });
    for (const other of [paused("need_input"), ended("ok"), cancel(taskIn("running"), noted)] as Transition[]) {
      expect(taskChange(other)?.set).toMatchObject({ owner: null, lease_expires_at: null });
    }
  });
});

describe("pause", () => {
  test("changes only the approval of a promotion", () => {
    const asked = {
      outcome: outcome("need_approval", "promotion_pending", "It asks.", { thread_id: task_id }),
      waiting: APPROVAL,
    };
    const { changes } = pause({ task_id: null, ...asked, procedure: null, keeps_target: false });
    expect(changes.map(({ on }) => on)).toEqual(["approval"]);
  });
});

describe("end", () => {
  const counts = ({ changes }: Transition) => changes.filter(({ on }) => on === "sop_counted");
  const verdict = {
    passed: true,
    reason_code: "verified",
    step_index: null,
    checks: [],
    uncovered_criteria: [],
  } as const;

  test("moves the counter of the SOP on a verdict, and on no other end", () => {
    expect(counts(ended("ok", { verdict }))).toEqual([
      { on: "sop_counted", sop_id: "s-1", passed: true, proved: false },
    ]);
    expect(counts(ended("ok", { verdict, proved: true }))).toMatchObject([{ proved: true }]);
    expect(counts(ended("blocked"))).toEqual([]);
    expect(counts(ended("failed", { verdict: { ...verdict, reason_code: "engine_unreachable" } }))).toEqual([]);
    expect(counts(ended("ok", { verdict: { ...verdict, reason_code: "already_done" } }))).toEqual([]);
    expect(counts(ended("ok", { verdict, procedure: { ...PROCEDURE, sop_id: null } }))).toEqual([]);
  });

  test("without a candidate writes its report and nothing else", () => {
    const { events, changes } = ended("ok");
    expect(events.map(({ kind }) => kind)).toEqual(["reported"]);
    expect(changes.map(({ on }) => on)).toEqual(["task", "target_freed"]);
  });

  test("with a status that is no end is a bug", () => {
    const asked = outcome("need_input", "sop_unknown", "It asks.", { thread_id: task_id });
    expect(() => ended("ok", { outcome: asked })).toThrow("cannot end with the status need_input");
  });
});

describe("cancel", () => {
  test("is a request when a server works on the task", () => {
    expect(requestCancel(null)).toEqual({
      events: [{ kind: "cancel_requested", body: { reason: null } }],
      changes: [],
    });
  });

  test("writes nothing once more, and is refused with the task after another end", () => {
    expect([cancelConflict(taskIn("cancelled")), cancelConflict(taskIn("running"))]).toEqual([null, null]);
    expect(cancel(taskIn("cancelled"), noted)).toEqual({ events: [], changes: [] });
    const refusal = cancelConflict(taskIn("ok"));
    expect(refusal).toMatchObject({ code: "task_ended", current: { task_id, status: "ok" } });
    if (refusal !== null) expect(refusalError(refusal)).toMatchObject({ code: "task_ended", message: refusal.message });
  });
});
