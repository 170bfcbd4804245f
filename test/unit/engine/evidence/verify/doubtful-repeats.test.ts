// Repeats that earlier versions granted although an answer was lost: the scorecard counts them, and the bundle still verifies.
import { expect, test } from "vitest";
import type { NewEvent } from "../../../../../src/domain/journal.ts";
import type { Step, StepResult } from "../../../../../src/domain/step.ts";
import { brokenPromises, doubtfulRepeats } from "../../../../../src/engine/evidence/verify/promises.ts";
import { aContract, aResult, check, cmd, journalOf, mcpCall } from "../../../../support/builders.ts";
import { pinning, procedureOf } from "../../../../support/pipeline-parts.ts";

const POST = cmd("curl -fsS -X POST http://h/x");
const CALL = mcpCall({ server: "pay", tool: "charge" });
const RESET: Partial<StepResult> = { exit_code: 56, stderr: "curl: (56) Recv failure: Connection reset by peer" };
const NO_ANSWER: Partial<StepResult> = { exit_code: 1, stderr: "Request timed out" };

/** The first step fails, and runs again because its failure was called transient. */
function journal(step: Step, ended: Partial<StepResult>, { isRetried = true, isRepeatable = false } = {}) {
  const started = (attempt: number): NewEvent => ({
    kind: "step_started",
    body: { index: 0, attempt, ...(isRepeatable && { repeatable: true }) },
  });
  const { kind } = step;
  const finished: NewEvent = { kind: "step_finished", body: aResult({ kind, status: "failed", ...ended }) };
  const again: NewEvent[] = [{ kind: "retry_granted", body: { index: 0 } }, started(2)];
  return journalOf(
    { kind: "task_accepted", body: { contract: aContract(), contract_digest: "" } },
    pinning(procedureOf([step, check("test -e x")])),
    started(1),
    finished,
    ...(isRetried ? again : []),
  );
}

test.each<[string, Step, Partial<StepResult>]>([
  ["a request that changes something", POST, RESET],
  ["a command on another host", cmd("ssh nas ./deploy.sh"), { exit_code: 255, stderr: "" }],
  ["a call of a tool", CALL, NO_ANSWER],
])("%s whose answer was lost, and that ran again, is a broken promise", (_what, step, ended) => {
  expect(doubtfulRepeats(journal(step, ended))).toEqual([0]);
  expect(brokenPromises(journal(step, ended))).toContain("once");
});

test.each<[string, Step, Partial<StepResult>, object]>([
  ["a request that was not repeated", POST, RESET, { isRetried: false }],
  ["a request that was refused", POST, { exit_code: 7, stderr: "curl: (7) Failed to connect: Connection refused" }, {}],
  ["a request that only reads", cmd("curl -fsS http://h/x"), RESET, {}],
  ["a command that changes this machine alone", cmd("touch x"), { exit_code: 1, stderr: "timed out" }, {}],
  ["a step that says that it is idempotent", { ...POST, idempotent: true } as Step, RESET, {}],
  ["a check", check("curl -fsS http://h/x"), RESET, {}],
  ["a call that reached no server", CALL, { ...NO_ANSWER, never_sent: true }, {}],
  ["a call without a handshake, of an earlier version", CALL, { exit_code: 1, stderr: "no handshake: timed out" }, {}],
  ["a call of a tool that may be repeated", CALL, NO_ANSWER, { isRepeatable: true }],
  ["a call that says that it failed", CALL, { exit_code: 1, stderr: "no such account" }, {}],
])("%s is none", (_what, step, ended, more) => {
  expect(doubtfulRepeats(journal(step, ended, more))).toEqual([]);
});
