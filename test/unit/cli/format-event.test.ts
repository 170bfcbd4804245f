import { describe, expect, test } from "vitest";
import { createEventFormat } from "../../../src/cli/follow-task.ts";
import { EVENT_BODIES, type NewEvent } from "../../../src/domain/journal.ts";
import { outcome } from "../../../src/domain/outcome.ts";
import { lateResult } from "../../../src/domain/reconcile.ts";
import { agentJournal, checked } from "../../support/agent-journal.ts";
import { AT, aContract, aResult, aSetBack, check, cmd, journalOf } from "../../support/builders.ts";

const PROCEDURE = {
  sop_id: null,
  sop_version: null,
  steps: [cmd("echo a\necho b"), check("true")],
  criteria: [],
  safety_level: "standard",
  preconditions: [],
} as const;
const STORED = {
  ...PROCEDURE,
  steps: [...PROCEDURE.steps],
  criteria: [],
  preconditions: [],
  sop_id: "s-1",
  sop_version: 3,
};
const FINDING = {
  step_index: 0,
  verdict: "ask",
  code: "dyn.program",
  reason: "cannot be told",
  command: null,
  category: null,
} as const;
const DECISION = { decision: "reject", reason: "not on friday", decided_by: "me", token_id: "approver" } as const;

const JOB_ID = "0190a1b2-0000-7000-8000-000000000001";

/** One of each kind. */
const { task_id: _task_id, requested_at: _requested_at, ...CONTRACT } = aContract();

const HELD_BY = { freeze_id: "freeze-1a2b3c4d", reason: "power", until: null };
const EVENTS: readonly NewEvent[] = [
  { kind: "task_accepted", body: { contract: aContract(), contract_digest: "d" } },
  { kind: "taken_up", body: { owner: "o", recovery: true } },
  { kind: "sop_pinned", body: STORED },
  { kind: "taught", body: { ...STORED, sop_id: null, sop_version: null } },
  { kind: "policy_judged", body: { findings: [FINDING] } },
  {
    kind: "gate_answered",
    body: {
      question: "error",
      about: "x",
      answer: { class: "unknown" },
      fallback: "no model",
      model: null,
      latency_ms: 1,
    },
  },
  { kind: "approval_requested", body: { approval_id: "a-1", kind: "plan", digest: "d" } },
  { kind: "approval_decided", body: { ...DECISION, approval_id: "a-1", status: "rejected" } },
  { kind: "step_started", body: { index: 0, attempt: 2 } },
  {
    kind: "step_finished",
    body: aResult({
      status: "failed",
      exit_code: 7,
      duration_ms: 1234,
      stderr: "1\n2\n3\n4\n5\n6\n7\n8\n9\n\u001b[2J10\n",
    }),
  },
  { kind: "job_progressed", body: { job_id: JOB_ID, lines: ["orch: step 0 cmd started", "\u001b[2Jsecond"] } },
  {
    kind: "job_waits",
    body: { job_id: JOB_ID, wait: { on: "queue", message: "the job is in the queue", since: AT }, tries: 2 },
  },
  {
    kind: "job_ended",
    body: { job_id: JOB_ID, code: "flow_crashed", message: "flow engine: the job failed", raw_result: null },
  },
  { kind: "skill_step_started", body: { index: 0, attempt: 2, name: "move a note" } },
  {
    kind: "skill_step_finished",
    body: { index: 0, attempt: 2, ok: false, value: null, message: "it is gone", calls: [], duration_ms: 12 },
  },
  { kind: "skill_progressed", body: { done: 1, total: 3, text: "notes moved" } },
  { kind: "skill_ended", body: { status: "failed", code: "lost", message: "A note is gone." } },
  ...agentJournal([[checked("true", { result: null })]]),
  { kind: "agent_finished", body: { index: 1, summary: "It is done.", criteria: [], done: true } },
  { kind: "agent_stopped", body: { reason_code: "agent_idle", message: "The model has called no tool." } },
  { kind: "unparked", body: { reason: "the power failed" } },
  { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: "it did nothing" } },
  {
    kind: "step_reconciled",
    body: {
      index: 0,
      attempt: 1,
      exit_code: 1,
      timed_out: false,
      stdout: "",
      stderr: "",
      duration_ms: 5,
      says: "not_done",
      may_run: null,
      settles: "retry",
    },
  },
  { kind: "retry_granted", body: { index: 0 } },
  {
    kind: "checks_looked_at",
    body: { looks: [{ step_index: 1, answer: "red", exit_code: 1, reason: null, duration_ms: 5, printed: "" }] },
  },
  {
    kind: "checks_examined",
    body: {
      checks: [
        {
          step_index: 1,
          constant: null,
          chance: null,
          names_target: true,
          reads_before: false,
          joined: false,
          red_at: null,
          control: { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false },
          decoy: null,
        },
      ],
    },
  },
  {
    kind: "verdict_reached",
    body: { passed: false, reason_code: "check_failed", step_index: 1, checks: [], uncovered_criteria: [] },
  },
  { kind: "sop_changed", body: { sop_id: "s-1", version: 2, status: "candidate", why: "taught" } },
  {
    kind: "sop_examined",
    body: {
      level: "tried",
      proved_on: null,
      warnings: ["It is new."],
      steps: [],
      checks: [],
      runs: [],
      compared_to: null,
      diff: null,
    },
  },
  { kind: "sop_trial_failed", body: { sop_id: "s-1", version: 2, active_version: 1, message: "The trial failed." } },
  {
    kind: "sop_set_back",
    body: { sop_id: "s-1", version: 2, approval_id: "a-1", set_back: aSetBack(), message: "It was set back." },
  },
  {
    kind: "sop_failing",
    body: { sop_id: "s-1", version: 2, rule: "streak", tasks: ["t-1"], earlier: null, message: "It fails." },
  },
  {
    kind: "schedule_added",
    body: { contract: CONTRACT, every: "5m", cron: null, timezone: null, next_due: AT },
  },
  { kind: "schedule_paused", body: {} },
  { kind: "schedule_resumed", body: { next_due: AT } },
  { kind: "schedule_restored", body: { taken_at: AT, dropped: AT, next_due: AT } },
  { kind: "schedule_removed", body: {} },
  { kind: "schedule_due", body: { due: AT, task_id: "web-up-1", missed: 2, next_due: AT } },
  { kind: "schedule_skipped", body: { due: AT, running: "web-up-1", missed: 0, next_due: AT } },
  { kind: "schedule_held", body: { due: AT, held_by: HELD_BY, missed: 0, next_due: AT } },
  {
    kind: "frozen",
    body: {
      intent: "deploy",
      target_signature: "service=web",
      except_diagnostics: false,
      reason: "power",
      frozen_by: "ann",
    },
  },
  { kind: "thawed", body: { thawed_by: "bo" } },
  { kind: "held_back", body: HELD_BY },
  { kind: "schedule_submitted", body: { task_id: "web-up-1" } },
  { kind: "schedule_failed", body: { task_id: "web-up-1", message: "There is no SOP." } },
  { kind: "schedule_refused", body: { task_id: "web-up-1", message: "There is no SOP." } },
  { kind: "restored", body: { taken_at: AT } },
  { kind: "anchored", body: { day: "2026-03-06", threads: 3, root: "0".repeat(64), previous: null } },
  { kind: "cancel_requested", body: { reason: "enough" } },
  { kind: "verification_recorded", body: { verified: true, source: "dashboard", note: null } },
  { kind: "late_result", body: lateResult({ owner: "o", server: "a" }, aResult({ stdout: "moved\n" })) },
  { kind: "trace_joined", body: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } },
  { kind: "no_server", body: { runs_on: ["zfs"], missing: ["zfs"], message: "There is no server with zfs." } },
  { kind: "verification_missed", body: { verify_by: "sop:triage", task_id: null, message: "There is none." } },
  { kind: "reported", body: outcome("failed", "step_failed", "Step 0 failed.", { thread_id: "t-1" }) },
];

