// The one table of shapes: HTTP routes, OpenAPI, MCP tools and the command line derive from it.
import {
  FREEZE_SHAPES,
  KEEPING_SHAPES,
  SCHEDULE_SHAPES,
  SCORECARD_SHAPES,
  SERVER_SHAPES,
  VERIFICATION_SHAPES,
} from "../features/shapes.ts";
import { approve, listApprovals } from "./shapes/approvals.ts";
import { getDiagnosis } from "./shapes/diagnosis.ts";
import { explain } from "./shapes/explain.ts";
import { getApproval, lookAtApproval } from "./shapes/get-approval.ts";
import { getGraph } from "./shapes/graph.ts";
import { listInbox } from "./shapes/inbox.ts";
import { getEvidence, listMessages, readJournal } from "./shapes/journal.ts";
import { copySop, proveSop, rollbackSop } from "./shapes/sop-proofs.ts";
import { exportSop, getSop, importSop, listSops, proposeSop, teach } from "./shapes/sops.ts";
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
