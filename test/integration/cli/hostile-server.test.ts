// A faulty or foreign server: the command line escapes control characters in every answer, and a command that it shows
// for copying runs nothing else in a shell.
import { describe, expect, test } from "vitest";
import { explain } from "../../../src/api/operations/shapes/explain.ts";
import { listMessages } from "../../../src/api/operations/shapes/journal.ts";
import { getTask, listTasks } from "../../../src/api/operations/shapes/tasks.ts";
import { Approval } from "../../../src/domain/approval.ts";
import { EVENT_BODIES, type NewEvent } from "../../../src/domain/journal.ts";
import { outcome } from "../../../src/domain/outcome.ts";
import { approve, listApprovals } from "../../../src/features/approvals/shapes.ts";
import { copySop, getSop, importSop, listSops, rollbackSop } from "../../../src/features/procedures/shapes.ts";
import { proveSop } from "../../../src/features/proof/shapes.ts";
import { recordVerification } from "../../../src/features/verification/shapes.ts";
import { AT, aContract, aResult, aRollback, aSetBack, check, cmd, journalOf, UNTRIED } from "../../support/builders.ts";
import { runInProcess } from "../../support/cli-in-process.ts";
import { littleServer, problem } from "../../support/cli-server.ts";
import { HOSTILE, poisoned } from "./poisoned.ts";

const ID = "5503fd40-284a-4e81-a28a-be5ae9eaa733";
const FINDING = {
  step_index: 0 as const,
  verdict: "ask" as const,
  code: "category.matched" as const,
  reason: "it writes",
  command: "cp a b",
  category: "writes",
};
const STEPS = [cmd("cp a b"), check("test -f b")];
const REPORTED = outcome("need_approval", "approval_required", "It asks.", {
  thread_id: "t-1",
  findings: [FINDING],
  approval_id: ID,
});
const NEXT = [{ operation: "get_task", arguments: { task_id: "t-1" }, text: "Wait." }];

const approval = {
  approval_id: ID,
  thread_id: "t-1",
  kind: "plan",
  digest: "d".repeat(64),
  reason: "It writes.",
  status: "pending",
  interrupt_id: "i",
  expires_at: AT,
  created_at: AT,
  decided_at: null,
  decision: { decision: "approve", reason: "why", decided_by: "me", token_id: "approver" },
  content: {
    intent: "deploy",
    target_signature: "service=web",
    sop_id: ID,
    sop_version: 1,
    steps: STEPS,
    criteria: [{ criterion: "b is there", step_index: 1 }],
    safety_level: "standard",
    preconditions: ["it is day"],
    findings: [FINDING],
    set_back: aSetBack(),
    rollback: aRollback(),
  },
};
const summary = {
  task_id: "t-1",
  status: "need_approval",
  label: "NEED_APPROVAL",
  intent: "deploy",
  target: { service: "web" },
  target_signature: "service=web",
  delegation_mode: "known_only",
  outcome: REPORTED,
  next: NEXT,
  waiting: { kind: "approval", interrupt_id: "i", approval_id: ID },
  queued_behind: "t-0",
  queued_for: [ID],
  sop_id: ID,
  sop_version: 1,
  backend: "local",
  runs_on: ["zfs"],
  created_at: AT,
  updated_at: AT,
  ended_at: AT,
  verification: { verified: true, source: "a probe", note: "it is up", recorded_at: AT },
};
const message = { cursor: 1, thread_id: "t-1", at: AT, outcome: REPORTED };
const step = { index: 0, kind: "cmd", command: "cp a b", status: "passed", attempt: 2, exit_code: 0, duration_ms: 1 };
const progress = { done: 1, total: 2, text: "half of it" };
const shown = {
  step_index: 0,
  criterion: "b is there",
  passed: true,
  exit_code: 0,
  seen_red: ["before"],
  change: "became_true",
  proof: "sensitive",
  reason: "it is so",
};
const warning = { step_index: 1, proof: "unproved", reason: "it is so", mends: [{ text: "test -f b", why: "so" }] };
const waits_for = { on: "queue", message: "it is in the queue", since: AT, tries: 2 };
const evidence = {
  text: "it is up",
  url: "https://web.example/",
  task_id: "t-1.verify",
  command: { command: "curl web", exit_code: 0, output: "up" },
};
const verify = { by: "sop:triage", task_id: "t-1.verify", at: AT, owed_since: AT, missed: "there is none" };
const view = {
  ...summary,
  verification: { ...summary.verification, evidence, verified_by: "sop:1 v1" },
  verify,
  steps: [step],
  checks: [shown],
  waits_for,
  progress,
  result: { found: ["a note"] },
};
const sop = {
  sop_id: ID,
  intent: "deploy",
  target_signature: "service=web",
  target: { service: "web" },
  status: "active",
  version: 1,
  steps: STEPS,
  criteria: [],
  safety_level: "standard",
  preconditions: ["it is day"],
  ...UNTRIED,
  steps_digest: "d",
  origin: "task t-1",
  last_success_at: AT,
  success_count: 1,
  failure_count: 0,
  created_at: AT,
  updated_at: AT,
};
const versionOf = ({ sop_id, version, status, level, created_at }: typeof older) => ({
  sop_id,
  version,
  status,
  level,
  created_at,
});
const proof = {
  level: "tried",
  proved_on: "service=db",
  warnings: ["it is new"],
  steps: [
    { step_index: 0, change: "changes", preview: { exit_code: null, output: "so", obstacle: "it is not known" } },
  ],
  checks: [
    { step_index: 1, criterion: "it works", class: "sensitive", seen_red: ["control"], reason: "it is so", now: "red" },
  ],
  runs: [{ task_id: "t-1", ended_at: AT, passed: true, checks: [], verified: false }],
  compared_to: 1,
  diff: [{ is: "added", step_index: 0, step: "cmd cp a b" }],
};
const older = { ...sop, sop_id: "another-one", version: 2 };
const TEACHING = { kind: "teaching", interrupt_id: "i" };
const verdict = {
  index: 0,
  kind: "cmd",
  command: "cp a b",
  environment: {},
  saw: ["cp a b", "b"],
  verdict: "ask",
  findings: [FINDING],
};