const plain = (_style: string, text: string) => text;
const told = () => {
  const format = createEventFormat(plain);
  return new Map(journalOf(...EVENTS).map((event) => [event.kind, format(event).map((line) => line.slice(10))]));
};

describe("every kind of event", () => {
  test("has a text of its own", () => {
    expect(EVENTS.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(EVENT_BODIES).toSorted());
    // What has no words is shown under the name of its kind.
    for (const [kind, [first = ""]] of told()) expect(first, kind).not.toMatch(/^[a-z]+_[a-z]/);
  });

  test("has a text that says what happened", () => {
    const lines = told();
    expect(lines.get("step_started")).toEqual(["step 0, attempt 2  cmd  echo a  echo b"]);
    expect(lines.get("step_finished")?.[0]).toBe("step 0             failed, exit 7, 1.2 s");
    expect(lines.get("approval_decided")?.[0]).toMatch(/rejected by me: not on friday$/);
    expect(lines.get("reported")?.[0]).toMatch(/^FAILED {13}Step 0 failed\. \(step_failed\)$/);
    expect(lines.get("taken_up")?.[0]).toContain("from its journal");
    expect(lines.get("job_progressed")).toEqual([
      "flow engine        orch: step 0 cmd started",
      expect.stringMatching(/^ +\\x1b\[2Jsecond$/),
    ]);
    expect(lines.get("skill_step_started")).toEqual(["skill step         move a note, attempt 2 ..."]);
    expect(lines.get("skill_step_finished")?.[0]).toBe("skill step         failed, 12 ms");
    expect(lines.get("skill_step_finished")?.[1]?.trim()).toBe("| it is gone");
    expect(lines.get("skill_progressed")).toEqual(["progress           1 of 3  notes moved"]);
    expect(lines.get("skill_ended")).toEqual(["skill ended        failed: lost"]);
    expect(lines.get("job_waits")).toEqual(["flow engine        it waits: the job is in the queue"]);
    expect(lines.get("job_ended")?.[0]).toBe(`flow engine        job ${JOB_ID} ended: flow_crashed`);
  });
});

test("a failing step shows the last lines of what it said, and nothing that a terminal would act on", () => {
  const lines = told().get("step_finished") ?? [];
  expect(lines).toHaveLength(9);
  expect(lines[1]?.trim()).toBe("| 3");
  expect(lines.at(-1)?.trim()).toBe("| \\x1b[2J10");
});

test("an event of another version is shown as it is", () => {
  const [event] = journalOf({ kind: "retry_granted", body: { index: 0 } });
  if (event === undefined) throw new Error("there is one event");
  const format = createEventFormat(plain);
  expect(format({ ...event, kind: "new_kind" })[0]).toMatch(/new_kind +\{"index":0\}$/);
  expect(format({ ...event, body: "other" })[0]).toMatch(/retry_granted +"other"$/);
});
