// Composes the graphs for LangGraph Studio (langgraph.json): those of the service with overrides. Studio has a database
// of its own, and steps are rehearsed unless ORCH_STUDIO_EXECUTE=1. Studio replaces the checkpointer of the graphs that this
// file exports, so nothing else may use them.
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { getConfig, getWriter } from "@langchain/langgraph";
import { z } from "zod";
import { createGraphs } from "../src/app/graphs.ts";
import { type Config, readConfig } from "../src/config/config.ts";
import { STUDIO_SETTINGS } from "../src/config/other-settings.ts";
import { secretsOf } from "../src/config/secrets.ts";
import type { Change } from "../src/domain/change.ts";
import { NOTHING_HELD } from "../src/domain/hold.ts";
import type { Step, StepResult } from "../src/domain/step.ts";
import { commandText } from "../src/domain/step-run.ts";
import { createExecution, type Execution } from "../src/execution/execution.ts";
import { agentShellFault } from "../src/execution/local/confinement/agent-shell-fault.ts";
import { findSkills, type Skills } from "../src/features/skills/process/find-skills.ts";
import { createJudges } from "../src/judge/thread-judge.ts";
import { createLog } from "../src/log/log.ts";
import { configuredServers } from "../src/mcp-client/tool-servers.ts";
import type { Clock, ExecutionBackend, Store, ToolServers } from "../src/ports.ts";
import { clock, newId as new_id, timer } from "../src/process/system.ts";
import { type Redaction, redactionOf } from "../src/redact/find-secrets.ts";
import { openDatabase } from "../src/store/database.ts";
import { createStore } from "../src/store/store.ts";
import type { Thread, ThreadOf } from "../src/tasks/thread.ts";
import { createThreads } from "../src/worker/threads.ts";

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
  const sandbox = { sandboxed: false, reason: IN_STUDIO, visible: IN_STUDIO } as const;
  const log = createLog({ level: config.log_level, redact: redaction.redact });
  const execution = createExecution(config, {
    means: { clock, timer, new_id, log },
    redaction,
    machine: { sandbox },
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

/**
 * An execution backend that runs nothing: every step passes, and its output says that it was rehearsed. It shows the path of a
 * contract through the pipeline without any effect.
 */
const createRehearsal = (clock: Clock): ExecutionBackend => ({
  name: "rehearsal",
  remote: false,
  run: async ({ steps, first_index, attempt: first_attempt }, observer, signal) => {
    const step_results: StepResult[] = [];
    for (const [offset, step] of steps.entries()) {
      const index = first_index + offset;
      const attempt = offset === 0 ? first_attempt : 1;
      if (signal.aborted || !(await observer.started(index, attempt))) break;
      const result = rehearsed(step, index, attempt, clock().toISOString());
      observer.finished(result);
      step_results.push(result);
    }
    return {
      ok: step_results.length === steps.length,
      summary: `${step_results.length} of ${steps.length} step(s) rehearsed, none of them run`,
      step_results,
      evidence: { executed_commands: [], key_outputs: step_results.map(({ stdout }) => stdout) },
    };
  },
});

function rehearsed(step: Step, index: number, attempt: number, started_at: string): StepResult {
  const stdout = `rehearsed, not run: ${commandText(step)}`;
  return {
    index,
    kind: step.kind,
    status: "passed",
    attempt,
    exit_code: 0,
    stdout,
    stderr: "",
    stdout_bytes: Buffer.byteLength(stdout),
    stderr_bytes: 0,
    truncated: false,
    started_at,
    duration_ms: 0,
    timed_out: false,
  };
}

/**
 * The store of Studio's graphs. Studio has threads of its own and no task rows, so changes of tasks are left out of a commit, and
 * so is a second decision on an approval, which a fork from before it has asked for again. Committed events are streamed (mode
 * `custom`): they are all that shows of a step.
 */
function storeForStudio(store: Store): Store {
  const isDecided = async (change: Change): Promise<boolean> =>
    change.on === "approval" && (await store.findApproval(change.approval_id))?.status !== "pending";
  return {
    ...store,
    commit: async (commit) => {
      const changes: Change[] = [];
      for (const change of commit.changes ?? [])
        if (change.on !== "task" && !(await isDecided(change))) changes.push(change);
      const result = await store.commit({ ...commit, changes });
      if (result.ok) for (const event of result.events) getWriter()?.(event);
      return result;
    },
  };
}

/** The nodes that look into a journal first when a graph starts. A graph within a node of another has no start of its own. */
const FIRST_NODES = /^(admit|replace_sop|request_promotion|load_tools):[^|]*$/;

/** The nodes that wait for a decision. Only their own answer decides in Studio, so one on record is that of another branch. */
const ASKING_NODES = /(^|\|)await_(approval|replacement|skill_approval|agent_approval|call_approval|promotion):[^|]*$/;

const RunConfig = z.object({
  configurable: z.object({ thread_id: z.string() }),
  metadata: z.object({ langgraph_checkpoint_ns: z.string() }),
  signal: z.instanceof(AbortSignal).optional(),
});

/**
 * In the service a task has one thread and one journal. In Studio the same contract is started again and again, on new threads and
 * on the same one, so every start gets a journal: `<Studio's thread>/<task_id>/<number of the start>`. What continues a thread (an
 * answer, a fork from an earlier checkpoint) goes on with the journal of its last start, and what was done there stays so. A fork
 * from before an approval asks for it again.
 */
const journalPerStart =
  (open: ThreadOf): ThreadOf =>
  async (name) => {
    const { configurable, metadata, signal } = RunConfig.parse(getConfig());
    const startOf = (number: number) => open(`${configurable.thread_id}/${name}/${number}`);
    let number = 1;
    while ((await startOf(number + 1)).journal.events.length > 0) number += 1;
    let thread = await startOf(number);
    if (FIRST_NODES.test(metadata.langgraph_checkpoint_ns) && hasBegun(thread)) {
      thread = await startOf(number + 1);
      await thread.journal.commit([{ kind: "taken_up", body: { owner: "studio", recovery: false } }]);
    }
    const shown = ASKING_NODES.test(metadata.langgraph_checkpoint_ns) ? undecided(thread) : thread;
    return signal === undefined ? shown : { ...shown, cancel: AbortSignal.any([shown.cancel, signal]) };
  };

/** The same thread, in which nothing has been decided yet. */
function undecided(thread: Thread): Thread {
  const { journal } = thread;
  const projection = { ...journal.projection, approvals: { ...journal.projection.approvals, decisions: new Map() } };
  return { ...thread, journal: Object.create(journal, { projection: { value: projection } }) };
}

const hasBegun = ({ journal }: Thread): boolean => journal.projection.has_begun;

// The development server imports this file when it starts, and calls the factories when it needs a graph.
let opened: ReturnType<typeof openStudio> | undefined;

function studio(): ReturnType<typeof openStudio> {
  opened ??= openStudio();
  return opened;
}

export const sop = async () => (await studio()).sop;
export const react = async () => (await studio()).react;
export const promotion = async () => (await studio()).promotion;