const EVENTS: readonly NewEvent[] = [
  { kind: "task_accepted", body: { contract: aContract(), contract_digest: "d" } },
  { kind: "policy_judged", body: { findings: [FINDING] } },
  { kind: "approval_requested", body: { approval_id: ID, kind: "plan", digest: "d" } },
  {
    kind: "approval_decided",
    body: { ...approval.decision, decision: "approve", approval_id: ID, status: "approved" },
  },
  { kind: "step_finished", body: aResult({ status: "failed", stderr: "no" }) },
  { kind: "sop_changed", body: { sop_id: ID, version: 1, status: "active", why: "it was proved" } },
  {
    kind: "sop_set_back",
    body: { sop_id: ID, version: 2, approval_id: ID, set_back: aSetBack(), message: "it was set back" },
  },
  {
    kind: "sop_failing",
    body: { sop_id: ID, version: 2, rule: "streak", tasks: ["t-1"], earlier: null, message: "it fails" },
  },
  { kind: "sop_trial_failed", body: { sop_id: ID, version: 2, active_version: 1, message: "its trial failed" } },
  { kind: "verification_recorded", body: { verified: true, source: "a probe", note: "it is up", evidence } },
  { kind: "verification_missed", body: { verify_by: "sop:triage", task_id: "t-1.verify", message: "it was blocked" } },
  { kind: "no_server", body: { runs_on: ["zfs"], missing: ["zfs"], message: "there is no server" } },
  { kind: "reported", body: REPORTED },
];
const journal = journalOf(...EVENTS).map((event) => ({
  ...event,
  thread_id: HOSTILE,
  hash: HOSTILE,
  body: poisoned(EVENT_BODIES[event.kind], event.body),
}));
const unknownEvent = { ...journal[0], kind: HOSTILE, body: { [HOSTILE]: HOSTILE } };
const piece = { index: 0, attempt: 1, stream: "stdout", missed_bytes: 1, text: `${HOSTILE}\n${HOSTILE}` };
const stream = [
  ...[...journal, unknownEvent].map((event) => `data: ${JSON.stringify(event)}\n\n`),
  `event: output\ndata: ${JSON.stringify(piece)}\n\nevent: status\ndata: {"status":"ok"}\n\n`,
].join("");

