// Makes the operations of a server, by which callers and features reach all that it does.
import { homedir } from "node:os";
import type { Config } from "../../config/config.ts";
import { INTENTS, type TaskContract } from "../../domain/contract.ts";
import type { CheckExaminer } from "../../engine/tasks/check-looks.ts";
import type { Engine } from "../../engine/worker/engine.ts";
import type { ObservedStore } from "../../engine/worker/observe-commits.ts";
import type { AgentServices } from "../../features/agents/agent-services.ts";
import { FEATURE_HANDLERS, FEATURE_RULES } from "../../features/features.ts";
import type { Judge, Servers, Skill } from "../../ports.ts";
import type { Means } from "../../process/system.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import { handleCancelTask } from "./cancel-task.ts";
import type { EngineDeps, OperationDeps } from "./deps.ts";
import { handleGetEvidence } from "./evidence.ts";
import { handleExplain } from "./explain.ts";
import { handleListMessages } from "./list-messages.ts";
import { type AnyOperation, boundWaits, callOperation, type HandlersOf, type OperationRules } from "./operation.ts";
import { handleGetDiagnosis, handleGetGraph, handleGetTask, handleListTasks, handleReadJournal } from "./read-tasks.ts";
import { handleResolveStep } from "./resolve-step.ts";
import { SHAPES } from "./shapes.ts";
import { handleSubmitTask, submitOwn, wrongInExplain, wrongInSubmit } from "./submit-task.ts";

type Parts = {
  readonly means: Means;
  readonly redact: Redact;
  readonly observed: ObservedStore;
  readonly servers: Servers;
  readonly engine: Engine;
  readonly execution: {
    readonly backendOf: EngineDeps["backendOf"];
    readonly unapproved: EngineDeps["unapproved"];
    readonly toolServers: EngineDeps["toolServers"];
  };
  readonly graphs: {
    readonly agent: AgentServices;
    readonly examiner: CheckExaminer | null;
  };
  readonly judges: {
    readonly ofRequests: Judge;
  };
  readonly skills: {
    readonly intents: ReadonlySet<string>;
    readonly skillOf: (intent: string) => Skill | null;
  };
  readonly place: {
    /** The labels of this server. */
    readonly labels: readonly string[];
    readonly target_labels: EngineDeps["target_labels"];
  };
  readonly diagnose: EngineDeps["diagnose"];
  readonly onDrain: () => void;
};

type Operations = {
  readonly all: readonly AnyOperation[];
  /** Every intent that a contract may have. */
  readonly intents: ReadonlySet<string>;
  /** Calls an operation for a feature, as a supervisor does; `token_id` says who calls. */
  readonly call: (operation: "submit_task" | "explain", input: unknown, token_id: string) => Promise<unknown>;
  /** Accepts a task of orch itself. False where another task has the id. */
  readonly submitOwn: (contract: TaskContract) => Promise<boolean>;
};

export function createOperations(config: Config, parts: Parts): Operations {
  const { observed, engine, execution, graphs, skills } = parts;
  const { labels, target_labels } = parts.place;
  const { clock, new_id } = parts.means;
  const { store, commits } = observed;
  const { dispatcher } = engine;
  const { skillOf } = skills;
  const default_backend = config.execution_backend;
  const intents = new Set([...INTENTS, ...skills.intents]);
  const table = operationsTable({
    store,
    clock,
    new_id,
    nextReport: commits.nextReport,
    nextEvent: commits.nextEvent,
    dispatcher,
    promotions: engine.promotions,
    threads: engine.threads,
    locks: engine.locks,
    agent: graphs.agent,
    intents,
    queueDepth: engine.wakeups.depth,
    onDrain: parts.onDrain,
    quarantined: observed.quarantine.list,
    diagnose: parts.diagnose,
    answers: observed.answers,
    backendOf: execution.backendOf,
    toolServers: execution.toolServers,
    unapproved: execution.unapproved,
    redact: parts.redact,
    scores: engine.scores,
    servers: parts.servers,
    task_holds: engine.task_holds,
    examiner: graphs.examiner,
    skillOf,
    default_backend,
    labels,
    target_labels,
    has_model: config.routing_model !== null,
    settings: config,
    home: homedir(),
    judge: parts.judges.ofRequests,
  });
  return {
    all: table.map(boundWaits()),
    intents,
    call: callerOf(table),
    submitOwn: (contract) => submitOwn({ store, clock, dispatcher, default_backend, target_labels, skillOf }, contract),
  };
}

/** None of them decides. */
const FOR_FEATURES: ReadonlySet<string> = new Set(["submit_task", "explain"]);

/** A feature sends what was accepted before, so nothing in it is refused as misspelt. */
function callerOf(table: readonly AnyOperation[]): Operations["call"] {
  const { signal } = new AbortController();
  return async (name, input, token_id) => {
    const found = FOR_FEATURES.has(name) ? table.find((one) => one.name === name) : undefined;
    if (found === undefined) throw new Error(`a feature may not call ${name}`);
    const { wrongHere: _wrong, ...operation } = found;
    return callOperation(operation, input, { token_id, signal });
  };
}

// Binds a handler to every shape. A shape without a handler, or a handler of another shape, does not compile.

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

function operationsTable(given: EngineDeps): readonly AnyOperation[] {
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
