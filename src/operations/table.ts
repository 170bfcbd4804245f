// The one table of operations (design: operations). Faces are derived from it; nothing is listed twice.
import { approve, listApprovals } from "./approvals.ts";
import { cancelTask } from "./cancel-task.ts";
import type { OperationDeps } from "./deps.ts";
import { getEvidence, recordVerification } from "./evidence.ts";
import { explain } from "./explain.ts";
import { listMessages } from "./list-messages.ts";
import type { AnyOperation } from "./operation.ts";
import { getTask, listTasks } from "./read-tasks.ts";
import { resolveStep } from "./resolve-step.ts";
import { exportSop, getSop, importSop, listSops } from "./sops.ts";
import { submitTask } from "./submit-task.ts";
import { teach } from "./teach.ts";

export const operationsTable = (deps: OperationDeps): readonly AnyOperation[] => [
  submitTask(deps),
  getTask(deps),
  listTasks(deps),
  cancelTask(deps),
  teach(deps),
  approve(deps),
  listApprovals(deps),
  resolveStep(deps),
  explain(deps),
  listSops(deps),
  getSop(deps),
  exportSop(deps),
  importSop(deps),
  getEvidence(deps),
  recordVerification(deps),
  listMessages(deps),
];
