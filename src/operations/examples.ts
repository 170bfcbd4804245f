// One call of each operation, as the OpenAPI document shows it. A test makes every one of them (test/contract/http/fuzz.test.ts).
import type { z } from "zod";
import type { SHAPES } from "./shapes.ts";

export const EXAMPLE = {
  task_id: "web-7",
  sop_id: "6f1f3c9e-5d0b-4b5e-9a3c-2f7d8e9a0b1c",
  approval_id: "1c9d2e3f-7a8b-4c5d-8e6f-0a1b2c3d4e5f",
  freeze_id: "freeze-1a2b3c4d",
  server: "nas",
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  schedule: "web-up",
} as const;

const { task_id, sop_id, approval_id, freeze_id, server, digest, schedule } = EXAMPLE;
const target = { service: "web" };
const CONTRACT = {
  intent: "deploy",
  target,
  delegation_mode: "teach_if_unknown" as const,
  constraints: { implicit_scope: [], require_approval_for: ["writes"] },
  success_criteria: ["release 7 is live"],
};
const STEPS = [
  { kind: "cmd" as const, value: "touch /tmp/orch-example" },
  { kind: "check" as const, value: "test -f /tmp/orch-example", within: "30s" },
];
const FILE = `intent: deploy
target:
  service: web
steps:
  - kind: cmd
    value: touch /tmp/orch-example
  - kind: check
    value: test -s /etc/passwd -a -f /tmp/orch-example
criteria:
  release 7 is live: 1
`;

export const EXAMPLES: { readonly [S in (typeof SHAPES)[number] as S["name"]]: z.input<S["input"]> } = {
  submit_task: { task_id, ...CONTRACT, payload: { release: 7 }, wait_seconds: 20 },
  get_task: { task_id, wait_seconds: 20 },
  list_tasks: { status: "ok", since: "2026-03-06T09:00:00Z", limit: 20 },
  cancel_task: { task_id, reason: "not tonight" },
  teach: { task_id, steps: STEPS, wait_seconds: 20 },
  approve: { approval_id, decision: "approve", digest, decided_by: "Ada", reason: "as agreed", wait_seconds: 20 },
  list_approvals: { status: "pending", limit: 20 },
  get_approval: { approval_id },
  look_at_approval: { approval_id },
  resolve_step: { task_id, resolution: "succeeded", index: 0, reason: "the page shows release 7", wait_seconds: 20 },
  explain: { contract: { task_id, ...CONTRACT }, steps: STEPS },
  list_sops: { intent: "deploy", status: "active", limit: 20 },
  get_sop: { sop_id, diff_to: sop_id },
  export_sop: { sop_id },
  import_sop: { file: FILE },
  propose_sop: { task_id },
  prove_sop: { sop_id },
  copy_sop: { sop_id, target: { service: "shop" }, with_parameters: true },
  rollback_sop: { sop_id },
  get_evidence: { task_id },
  read_journal: { task_id, after: 0, limit: 100, wait_seconds: 20 },
  list_anchors: {},
  get_graph: { task_id },
  record_verification: {
    task_id,
    verified: true,
    source: "the monitoring page",
    note: "release 7 answers",
    evidence: { text: "HTTP 200, release 7" },
  },
  list_messages: { after: 0, limit: 100 },
  list_inbox: { limit: 20 },
  get_scorecard: { weeks: 8, by: "intent" },
  rebuild_scorecard: {},
  add_schedule: { name: schedule, contract: CONTRACT, cron: "0 3 * * *", timezone: "Europe/Berlin" },
  list_schedules: { limit: 20 },
  get_schedule: { name: schedule },
  pause_schedule: { name: schedule },
  resume_schedule: { name: schedule },
  remove_schedule: { name: schedule },
  list_servers: { all: true },
  get_server: { name: server },
  drain_server: { name: server },
  get_diagnosis: {},
  freeze: { target, reason: "the power is unsteady", now: false },
  thaw: { freeze_id },
  list_freezes: { limit: 20 },
};
