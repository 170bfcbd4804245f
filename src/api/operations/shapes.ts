// Lists the shapes of all operations: HTTP routes, OpenAPI and MCP tools derive from it, in this order, and what commands call.
import { AGENT_SCHEMAS } from "../../features/agents/shapes.ts";
import {
  APPROVAL_SCHEMAS,
  APPROVAL_TAGS,
  approve,
  getApproval,
  listApprovals,
  listInbox,
  lookAtApproval,
} from "../../features/approvals/shapes.ts";
import { FREEZE_SCHEMAS, FREEZE_SHAPES, FREEZE_TAGS } from "../../features/freeze/shapes.ts";
import { KEEPING_SHAPES } from "../../features/keeping/shapes.ts";
import {
  copySop,
  exportSop,
  getSop,
  importSop,
  listSops,
  PROCEDURE_SCHEMAS,
  PROCEDURE_TAGS,
  proposeSop,
  rollbackSop,
  teach,
} from "../../features/procedures/shapes.ts";
import { PROOF_SCHEMAS, PROOF_SHAPES } from "../../features/proof/shapes.ts";
import { SCHEDULE_SCHEMAS, SCHEDULE_SHAPES, SCHEDULE_TAGS } from "../../features/schedules/shapes.ts";
import { SCORECARD_SHAPES, SCORECARD_TAGS } from "../../features/scorecard/shapes.ts";
import { SERVER_SHAPES, SERVER_TAGS } from "../../features/servers/shapes.ts";
import { SKILL_SCHEMAS } from "../../features/skills/shapes.ts";
import { VERIFICATION_SCHEMAS, VERIFICATION_SHAPES } from "../../features/verification/shapes.ts";
import { getDiagnosis } from "./shapes/diagnosis.ts";
import { EXPLAIN_SCHEMAS, explain } from "./shapes/explain.ts";
import { GRAPH_SCHEMAS, getGraph } from "./shapes/graph.ts";
import { getEvidence, JOURNAL_SCHEMAS, listMessages, readJournal } from "./shapes/journal.ts";
import { TASK_SCHEMAS } from "./shapes/task-view.ts";
import { cancelTask, getTask, listTasks, resolveStep, submitTask } from "./shapes/tasks.ts";

export const SHAPES = [
  submitTask,
  getTask,
  listTasks,
  cancelTask,
  teach,
  approve,
  listApprovals,
  getApproval,
  lookAtApproval,
  resolveStep,
  explain,
  listSops,
  getSop,
  exportSop,
  importSop,
  proposeSop,
  ...PROOF_SHAPES,
  copySop,
  rollbackSop,
  getEvidence,
  readJournal,
  ...KEEPING_SHAPES,
  getGraph,
  ...VERIFICATION_SHAPES,
  listMessages,
  listInbox,
  ...SCORECARD_SHAPES,
  ...SCHEDULE_SHAPES,
  ...SERVER_SHAPES,
  getDiagnosis,
  ...FREEZE_SHAPES,
] as const;

/** The records that the OpenAPI document names. */
export const NAMED_SCHEMAS = {
  ...TASK_SCHEMAS,
  ...EXPLAIN_SCHEMAS,
  ...JOURNAL_SCHEMAS,
  ...GRAPH_SCHEMAS,
  ...APPROVAL_SCHEMAS,
  ...PROCEDURE_SCHEMAS,
  ...PROOF_SCHEMAS,
  ...VERIFICATION_SCHEMAS,
  ...SCHEDULE_SCHEMAS,
  ...FREEZE_SCHEMAS,
  ...AGENT_SCHEMAS,
  ...SKILL_SCHEMAS,
};

export const FEATURE_TAGS = {
  ...APPROVAL_TAGS,
  ...PROCEDURE_TAGS,
  ...SCORECARD_TAGS,
  ...SCHEDULE_TAGS,
  ...SERVER_TAGS,
  ...FREEZE_TAGS,
};
