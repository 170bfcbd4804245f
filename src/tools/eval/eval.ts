// Measures the routing model on labelled questions and the agent model on small tasks. It is a composition root like
// doctor.ts and calls each model through the code that the server uses.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient } from "../../cli/client.ts";
import { type Config, defaultDataDir, type Env, readConfig, setVariables } from "../../config/config.ts";
import { findConnection } from "../../config/connection.ts";
import { secretsOf } from "../../config/secrets.ts";
import { OrchError } from "../../domain/errors.ts";
import { agentSandbox, agentShellFault } from "../../execution/execution.ts";
import { createOllamaGate } from "../../gate/ollama-gate.ts";
import { loadModel, modelsOf, ROUTING_FORMATS, type RoutingFormat } from "../../ollama/served-model.ts";
import type { Gate } from "../../ports.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { startCanaries } from "./canaries.ts";
import { type FormatScore, type RoutingReport, reportOf } from "./compare-formats.ts";
import { type AgentOrder, type Bash, createBash, runTasks } from "./run-tasks.ts";
import { type AgentScore, type Answered, answered, scoreAgent, scoreRouting } from "./scores.ts";
import type { NumberedCase, Places } from "./task.ts";

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

/** Has the sandbox of an agent's commands. */
async function bashFor(config: Config): Promise<Bash> {
  const fault = await agentShellFault(config);
  if (fault !== null)
    throw new OrchError("config_invalid", `Agents get no shell on this machine, so no agent can be measured: ${fault}`);
  return createBash(agentSandbox(config));
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
