// The one table of shapes: HTTP routes, OpenAPI, MCP tools and the command line derive from it, in this order.
import { approve, getApproval, listApprovals, listInbox, lookAtApproval } from "../features/approvals/shapes.ts";
import { FREEZE_SCHEMAS, FREEZE_SHAPES, FREEZE_TAGS } from "../features/freeze/shapes.ts";
import { KEEPING_SHAPES } from "../features/keeping/shapes.ts";
import {
  copySop,
  exportSop,
  getSop,
  importSop,
  listSops,
  proposeSop,
  proveSop,
  rollbackSop,
  teach,
} from "../features/procedures/shapes.ts";
import { SCHEDULE_SCHEMAS, SCHEDULE_SHAPES, SCHEDULE_TAGS } from "../features/schedules/shapes.ts";
import { SCORECARD_SHAPES } from "../features/scorecard/shapes.ts";
import { SERVER_SHAPES } from "../features/servers/shapes.ts";
import { VERIFICATION_SHAPES } from "../features/verification/shapes.ts";
import { getDiagnosis } from "./shapes/diagnosis.ts";
import { explain } from "./shapes/explain.ts";
import { getGraph } from "./shapes/graph.ts";
import { getEvidence, listMessages, readJournal } from "./shapes/journal.ts";
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
  proveSop,
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

/** The records of features that the OpenAPI document names. */
export const FEATURE_SCHEMAS = { ...SCHEDULE_SCHEMAS, ...FREEZE_SCHEMAS };
export const FEATURE_TAGS = { ...SCHEDULE_TAGS, ...FREEZE_TAGS };
