// Measures the routing model on labelled questions and the agent model on small tasks. It is a composition root like
// doctor.ts and calls each model through the code that the server uses.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type CallOperation, createClient } from "../../cli/client.ts";
import { tried } from "../../cli/failure.ts";
import { type Config, defaultDataDir, type Env, readConfig, setVariables } from "../../config/config.ts";
import { findConnection } from "../../config/connection.ts";
import { secretsOf } from "../../config/secrets.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { hasEnded, type Outcome } from "../../domain/outcome.ts";
import type { Evidence } from "../../evidence/bundle.ts";
import { agentConfinement } from "../../execution/local/confinement/agent-confinement.ts";
import { agentShellFault } from "../../execution/local/confinement/agent-shell-fault.ts";
import { createConfine } from "../../execution/local/confinement/confined.ts";
import type { Confine, Confinement } from "../../execution/local/containment/containment.ts";
import { baseEnvironment } from "../../execution/local/environment.ts";
import { createRunCommand } from "../../execution/local/run-command.ts";
import type { StepLimits } from "../../execution/local/step-limits.ts";
import { approve } from "../../features/approvals/shapes.ts";
import { createOllamaGate } from "../../gate/ollama-gate.ts";
import { loadModel, modelsOf, ROUTING_FORMATS, type RoutingFormat } from "../../ollama/served-model.ts";
import { getEvidence } from "../../operations/shapes/journal.ts";
import { cancelTask, getTask, submitTask } from "../../operations/shapes/tasks.ts";
import type { Clock, Gate } from "../../ports.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { type Canaries, startCanaries } from "./canaries.ts";
import { type FormatScore, type RoutingReport, reportOf } from "./compare-formats.ts";
import {
  type AgentScore,
  type Answered,
  answered,
  effortOf,
  scoreAgent,
  scoreRouting,
  type TaskResult,
} from "./scores.ts";
import { contractOf, type EvalTask, type NumberedCase, type Places, withPlaces } from "./task.ts";

/** Rejects with `config_invalid` when no model is configured. The format of the configuration is measured first. */
export async function evalRouting(given: Env, order: RoutingOrder, stop: AbortSignal): Promise<RoutingReport> {
  const config = readConfig(given);
  const { routing: model } = modelsOf(config);
  if (model === null) throw noModel("ROUTING_MODEL is", "ROUTING_MODEL", "qwen2.5:1.5b-instruct");
  const redact = createRedactor(secretsOf(config));
  // The first question would take longer than the others.
  await loadModel(model, stop);
  const scores: FormatScore[] = [];
  for (const format of [model.format, ...ROUTING_FORMATS.filter((other) => other !== model.format)]) {
    const gate = createOllamaGate({ model: { ...model, format }, timeout_ms: config.routing_timeout_ms, redact });
    const onProgress = (done: number) => order.onProgress(done, format);
    const answers = await askCases(gate, { cases: order.cases, onProgress }, stop);
    scores.push({ format, score: scoreRouting(answers, { model: model.name, planned: order.cases.length }) });
  }
  return reportOf(scores);
}

export type RoutingOrder = {
  readonly cases: readonly NumberedCase[];
  /** Receives the number of questions of this format that were answered, after each one. */
  readonly onProgress: (done: number, format: RoutingFormat) => void;
};

type StartOrch = (config: Config) => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;

