// Binds a handler to every shape. A shape without a handler, or a handler of another shape, does not compile.
import { FEATURE_HANDLERS, FEATURE_RULES } from "../../features/features.ts";
import { handleCancelTask } from "./cancel-task.ts";
import type { EngineDeps, OperationDeps } from "./deps.ts";
import { handleGetEvidence } from "./evidence.ts";
import { handleExplain } from "./explain.ts";
import { handleListMessages } from "./list-messages.ts";
import type { AnyOperation, HandlersOf, OperationRules } from "./operation.ts";
import { handleGetDiagnosis, handleGetGraph, handleGetTask, handleListTasks, handleReadJournal } from "./read-tasks.ts";
import { handleResolveStep } from "./resolve-step.ts";
import { SHAPES } from "./shapes.ts";
import { handleSubmitTask, wrongInExplain, wrongInSubmit } from "./submit-task.ts";

const HANDLERS: HandlersOf<typeof SHAPES> = {
  ...FEATURE_HANDLERS,
  submit_task: handleSubmitTask,
  get_task: handleGetTask,
  list_tasks: handleListTasks,
  cancel_task: handleCancelTask,
  resolve_step: handleResolveStep,
  explain: handleExplain,
  get_evidence: handleGetEvidence,
  read_journal: handleReadJournal,
  get_graph: handleGetGraph,
  list_messages: handleListMessages,
  get_diagnosis: handleGetDiagnosis,
};

export function operationsTable(given: EngineDeps): readonly AnyOperation[] {
  const cancel = handleCancelTask(given);
  const deps: OperationDeps = {
    ...given,
    cancelTask: async (asked, caller) => {
      const { status, outcome } = await cancel(asked, caller);
      return { status, message: outcome?.message ?? null };
    },
  };
  return SHAPES.map((shape) => ({
    ...shape,
    handle: HANDLERS[shape.name](deps),
    wrongHere: RULES[shape.name]?.(deps),
  }));
}

// No feature replaces a rule of the engine.
const RULES: OperationRules = {
  ...FEATURE_RULES,
  submit_task: wrongInSubmit,
  explain: wrongInExplain,
};
