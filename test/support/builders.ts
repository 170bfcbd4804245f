// Valid values to vary in tests.
import type { z } from "zod";
import type { Rollback, SetBack } from "../../src/domain/approval.ts";
import { TaskContract } from "../../src/domain/contract.ts";
import { chain, type JournalEvent, type NewEvent } from "../../src/domain/journal.ts";
import { Step, type StepResult } from "../../src/domain/step.ts";

export const AT = "2026-03-06T09:00:00.000Z";

/** Of an SOP that nothing is known of, and that is not on trial. */
export const UNTRIED = {
  level: "defined",
  proved_on: null,
  trial_left: 0,
  replaced_sop_id: null,
  promotion_round: 1,
  record_since: null,
} as const;

/** A contract as it crosses the wire. */
export const contractBody = (over: Record<string, unknown> = {}) => ({
  task_id: "t-1",
  intent: "deploy",
  target: { service: "web", environment: "prod" },
  delegation_mode: "teach_if_unknown",
  constraints: { implicit_scope: [], require_approval_for: [], max_minutes: 1 },
  success_criteria: ["the page is served"],
  requested_by: "brain",
  requested_at: AT,
  payload: {},
  ...over,
});

export const aContract = (over: Record<string, unknown> = {}): TaskContract => TaskContract.parse(contractBody(over));

export const cmd = (value: string): Step => ({ kind: "cmd", value });
export const check = (value: string): Step => ({ kind: "check", value });
export const polled = (value: string, within: string): Step => ({ kind: "check", value, within });
export const wait = (value: string): Step => ({ kind: "wait", value });
export const mcpCall = (over: Partial<z.input<typeof Step>> = {}): Step =>
  Step.parse({ kind: "mcp_call", server: "notes", tool: "create_note", arguments: {}, ...over });

export const aResult = (over: Partial<StepResult> = {}): StepResult => ({
  index: 0,
  kind: "cmd",
  status: "passed",
  attempt: 1,
  exit_code: 0,
  stdout: "",
  stderr: "",
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  started_at: AT,
  duration_ms: 1,
  timed_out: false,
  ...over,
});

export const journalOf = (...events: NewEvent[]): JournalEvent[] => chain("t-1", null, events, AT);

/** Of a version whose one run was found wrong outside of orch. */
export const aSetBack = (over: Partial<SetBack> = {}): SetBack => ({
  rule: "refuted",
  why: "refuted: 0 of 1 verified",
  holds: true,
  failures: [],
  earlier: null,
  record: { since: null, runs: 1, passed: 1, streak: 0, verified: 0, refuted: 1 },
  refutations: [
    { task_id: "t-1", verification: { verified: false, source: "the page", note: "it is empty", recorded_at: AT } },
  ],
  ...over,
});

export const aRollback = (over: Partial<Rollback> = {}): Rollback => ({
  to: { sop_id: "s-1", version: 1 },
  from: { sop_id: "s-2", version: 2 },
  diff: [{ is: "added", step_index: 0, step: "cmd cp a b" }],
  record: { since: AT, runs: 3, passed: 2, streak: 1, verified: 1, refuted: 1 },
  ...over,
});
