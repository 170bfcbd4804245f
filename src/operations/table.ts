// Binds a handler to every shape. A shape without a handler, or a handler of another shape, does not compile.
import { FEATURE_HANDLERS, FEATURE_RULES } from "../features/features.ts";
import { handleApprove, handleListApprovals } from "./approvals.ts";
import { handleCancelTask } from "./cancel-task.ts";
import { handleCopySop } from "./copy-sop.ts";
import type { OperationDeps } from "./deps.ts";
import { handleGetEvidence } from "./evidence.ts";
import { handleExplain } from "./explain.ts";
import { handleGetApproval } from "./get-approval.ts";
import { handleGetDiagnosis } from "./get-diagnosis.ts";
import { handleGetGraph } from "./get-graph.ts";
import { handleListInbox } from "./inbox.ts";
import { handleListMessages } from "./list-messages.ts";
import { handleLookAtApproval } from "./look-at-approval.ts";
import { wrongInExplain, wrongInSubmit } from "./misplaced-fields.ts";
import type { AnyOperation, HandlersOf, OperationRules } from "./operation.ts";

import { handleProposeSop } from "./propose-sop.ts";
import { handleProveSop } from "./prove-sop.ts";
import { handleGetTask, handleListTasks, handleReadJournal } from "./read-tasks.ts";
import { handleResolveStep } from "./resolve-step.ts";
import { handleRollbackSop } from "./rollback-sop.ts";
import { SHAPES } from "./shapes.ts";
import { handleExportSop, handleGetSop, handleImportSop, handleListSops } from "./sops.ts";
import { handleSubmitTask, intentIssues } from "./submit-task.ts";
import { handleTeach } from "./teach.ts";

const HANDLERS: HandlersOf<typeof SHAPES> = {
  submit_task: handleSubmitTask,
  get_task: handleGetTask,
  list_tasks: handleListTasks,
  cancel_task: handleCancelTask,
  teach: handleTeach,
  approve: handleApprove,
  list_approvals: handleListApprovals,
  get_approval: handleGetApproval,
  look_at_approval: handleLookAtApproval,
  resolve_step: handleResolveStep,
  explain: handleExplain,
  list_sops: handleListSops,
  get_sop: handleGetSop,
  export_sop: handleExportSop,
  import_sop: handleImportSop,
  propose_sop: handleProposeSop,
  prove_sop: handleProveSop,
  copy_sop: handleCopySop,
  rollback_sop: handleRollbackSop,
  get_evidence: handleGetEvidence,
  read_journal: handleReadJournal,
  get_graph: handleGetGraph,
  list_messages: handleListMessages,
  list_inbox: handleListInbox,
  get_diagnosis: handleGetDiagnosis,
  ...FEATURE_HANDLERS,
};

export const operationsTable = (deps: OperationDeps): readonly AnyOperation[] =>
  SHAPES.map((shape) => ({
    ...shape,
    handle: HANDLERS[shape.name](deps),
    wrongHere: RULES[shape.name]?.(deps),
  }));

const RULES: OperationRules = {
  submit_task: wrongInSubmit,
  explain: wrongInExplain,
  teach: (deps) => async (input) => intentIssues(deps)(input),
  ...FEATURE_RULES,
};
