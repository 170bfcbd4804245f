// A task as text, when its message has several lines.
import { expect, test } from "vitest";
import { outcome } from "../../../src/domain/outcome.ts";
import { AT } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { littleServer } from "../../support/cli-server.ts";

const FAILED = outcome("failed", "step_failed", "The step failed:\n  line two\n  line three", {
  thread_id: "t-1",
});
const summary = {
  task_id: "t-1",
  status: "failed",
  label: "FAILED",
  intent: "deploy",
  target: {},
  target_signature: "",
  delegation_mode: "known_only",
  outcome: FAILED,
  waiting: null,
  next: FAILED.next,
  queued_behind: null,
  queued_for: null,
  runs_on: null,
  sop_id: null,
  sop_version: null,
  backend: "local",
  verification: null,
  created_at: AT,
  updated_at: AT,
  ended_at: AT,
};

const shown = async (command: string, body: unknown) => {
  await using server = await littleServer(() => ({ body }));
  const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
  return (await runInProcess(command.split(" "), { environment })).stdout;
};

test("a task that waits for its engine says what for, since when, and how often orch asked", async () => {
  const waits_for = { on: "queue", message: "the job is in the queue", since: AT, tries: 7 };
  const running = { ...summary, status: "running", label: "RUNNING", outcome: null, next: [], ended_at: null };
  const text = await shown("task t-1", {
    ...running,
    steps: [],
    checks: [],
    verify: null,
    waits_for,
    progress: null,
    result: null,
  });
  expect(text).toContain(`waits for  the job is in the queue; since ${AT}, asked 7 times\n`);
});

test("a task that needs labels says which, and in the words of the server what it waits for", async () => {
  const waiting = { ...summary, status: "accepted", label: "ACCEPTED", outcome: null, next: [], ended_at: null };
  const waiting_text = "Waits for a server with the label zfs.";
  const placed = { ...waiting, runs_on: ["docker", "zfs"], queued_for: ["zfs"], waiting_for: "labels", waiting_text };
  const rest = { steps: [], checks: [], verify: null, waits_for: null, progress: null, result: null };
  const text = await shown("task t-1", { ...placed, ...rest });
  expect(text).toContain(`why       ${waiting_text}\n`);
  expect(text).toContain("runs on   servers with docker, zfs\n");
  expect(await shown("tasks", { tasks: [placed], next_after: null, quarantined: [] })).toContain(` ${waiting_text}\n`);
  const engine = { ...waiting, backend: "flowengine", runs_on: ["docker", "zfs"], queued_for: null };
  expect(await shown("task t-1", { ...engine, ...rest })).toContain("runs on   the flow engine, tag docker+zfs\n");
});

test("the list of tasks shows one line of a message", async () => {
  const lines = (await shown("tasks", { tasks: [summary], next_after: null, quarantined: [] })).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^t-1 .* The step failed: \.\.\.$/);
});

test("a task and a message are shown with every line", async () => {
  const whole = /^ +(why +)?The step failed:\n +line two\n +line three \(step_failed\)$/m;
  const text = await shown("task t-1", {
    ...summary,
    steps: [],
    checks: [],
    verify: null,
    waits_for: null,
    progress: null,
    result: null,
  });
  expect(text).toMatch(whole);
  expect(text, "what a failing step wrote is not in it").toMatch(/^ +output +orch task t-1 --follow$/m);
  const message = { cursor: 1, thread_id: "t-1", at: AT, outcome: FAILED };
  expect(await shown("messages", { messages: [message], next_cursor: 1 })).toMatch(whole);
});

test("the result of a skill is shown below the task, with a note of how much was left out", async () => {
  const left = outcome("failed", "skill_failed", "A note was left out.", {
    thread_id: "t-1",
    skill_code: "partly_moved",
  });
  const view = {
    ...summary,
    outcome: left,
    steps: [],
    checks: [],
    verify: null,
    waits_for: null,
    progress: { done: 3, total: 50, text: "notes read" },
  };
  const short = await shown("task t-1", { ...view, result: { note_id: "n1", title: "a\u001b[2Jb" } });
  expect(short).toContain("A note was left out. (skill_failed: partly_moved)\n");
  expect(short).toContain("progress  3 of 50  notes read\n");
  expect(short).toContain('\n  result\n    {"note_id": "n1", "title": "a\\u001b[2Jb"}\n');
  const long = await shown("task t-1", { ...view, result: Array.from({ length: 100 }, (_, index) => index) });
  expect(long).toContain("\n    ... 62 more lines: orch task t-1 --json\n");
});

test("the list of tasks shows at a glance what the checks of a task are worth", async () => {
  const none = { proved: 0, sensitive: 0, unproved: 0, cannot_tell: 0, not_possible: 0, became_true: 0 };
  const proofs = [
    { ...none, checks: 2, proved: 2 },
    { ...none, checks: 3, proved: 1, unproved: 2 },
    { ...none, checks: 2, unproved: 1, sensitive: 1 },
    { ...none, checks: 1, cannot_tell: 1 },
    { ...none, checks: 1, not_possible: 1 },
    { ...none, checks: 1, sensitive: 1 },
    null,
  ];
  const tasks = proofs.map((proof) => {
    const done = outcome("ok", "verified", "Done.", { thread_id: "t-1", proof });
    return { ...summary, status: "ok", label: "DONE", outcome: done, next: done.next };
  });
  const [head, ...rows] = (await shown("tasks", { tasks, next_after: null, quarantined: [] })).trimEnd().split("\n");
  const column = (line = "") => line.split(/ {2,}/)[2];
  expect(column(head)).toBe("PROOF");
  expect(rows.map(column)).toEqual([
    ...["2 proved", "1 of 3 proved", "unproved", "cannot tell", "not possible", "sensitive", "-"],
  ]);
});
