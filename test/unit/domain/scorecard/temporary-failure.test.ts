// Whether the words of a failure are those of a temporary reason of its environment.
import { describe, expect, test } from "vitest";
import type { JournalEvent, NewEvent } from "../../../../src/domain/journal.ts";
import { failedBeforeActing, failedTemporarily, isTemporary } from "../../../../src/domain/scorecard/task-score.ts";
import type { StepResult } from "../../../../src/domain/step.ts";
import { journalOf } from "../../../support/builders.ts";

const failure = (stderr: string, over: object = {}) => ({ stdout: "", stderr, timed_out: false, ...over });

describe("promises 3.8: a failure", () => {
  test.each([
    "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server",
    "curl: (6) Could not resolve host: nas.lan",
    "ssh: connect to host nas port 22: Connection refused",
    "ssh: connect to host nas port 22: No route to host",
    "ssh: connect to host nas port 22: Connection timed out",
    "ssh: Could not resolve hostname nas: Temporary failure in name resolution",
    "bash: connect: Connection refused\nbash: line 1: /dev/tcp/127.0.0.1/9: Connection refused",
    "ConnectionRefusedError: [Errno 111] Connection refused",
    "Error: connect ECONNREFUSED 127.0.0.1:5432",
    "wget: unable to connect to host",
    "dial tcp 10.0.0.5:6443: connect: network is unreachable",
    "dial tcp: lookup registry.lan: no such host",
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt)",
    "fatal: Unable to create '/srv/app/.git/index.lock': File exists.",
    "Error: database is locked",
    "toomanyrequests: You have reached your pull rate limit.",
    "mount: device or resource busy",
  ])("is temporary: %s", (stderr) => {
    expect(isTemporary(failure(stderr))).toBe(true);
    expect(isTemporary(failure("", { stdout: stderr })), "on stdout").toBe(true);
  });

  test.each([
    "cp: cannot create regular file '/srv/x': Permission denied",
    "bash: line 1: frobnicate: command not found",
    "error: timed out waiting for the condition",
    "1 test failed: expected 404 to be 200",
    "curl: (22) The requested URL returned error: 404",
    "No space left on device",
    "",
  ])("says something of the procedure: %s", (stderr) => {
    expect(isTemporary(failure(stderr))).toBe(false);
  });

  test("is judged by its last words, and not at its time limit", () => {
    const coped = `connection refused, trying again\n${"ok\n".repeat(12)}error: wrong password`;
    expect(isTemporary(failure(coped))).toBe(false);
    expect(isTemporary(failure("Connection refused", { timed_out: true }))).toBe(false);
    expect(isTemporary(failure("error: wrong password", { stdout: "Connection refused" }))).toBe(false);
  });
});

const finished = (index: number, over: Partial<StepResult> = {}): NewEvent => ({
  kind: "step_finished",
  body: {
    index,
    kind: "cmd",
    status: "failed",
    attempt: 1,
    exit_code: 1,
    stdout: "",
    stderr: "Connection refused",
    stdout_bytes: 0,
    stderr_bytes: 0,
    truncated: false,
    started_at: "2026-01-01T00:00:00.000Z",
    duration_ms: 1,
    timed_out: false,
    ...over,
  },
});
const verdict = (step_index: number, reason_code: "step_failed" | "check_failed"): NewEvent => ({
  kind: "verdict_reached",
  body: { passed: false, reason_code, step_index, checks: [], uncovered_criteria: [] },
});
const of = (...events: NewEvent[]): readonly JournalEvent[] => journalOf(...events);
const passed = finished(0, { status: "passed", exit_code: 0, stderr: "" });
const wrong = { stderr: "error: wrong password" };

describe("promises 3.8: a run", () => {
  test.each([
    ["whose step was refused", of(finished(0), verdict(0, "step_failed")), true, true],
    ["whose step failed by itself", of(finished(0, wrong), verdict(0, "step_failed")), false, false],
    [
      "whose first step was refused before a second one failed",
      of(passed, finished(1, wrong), verdict(1, "step_failed")),
      false,
      false,
    ],
    [
      "whose failure was called transient, and came again",
      of(
        finished(0, wrong),
        { kind: "retry_granted", body: { index: 0 } },
        finished(0, { ...wrong, attempt: 2 }),
        verdict(0, "step_failed"),
      ),
      true,
      true,
    ],
    [
      "with a retry of another step",
      of(
        finished(0, wrong),
        { kind: "retry_granted", body: { index: 0 } },
        passed,
        finished(1, wrong),
        verdict(1, "step_failed"),
      ),
      false,
      false,
    ],
    [
      "whose check was refused before anything acted",
      of(finished(0, { kind: "check" }), verdict(0, "check_failed")),
      true,
      true,
    ],
    [
      "whose check was refused after a step",
      of(passed, finished(1, { kind: "check" }), verdict(1, "check_failed")),
      true,
      false,
    ],
    ["without a verdict", of(finished(0)), false, false],
  ])("%s", (_what, events, temporary, says_nothing_of_the_first_run) => {
    expect(failedTemporarily(events)).toBe(temporary);
    expect(failedBeforeActing(events)).toBe(says_nothing_of_the_first_run);
  });
});
