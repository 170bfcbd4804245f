// The one table of operations (design: operations). Faces are derived from it; nothing is listed twice.
import { approve, listApprovals } from "./approvals.ts";
import { cancelTask } from "./cancel-task.ts";
import type { OperationDeps } from "./deps.ts";
import { getEvidence, recordVerification } from "./evidence.ts";
import { explain } from "./explain.ts";
import { listMessages } from "./list-messages.ts";
import type { AnyOperation, OperationShape } from "./operation.ts";
import { proposeSop } from "./propose-sop.ts";
import { readJournal } from "./read-journal.ts";
import { getTask, listTasks } from "./read-tasks.ts";
import { resolveStep } from "./resolve-step.ts";
import { exportSop, getSop, importSop, listSops } from "./sops.ts";
import { submitTask } from "./submit-task.ts";
import { teach } from "./teach.ts";

const DEFINITIONS = [
  submitTask,
  getTask,
  listTasks,
  cancelTask,
  teach,
  approve,
  listApprovals,
  resolveStep,
  explain,
  listSops,
  getSop,
  exportSop,
  importSop,
  proposeSop,
  getEvidence,
  readJournal,
  recordVerification,
  listMessages,
] as const;

/** For whoever calls them from another process. */
export const OPERATIONS: readonly OperationShape[] = DEFINITIONS;

export const operationsTable = (deps: OperationDeps): readonly AnyOperation[] =>
  DEFINITIONS.map((definition) => ({ ...definition, handle: definition.handle(deps) }));