const CONTRACT = "cli-contract.yaml";
const CASES: readonly (readonly [line: string, answers: Readonly<Record<string, unknown>>])[] = [
  ["tasks", { "/v1/tasks": poisoned(listTasks.output, { tasks: [summary], next_after: null, quarantined: [] }) }],
  ["task t-1", { "/v1/tasks/t-1": poisoned(getTask.output, view) }],
  ["task t-2", { "/v1/tasks/t-2": poisoned(getTask.output, { ...view, waiting: TEACHING }) }],
  [`submit ${CONTRACT}`, { "/v1/tasks/t-yaml": view, "/v1/tasks": poisoned(getTask.output, view) }],
  ["cancel t-1", { "/v1/tasks/t-1/cancel": poisoned(getTask.output, view) }],
  ["verify t-1 --verified --source x", { "/v1/tasks/t-1/verification": poisoned(recordVerification.output, view) }],
  ["task t-1 --follow", { "/v1/tasks/t-1/journal/stream": stream, "/v1/tasks/t-1": poisoned(getTask.output, view) }],
  ["approvals", { "/v1/approvals": poisoned(listApprovals.output, { approvals: [approval], next_after: null }) }],
  [
    "approvals t-1",
    {
      "/v1/approvals": { approvals: [{ ...Object(poisoned(Approval, approval)), thread_id: "t-1" }], next_after: null },
    },
  ],
  [
    "approvals t-2",
    {
      "/v1/approvals": {
        approvals: [
          { ...Object(poisoned(Approval, { ...approval, content: { ...approval.content, proof } })), thread_id: "t-2" },
        ],
        next_after: null,
      },
    },
  ],
  [
    `sop rollback ${ID}`,
    {
      [`/v1/sops/${ID}/rollback`]: poisoned(rollbackSop.output, {
        sop,
        approval_id: ID,
        rollback: aRollback(),
        warnings: [warning],
      }),
    },
  ],
  [`prove ${ID}`, { [`/v1/sops/${ID}/prove`]: poisoned(proveSop.output, { sop, proof, findings: [FINDING] }) }],
  [
    `sop copy ${ID} --target service=db`,
    {
      [`/v1/sops/${ID}/copy`]: poisoned(copySop.output, {
        sop,
        approval_id: ID,
        warnings: [warning],
        literals: [{ step_index: 0, key: "service", value: "web" }],
      }),
    },
  ],
  ["approve", { "/v1/approvals": { approvals: [poisoned(Approval, approval)], next_after: null } }],
  ["approve a-1", { "/v1/approve": poisoned(approve.output, { ...approval, next: NEXT, task: null }) }],
  ["sops", { "/v1/sops": poisoned(listSops.output, { sops: [sop], next_after: null }) }],
  [
    `sop show ${ID}`,
    { [`/v1/sops/${ID}`]: poisoned(getSop.output, { sop, versions: [older].map(versionOf), diff: null }) },
  ],
  [`sop diff ${ID} 1`, { [`/v1/sops/${ID}`]: { sop, versions: [older, sop].map(versionOf), diff: HOSTILE } }],
  [
    `sop import ${CONTRACT}`,
    {
      "/v1/sops": { sops: [], next_after: null },
      "/v1/sops/import": poisoned(importSop.output, { sop, approval_id: ID, warnings: [warning] }),
    },
  ],
  ["messages", { "/v1/messages": poisoned(listMessages.output, { messages: [message], next_cursor: 1 }) }],
  [
    `explain ${CONTRACT}`,
    {
      "/v1/explain": poisoned(explain.output, {
        would: "ask",
        why: "it writes",
        sop: { sop_id: ID, version: 1, level: "tried", on_trial: true },
        target_signature: "service=web",
        steps: [{ ...verdict, model_would_be_asked: false }],
        warnings: [warning],
        skip: HOSTILE,
        verification: HOSTILE,
        runs_on: [HOSTILE],
        queued_for: [HOSTILE],
      }),
    },
  ],
];

const run = async (line: string, answers: Readonly<Record<string, unknown>>, ...more: string[]) => {
  await using server = await littleServer(({ path }) => {
    const body = answers[path.replace(/\?.*/, "")];
    return body === undefined
      ? problem(404, "task_not_found", HOSTILE, { issues: [], current: HOSTILE })
      : { body, ...(typeof body === "string" && { type: "text/event-stream" }) };
  });
  const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
  return await runInProcess([...line.split(" "), ...more], { environment });
};

const ACTED_ON = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

describe("an answer with hostile text is shown safely by", () => {
  test.each(CASES)("%s", async (line, answers) => {
    const { stdout, stderr, exit } = await run(line, answers);
    const text = stdout + stderr;
    expect([0, 4], stderr).toContain(exit);
    expect(text).not.toMatch(ACTED_ON);
    for (const [copied] of text.matchAll(/orch (approve|reject|approvals|teach|resolve) .*/g))
      expect(copied).toMatch(/^orch [\w .,|-]+$/);
    const asJson = await run(line, answers, "--json");
    expect(asJson.stdout + asJson.stderr).not.toMatch(ACTED_ON);
    expect(asJson.stdout, "it was answered").toContain("pwned");
  });

  test("a problem with an invalid code does not count as an answer of orch", async () => {
    await using server = await littleServer(() => problem(404, HOSTILE, HOSTILE));
    const environment = { ORCH_URL: server.url, ORCH_TOKEN: "t".repeat(40) };
    const { exit, stderr } = await runInProcess(["tasks"], { environment });
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining("is not orch: HTTP 404") });
    expect(stderr).not.toMatch(ACTED_ON);
  });
});
