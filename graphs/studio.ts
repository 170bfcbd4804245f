// The composition root of LangGraph Studio (langgraph.json): the graphs of the service with overrides. Studio has a database
// of its own, and steps are rehearsed unless ORCH_STUDIO_EXECUTE=1. Studio replaces the checkpointer of the graphs that this
// file exports, so nothing else may use them.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { AgentServices } from "../src/agent/agent-services.ts";
import { composeAgent } from "../src/app/compose-agent.ts";
import { composeExecution, composeToolServers, type Execution } from "../src/app/compose-execution.ts";
import { composeGraphs } from "../src/app/compose-graphs.ts";
import { composeAgentNetworks } from "../src/app/compose-network.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import { STUDIO_SETTINGS } from "../src/config/other-settings.ts";
import { secretsOf } from "../src/config/secrets.ts";
import { agentShellFault } from "../src/execution/local/confinement/agent-shell-fault.ts";
import { createJudges, type Judges } from "../src/judge/thread-judge.ts";
import { createLog } from "../src/log/log.ts";
import { type Models, modelsOf } from "../src/ollama/configured-models.ts";
import { findBeginning } from "../src/redact/find-secrets.ts";
import { createRedactor, type Redact } from "../src/redact/redact.ts";
import { createWithoutKnown } from "../src/redact/without-known.ts";
import { findSkills, type Skills } from "../src/skill-process/find-skills.ts";
import { openDatabase } from "../src/store/database.ts";
import { createStore } from "../src/store/store.ts";
import { NOTHING_FROZEN } from "../src/worker/freezes.ts";
import { createThreads } from "../src/worker/threads.ts";
import { journalPerStart } from "./studio/journal-per-start.ts";
import { createRehearsal } from "./studio/rehearsal.ts";
import { createRehearsalModel } from "./studio/rehearsal-model.ts";
import { storeForStudio } from "./studio/store-for-studio.ts";

// The folder in which the development server keeps its threads: both are deleted together.
const DATA_DIR = ".langgraph_api";

// The limits of a run end it long before (src/agent/backends/react.ts).
const RECURSION_LIMIT = 10_000;

const clock = () => new Date();
const new_id = () => randomUUID();

async function openStudio() {
  const data_dir = resolve(DATA_DIR);
  await mkdir(data_dir, { recursive: true });
  const config = readConfig({
    ...process.env,
    ORCH_DATA_DIR: data_dir,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
  });
  const { schema, variable } = STUDIO_SETTINGS.executes;
  const executes = schema.parse(process.env[variable]);
  const redact = createRedactor(secretsOf(config));
  const store = storeForStudio(createStore({ database: await openDatabase({ url: config.database_url }), clock }));
  const threadOf = journalPerStart(createThreads({ store, clock, owner: "studio", freezes: NOTHING_FROZEN }).threadOf);
  // A skill cannot be rehearsed: it acts on the results of its tools.
  const skills = executes ? await findSkills(config) : NO_SKILLS;
  const execution = executes ? executeHere(config, redact) : rehearse(config);
  const judges = createJudges({ protected_paths: [data_dir, ...config.protected_paths] });
  const models = modelsOf(config);
  const agent = await agentFor(config, { redact, judges, skills, execution, executes, models });
  const services = { store, threadOf, clock, new_id, agent, redact, skills, execution, judges, models };
  const graphs = composeGraphs(config, services);
  return { ...graphs, react: graphs.react.withConfig({ recursionLimit: RECURSION_LIMIT }) };
}

const NO_SKILLS: Skills = { intents: new Set(), tools: [], skillOf: () => null, unusable: [] };

const IN_STUDIO = "Studio runs on the developer's own machine";

/** Steps run on this machine only, also where another backend is the default. */
function executeHere(config: Config, redact: Redact): Execution {
  const beginningOf = findBeginning(secretsOf(config));
  const withoutKnown = createWithoutKnown(secretsOf(config));
  const sandbox = { sandboxed: false, reason: IN_STUDIO, visible: IN_STUDIO } as const;
  const log = createLog({ level: config.log_level, redact });
  const networks = composeAgentNetworks(config, () => config.port, log);
  const execution = composeExecution(config, {
    clock,
    new_id,
    redact,
    log,
    beginningOf,
    withoutKnown,
    sandbox,
    networks,
    leftBehind: () => undefined,
  });
  const backendOf: Execution["backendOf"] = ({ execution_backend = "local", ...contract }) =>
    execution_backend === "local" ? execution.backendOf({ ...contract, execution_backend }) : null;
  return { ...execution, backendOf };
}

function rehearse(config: Config): Execution {
  const rehearsal = createRehearsal(clock);
  const toolServers = composeToolServers(config);
  const { close } = toolServers;
  const nothing = { read: async () => null, list: async () => null };
  const ofAgents = { run: rehearsal.run, diskOf: () => nothing, runsLater: async () => [] };
  return { backendOf: () => rehearsal, ofAgents, unapproved: rehearsal, toolServers, looks: null, close };
}

type Parts = {
  readonly redact: Redact;
  readonly judges: Judges;
  readonly skills: Skills;
  readonly execution: Execution;
  readonly executes: boolean;
  readonly models: Models;
};

/** Without a model an agent is rehearsed too. */
async function agentFor(config: Config, { execution, executes, ...parts }: Parts): Promise<AgentServices> {
  const shell_fault = executes ? await agentShellFault(config) : null;
  const shellFault = async () => shell_fault;
  const agent = composeAgent(config, { ...parts, shellFault, execution: execution.ofAgents });
  return { ...agent, model: agent.model ?? createRehearsalModel() };
}

// The development server imports this file when it starts, and calls the factories when it needs a graph.
let opened: ReturnType<typeof openStudio> | undefined;

function studio(): ReturnType<typeof openStudio> {
  opened ??= openStudio();
  return opened;
}

export const sop = async () => (await studio()).sop;
export const react = async () => (await studio()).react;
export const promotion = async () => (await studio()).promotion;
