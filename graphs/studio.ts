// The composition root of LangGraph Studio (langgraph.json): the graphs of the service on safe defaults. A database of its
// own lies beside Studio's threads, no model is asked unless ROUTING_MODEL names one, and steps are rehearsed, not run,
// unless ORCH_STUDIO_EXECUTE=1. Studio replaces the checkpointer of what is exported here, so nobody else may use it.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import metadata from "../package.json" with { type: "json" };
import type { AgentMeans } from "../src/agent/agent-means.ts";
import { agentBackendsOf, agentMeansOf } from "../src/app/compose-agent.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import { secretsOf } from "../src/config/secrets.ts";
import type { TaskContract } from "../src/domain/contract.ts";
import { agentShellFault, makeKeptDirectories } from "../src/execution/local/confinement/agent-confinement.ts";
import { confine } from "../src/execution/local/confinement/confined.ts";
import { createLocalBackend } from "../src/execution/local/local-backend.ts";
import { createRunCommand } from "../src/execution/local/run-command.ts";
import { createNoModelGate } from "../src/gate/no-model-gate.ts";
import { createOllamaGate } from "../src/gate/ollama-gate.ts";
import { createToolServers } from "../src/mcp-client/tool-servers.ts";
import type { ExecutionBackend, ToolServers } from "../src/ports.ts";
import { createRedactor, type Redact } from "../src/redact/redact.ts";
import { findSkills, type Skills } from "../src/skills/find-skills.ts";
import { openDatabase } from "../src/store/database.ts";
import { createStore } from "../src/store/store.ts";
import { createThreads } from "../src/worker/threads.ts";
import { buildPromotionGraph } from "./promotion.ts";
import { buildReactGraph } from "./react.ts";
import { buildSopGraph } from "./sop.ts";
import { journalPerStart } from "./studio/journal-per-start.ts";
import { createRehearsal } from "./studio/rehearsal.ts";
import { createRehearsalModel } from "./studio/rehearsal-model.ts";
import { storeForStudio } from "./studio/store-for-studio.ts";

// The folder in which the development server keeps its threads: both are thrown away together.
const DATA_DIR = ".langgraph_api";

// The limits of a run end it long before (src/agent/backends/react.ts).
const RECURSION_LIMIT = 10_000;

const clock = () => new Date();

async function openStudio() {
  const data_dir = resolve(DATA_DIR);
  await mkdir(data_dir, { recursive: true });
  const config = readConfig({ ...process.env, ORCH_DATA_DIR: data_dir, DATABASE_URL: undefined });
  const redact = createRedactor(secretsOf(config));
  const store = storeForStudio(createStore({ database: await openDatabase({ url: config.database_url }), clock }));
  const { threadOf } = createThreads({ store, clock, owner: "studio" });
  const executes = process.env["ORCH_STUDIO_EXECUTE"] === "1";
  const toolServers = createToolServers({ servers: config.tool_servers, version: metadata.version });
  const backend = executes ? executing(toolServers, redact) : createRehearsal(clock);
  const nodes = {
    store,
    threadOf: journalPerStart(threadOf),
    clock,
    new_id: () => randomUUID(),
    approval_ttl_ms: config.approval_ttl_hours * 3_600_000,
  };
  // Rehearsed is anything; executed is only what runs here.
  const backendOf = ({ execution_backend = "local" }: TaskContract) =>
    executes && execution_backend !== "local" ? null : backend;
  // What a handler does cannot be rehearsed: it acts on what its tools tell.
  const skills = executes ? await findSkills(config.capabilities) : NO_SKILLS;
  const agent = await agentFor(config, {
    redact,
    skills,
    local: { ...account(), clock, redact, toolServers, runCommand: createRunCommand({ confine }) },
    executes,
  });
  const tasks = { backendOf, skillOf: skills.skillOf, toolServers, redact, home: homedir(), agent };
  const pipeline = { ...nodes, ...tasks, gate: gateOf(config, redact) };
  const agents = agentBackendsOf(pipeline);
  return {
    sop: buildSopGraph({ ...pipeline, ...agents }),
    promotion: buildPromotionGraph(nodes),
    react: buildReactGraph({ ...nodes, ...agents }).withConfig({ recursionLimit: RECURSION_LIMIT }),
  };
}

const NO_SKILLS: Skills = { intents: new Set(), tools: [], skillOf: () => null };

type Built = Omit<Parameters<typeof agentMeansOf>[1], "shellFault"> & { readonly executes: boolean };

/** Without a model of its own, or leave to execute, an agent is a rehearsal too. */
async function agentFor(config: Config, { executes, ...built }: Built): Promise<AgentMeans> {
  if (executes) await makeKeptDirectories();
  const shell_fault = executes ? await agentShellFault(config) : null;
  const shellFault = async () => shell_fault;
  const means = agentMeansOf(config, { ...built, shellFault });
  return {
    ...means,
    model: means.model ?? createRehearsalModel(),
    execution: executes ? means.execution : createRehearsal(clock),
  };
}

const account = () => ({ home: homedir(), user: process.env["USER"], tz: process.env["TZ"] });

const executing = (toolServers: ToolServers, redact: Redact): ExecutionBackend =>
  createLocalBackend({ ...account(), clock, redact, toolServers });

const gateOf = ({ routing_model, routing_url, routing_timeout_ms }: Config, redact: Redact) =>
  routing_model === null
    ? createNoModelGate()
    : createOllamaGate({ model: routing_model, base_url: routing_url, timeout_ms: routing_timeout_ms, redact });

// The development server imports this file when it starts, and calls the factories whenever it needs a graph.
let opened: ReturnType<typeof openStudio> | undefined;

function studio(): ReturnType<typeof openStudio> {
  opened ??= openStudio();
  return opened;
}

export const sop = async () => (await studio()).sop;
export const react = async () => (await studio()).react;
export const promotion = async () => (await studio()).promotion;
