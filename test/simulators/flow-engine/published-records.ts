// The records of the engine's published API that its answers contain, field by field. What orch does not read is of any form.
import { z } from "zod";

const any = z.unknown().optional();
const text = z.string().optional();
const flag = z.boolean().optional();
const whole = z.int().optional();

const FlowStatusModule = z.strictObject({
  type: z.enum(["WaitingForPriorSteps", "WaitingForEvents", "WaitingForExecutor", "InProgress", "Success", "Failure"]),
  id: text,
  job: z.guid().optional(),
  count: whole,
  progress: whole,
  iterator: any,
  flow_jobs: any,
  flow_jobs_success: any,
  flow_jobs_duration: any,
  branch_chosen: any,
  branchall: any,
  approvers: any,
  failed_retries: any,
  skipped: flag,
  agent_actions: any,
  agent_actions_success: any,
});

export const FlowStatus = z.strictObject({
  step: z.int(),
  modules: z.array(FlowStatusModule),
  failure_module: FlowStatusModule.extend({ parent_module: text }),
  user_states: any,
  preprocessor_module: FlowStatusModule.optional(),
  retry: any,
});

const JOB = {
  id: z.guid(),
  canceled: z.boolean(),
  job_kind: z.enum(["flow", "flownode", "flowpreview", "script", "preview"]),
  permissioned_as: z.string(),
  is_flow_step: z.boolean(),
  email: z.string(),
  visible_to_owner: z.boolean(),
  tag: z.string(),
  workspace_id: text,
  parent_job: z.guid().optional(),
  script_path: text,
  script_hash: text,
  args: any,
  logs: text,
  raw_code: text,
  canceled_by: text,
  canceled_reason: text,
  schedule_path: text,
  flow_status: FlowStatus.optional(),
  workflow_as_code_status: any,
  raw_flow: any,
  language: text,
  mem_peak: whole,
  priority: whole,
  self_wait_time_ms: whole,
  aggregate_wait_time_ms: whole,
  preprocessed: flag,
  is_retry: flag,
  trigger_kind: any,
  worker: text,
};
const at = z.iso.datetime();

export const CompletedJob = z.strictObject({
  type: z.literal("CompletedJob"),
  ...JOB,
  created_by: z.string(),
  created_at: at,
  started_at: at,
  completed_at: at.optional(),
  duration_ms: z.int(),
  success: z.boolean(),
  result: any,
  deleted: flag,
  is_skipped: z.boolean(),
  labels: any,
  resolved: flag,
  resolved_by: text,
  resolved_at: text,
  resolution_note: text,
  resolved_automatically: flag,
});

export const QueuedJob = z.strictObject({
  type: z.literal("QueuedJob"),
  ...JOB,
  created_by: text,
  created_at: at.optional(),
  started_at: at.optional(),
  scheduled_for: at.optional(),
  running: z.boolean(),
  last_ping: text,
  suspend: whole,
});

export const User = z.strictObject({
  email: z.string(),
  username: z.string(),
  is_admin: z.boolean(),
  is_super_admin: z.boolean(),
  created_at: z.string(),
  operator: z.boolean(),
  disabled: z.boolean(),
  folders: z.array(z.string()),
  folders_read: z.array(z.string()),
  folders_owners: z.array(z.string()),
  name: text,
  groups: any,
  added_via: any,
  is_service_account: flag,
  non_member: flag,
});

/** Of a module, what orch compares: the text of its script. */
const RawScript = z.looseObject({ type: z.literal("rawscript"), language: z.string(), content: z.string() });

export const OpenFlow = z.looseObject({
  summary: z.string(),
  value: z.looseObject({ modules: z.array(z.looseObject({ id: z.string(), value: RawScript })) }),
  path: z.string(),
  edited_by: z.string(),
  edited_at: z.string(),
  archived: z.boolean(),
  extra_perms: z.record(z.string(), z.boolean()),
});
