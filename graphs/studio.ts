// Composes the graphs for LangGraph Studio (langgraph.json): those of the service with overrides. Studio has a database
// of its own, and steps are rehearsed unless ORCH_STUDIO_EXECUTE=1. Studio replaces the checkpointer of the graphs that this
// file exports, so nothing else may use them.
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { createGraphs } from "../src/app/graphs.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import { STUDIO_SETTINGS } from "../src/config/other-settings.ts";
import { secretsOf } from "../src/config/secrets.ts";
import { NOTHING_HELD } from "../src/domain/hold.ts";
import { createThreads } from "../src/engine/worker/threads.ts";
import { agentShellFault, createExecution, type Execution } from "../src/execution/execution.ts";
import { findSkills, type Skills } from "../src/features/skills/process/find-skills.ts";
import { createJudges } from "../src/judge/thread-judge.ts";
import { createLog } from "../src/log/log.ts";
import { configuredServers } from "../src/mcp-client/tool-servers.ts";
import type { ToolServers } from "../src/ports.ts";
import { clock, newId as new_id, timer } from "../src/process/system.ts";
import { type Redaction, redactionOf } from "../src/redact/find-secrets.ts";
import { openDatabase } from "../src/store/database.ts";
import { createStore } from "../src/store/store.ts";
import { createRehearsal, journalPerStart, storeForStudio } from "./studio-overrides.ts";

// The folder in which the development server keeps its threads: both are deleted together.
const DATA_DIR = ".langgraph_api";

// The limits of a run end it long before (src/features/agents/backends.ts).
const RECURSION_LIMIT = 10_000;

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
  const redaction = redactionOf(secretsOf(config));
  const store = storeForStudio(createStore({ database: await openDatabase({ url: config.database_url }), clock }));
  const threadOf = journalPerStart(createThreads({ store, clock, owner: "studio", task_holds: NOTHING_HELD }).threadOf);
  // A skill cannot be rehearsed: it acts on the results of its tools.
  const skills = executes ? await findSkills(config) : NO_SKILLS;
  const toolServers = configuredServers(config);
  const execution = executes ? executeHere(config, { redaction, toolServers }) : rehearse(toolServers);
  const judges = createJudges({ protected_paths: [data_dir, ...config.protected_paths] });
  const shell_fault = executes ? await agentShellFault(config) : null;
  const { sop, promotion, react } = createGraphs(config, {
    means: { clock, new_id },
    store,
    threads: { threadOf },
    execution,
    judges,
    given: { redaction, skills, place: { shellFault: async () => shell_fault } },
  });
  return { sop, promotion, react: react.withConfig({ recursionLimit: RECURSION_LIMIT }) };
}

const NO_SKILLS: Skills = { intents: new Set(), tools: [], skillOf: () => null, unusable: [] };

const IN_STUDIO = "Studio runs on the developer's own machine";

type Here = { readonly redaction: Redaction; readonly toolServers: ToolServers };

/** Steps run on this machine only, also where another backend is the default. */
function executeHere(config: Config, { redaction, toolServers }: Here): Execution {
  const ability = { sandboxed: false, reason: IN_STUDIO, visible: IN_STUDIO } as const;
  const log = createLog({ level: config.log_level, redact: redaction.redact });
  const execution = createExecution(config, {
    means: { clock, timer, new_id, log },
    redaction,
    machine: { ability },
    toolServers,
  });
  const backendOf: Execution["backendOf"] = ({ execution_backend = "local", ...contract }) =>
    execution_backend === "local" ? execution.backendOf({ ...contract, execution_backend }) : null;
  return { ...execution, backendOf };
}

function rehearse(toolServers: ToolServers): Execution {
  const rehearsal = createRehearsal(clock);
  const nothing = { read: async () => null, list: async () => null };
  const ofAgents = { run: rehearsal.run, diskOf: () => nothing, runsLater: async () => [] };
  return {
    backendOf: () => rehearsal,
    ofAgents,
    unapproved: rehearsal,
    looks: null,
    toolServers,
    close: async () => undefined,
  };
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