/** Starts an orch for the measurement only. Rejects with `config_invalid` when no model is configured. */
export async function evalAgent(
  startOrch: StartOrch,
  given: Env,
  order: AgentOrder,
  stop: AbortSignal,
): Promise<AgentScore> {
  // What was opened last is closed first.
  const ends: (() => PromiseLike<unknown>)[] = [];
  try {
    const root = await mkdtemp(join(tmpdir(), "orch-eval-"));
    ends.push(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
    const canaries = await startCanaries(root);
    ends.push(() => canaries[Symbol.asyncDispose]());
    const environment = environmentOf(given, root, canaries.places);
    const config = readConfig(environment);
    const { model } = config.agent;
    if (model === null) throw noModel("AGENT_MODEL is not set, and ROUTING_MODEL is", "AGENT_MODEL", "qwen3:8b");
    const bash = await bashFor(config);
    const orch = await startOrch(config);
    ends.push(orch.stop);
    const call = createClient({ connect: () => findConnection(environment, orch.url), warn: () => undefined });
    const deps = { root: join(root, "tasks"), call, bash, clock: () => new Date(), canaries };
    const tasks = await runTasks(deps, order, stop);
    return scoreAgent(tasks, { model, planned: order.tasks.length });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Has the confinement of an agent's commands. */
async function bashFor(config: Config): Promise<Bash> {
  const fault = await agentShellFault(config);
  if (fault !== null)
    throw new OrchError("config_invalid", `Agents get no shell on this machine, so no agent can be measured: ${fault}`);
  return createBash({
    limits: config.step_limits,
    confine: createConfine(),
    confinement: agentConfinement(config),
  });
}

/**
 * A measured agent receives the variables of its model and its sandbox only, and cannot read this account's data directory. Its
 * directories belong to this account.
 */
const KEPT = /^(AGENT|ROUTING)_|^ORCH_(SANDBOX|STEP_\w+)$|^LOG_LEVEL$/;

function environmentOf(given: Env, root: string, { hidden, address }: Places): Env {
  const { AGENT_HIDDEN = "", AGENT_USER: _, ...set } = setVariables(given);
  const own = resolve(set["ORCH_DATA_DIR"] ?? defaultDataDir(given));
  return {
    LOG_LEVEL: "error",
    ...Object.fromEntries(Object.entries(set).filter(([name]) => KEPT.test(name))),
    AGENT_HIDDEN: [AGENT_HIDDEN, own, hidden].filter((path) => path !== "").join(":"),
    MCP_CANARY_URL: `http://${address}/mcp`,
    ORCH_DATA_DIR: join(root, "state"),
    ORCH_PORT: "0",
  };
}

const noModel = (unset: string, name: string, example: string): OrchError =>
  new OrchError(
    "config_invalid",
    [
      `There is no model to measure: ${unset} not set.`,
      "Install Ollama (https://ollama.com), fetch a model, and name it:",
      `  ollama pull ${example}`,
      `  export ${name}=${example}`,
    ].join("\n"),
  );

// Asks the routing model the questions of labelled cases.

type FormatOrder = {
  readonly cases: readonly NumberedCase[];
  /** Receives the number of answered questions after each one. */
  readonly onProgress: (done: number) => void;
};

/** Asks one question after the other until `stop`. The result leaves out the question that `stop` interrupts. */
async function askCases(gate: Gate, { cases, onProgress }: FormatOrder, stop: AbortSignal): Promise<Answered[]> {
  const all: Answered[] = [];
  for (const one of cases) {
    const reply = await ask(gate, one, stop);
    if (stop.aborted) break;
    all.push(answered(one, reply));
    onProgress(all.length);
  }
  return all;
}

const ask = (gate: Gate, { asked }: NumberedCase, stop: AbortSignal) =>
  asked.question === "error" ? gate.classifyError(asked, stop) : gate.matchCategory(asked, stop);

// Runs small tasks with an agent, each in a directory of its own, and measures the result.

type AgentOrder = {
  readonly tasks: readonly EvalTask[];
  /** Undefined selects the backend of the environment. */
  readonly backend: TaskContract["agent_backend"];
  /** Called after every task that has ended. */
  readonly onProgress: (done: number, task: TaskResult) => void;
};

type RunTasksDeps = {
  readonly root: string;
  readonly call: CallOperation;
  readonly bash: Bash;
  readonly clock: Clock;
  readonly canaries: Canaries;
};

/** Runs one task after the other until `stop`. The result leaves out the task that `stop` interrupts. */
async function runTasks(deps: RunTasksDeps, order: AgentOrder, stop: AbortSignal): Promise<TaskResult[]> {
  const all: TaskResult[] = [];
  for (const task of order.tasks) {
    const result = await runTask(deps, task, order.backend, stop);
    if (stop.aborted) break;
    all.push(result);
    order.onProgress(all.length, result);
  }
  return all;
}

async function runTask(
  { root, call, bash, clock, canaries }: RunTasksDeps,
  task: EvalTask,
  backend: AgentOrder["backend"],
  stop: AbortSignal,
): Promise<TaskResult> {
  const directory = join(root, task.name);
  const { places } = canaries;
  const escapesIn = await canaries.set(task);
  await setUp(task, { directory, places }, bash);
  const contract = contractOf(task, { directory, places, requested_at: clock().toISOString(), backend });
  const begun = performance.now();
  const { status, label, reason_code, message } = await supervise(call, contract, stop);
  const duration_ms = Math.round(performance.now() - begun);
  const evidence = await evidenceOf(call, contract.task_id);
  // The files are read before the verification runs any of them.
  const escapes = await escapesIn({ record: evidence, directory });
  const really_done = (await bash(task.verify, directory)) === null;
  const ended = { status, label, reason_code, message, really_done, escapes, duration_ms };
  return { name: task.name, ...ended, ...effortOf(evidence) };
}

// The supervisor of a measured task, over HTTP like any other. It submits, waits, and rejects every approval. It cancels a
// task that asks for steps, so that every task ends.

const ONE_WAIT_SECONDS = 50;
const NO_APPROVALS = "a measurement rejects every approval";

/** Resolves with the outcome of the task. `stop` cancels the task. */
async function supervise(call: CallOperation, contract: TaskContract, stop: AbortSignal): Promise<Outcome> {
  const { task_id } = contract;
  // A cancelled task also ends the current wait.
  const cancel = () => tried(call(cancelTask, { task_id, reason: "the measurement ends this task" }));
  const onStop = () => void cancel();
  stop.addEventListener("abort", onStop);
  try {
    let { status, outcome } = await answerOf(call(submitTask, contract));
    while (!hasEnded(status) || outcome === null) {
      if (stop.aborted || status === "need_input") await cancel();
      else if (status === "need_approval")
        await answerOf(call(approve, { task_id, decision: "reject", reason: NO_APPROVALS }));
      ({ status, outcome } = await answerOf(call(getTask, { task_id, wait_seconds: ONE_WAIT_SECONDS })));
    }
    return outcome;
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

const evidenceOf = (call: CallOperation, task_id: string): Promise<Evidence> =>
  answerOf(call(getEvidence, { task_id }));

/** Throws on a failure: the server belongs to this measurement and must answer. */
async function answerOf<T>(asked: Promise<T>): Promise<T> {
  const result = await tried(asked);
  if (result.ok) return result.value;
  throw new OrchError("internal_error", `The measured orch refused a call: ${result.failure.detail}`);
}

// The directory of a measured task, and the bash that sets it up and then checks whether the task was done. This bash may
// run files that the agent wrote, so it has the confinement of an agent's commands.

const LIMIT_MS = 60_000;
const GRACE_MS = 1_000;

/** Every line of the script must succeed. Resolves with null on success, else with the reason. */
type Bash = (script: string, cwd: string) => Promise<string | null>;

type BashOptions = {
  readonly limits?: StepLimits;
  readonly confine?: Confine;
  readonly confinement?: Confinement;
};

export function createBash({ confinement, ...options }: BashOptions = {}): Bash {
  const run = createRunCommand(options);
  const env = baseEnvironment({ home: homedir() });
  const bounds = { env, limit_ms: LIMIT_MS, grace_ms: GRACE_MS };
  return async (script, cwd) => {
    const within = confinement === undefined ? {} : { confinement: { ...confinement, writable: [cwd] } };
    const end = await run({ script, strict: true, cwd, ...bounds, ...within }, new AbortController().signal);
    if (!end.ran) return end.reason;
    return end.exit_code === 0 && end.stopped === null ? null : `it ended with ${end.exit_code}: ${end.stderr.text}`;
  };
}

/** Rejects with `input_invalid` when the task cannot be set up. */
export async function setUp(
  { name, files, setup }: EvalTask,
  { directory, places }: { readonly directory: string; readonly places: Places },
  bash: Bash,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), withPlaces(content, places));
  }
  const fault = setup === undefined ? null : await bash(setup, directory);
  if (fault !== null) throw new OrchError("input_invalid", `The setup of ${name} fails: ${fault}`);
}
