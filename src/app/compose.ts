// Composes the service without its endpoints: the operations, and what works on tasks: the dispatcher, the promotions of
// candidates, and the expiry of approvals.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import type { Config, Env } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import { FLOW_ENGINE, ownLabels, type TargetLabels } from "../domain/labels.ts";
import { createQuarantine } from "../domain/quarantine.ts";
import { createRecentAnswers } from "../domain/recent-answers.ts";
import { newTaskId } from "../domain/thread-id.ts";
import type { Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import type { SopTools } from "../mcp/sop-tool-calls.ts";
import { modelsOf } from "../ollama/configured-models.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import type { Clock, Store } from "../ports.ts";
import type { Redact } from "../redact/redact.ts";
import type { WithoutKnown } from "../redact/without-known.ts";
import type { Skills } from "../skill-process/find-skills.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import type { Database } from "../store/database.ts";
import { createShrink } from "../store/shrink.ts";
import { createStore } from "../store/store.ts";
import type { Traces } from "../traces/port.ts";
import type { Wakeups } from "../wakeups/port.ts";
import type { CommitObserver } from "../worker/observe-commits.ts";
import type { Scheduler } from "../worker/scheduler.ts";
import type { Threads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { composeAgent } from "./compose-agent.ts";
import { composeDoctor } from "./compose-doctor.ts";
import { composeExecution } from "./compose-execution.ts";
import { composeFreezes } from "./compose-freezes.ts";
import { type AgentBackends, composeExaminer, composeGraphs } from "./compose-graphs.ts";
import { composeKeeping } from "./compose-keeping.ts";
import { composeLive } from "./compose-live.ts";
import { composeAgentNetworks } from "./compose-network.ts";
import { composeScheduler } from "./compose-scheduler.ts";
import { composeScores } from "./compose-scores.ts";
import { composeThreads } from "./compose-threads.ts";
import { composeWakeups } from "./compose-wakeups.ts";
import { composeWorker, stopWorker, type Worker } from "./compose-worker.ts";
import { OWN_VERSION } from "./own-place.ts";
import { redactedJudges } from "./redacted-judges.ts";

const systemClock: Clock = () => new Date();
const new_id = () => randomUUID();

type Parts = {
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within: those that `redact` knows. */
  readonly beginningOf: (text: string) => number;
  /** Texts of scripts on disk as they are judged: without those secrets. */
  readonly withoutKnown: WithoutKnown;
  readonly log: Log;
  readonly skills: Skills;
  readonly sandbox: Sandbox;
  readonly judges: Pick<Judges, "ofTasks" | "ofRequests">;
  /** Why commands of agents cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  /** Replace the backends of the same name. */
  readonly agent_backends?: AgentBackends;
  /** Is put between orch and its database. Tests make faults there. */
  readonly storeOn?: (store: Store) => Store;
  /** Where this server listens, where that is not the port of the configuration. */
  readonly listensOn?: () => number;
  /** What time it is; the system's when it is not given. */
  readonly clock?: Clock;
  /** What it is called; as its host when it is not given. */
  readonly name?: string;
  /** What this server has; by the configuration and its host when it is not given. */
  readonly labels?: readonly string[];
  /** The labels of targets; none when they are not given. */
  readonly target_labels?: readonly TargetLabels[];
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
  /** What the server was started from. */
  readonly environment?: Env | undefined;
  /** By default the trace of a submit is handed on, and none is made. */
  readonly traces?: Traces;
  /** Called when this server was asked to drain. */
  readonly onDrain?: () => void;
};

/** The only server takes the tasks of a flow engine that it does not have, too, and says in each that there is none. */
function claimed({ labels, flow_engine }: Config, { servers }: Database, given?: readonly string[]): readonly string[] {
  const own = given ?? ownLabels(labels, { host: hostname(), confines: false, has_engine: flow_engine !== null });
  return servers.are_many ? own : [...own, FLOW_ENGINE];
}

export function compose(config: Config, database: Database, parts: Parts) {
  const { redact, log, skills, shellFault, agent_backends, name = hostname() } = parts;
  const { listensOn = () => config.port, clock = systemClock, target_labels = [], onDrain = () => undefined } = parts;
  const labels = claimed(config, database, parts.labels);
  const judges = redactedJudges(parts.judges, redact);
  const { owner } = database.servers;
  const quarantine = createQuarantine();
  const answers = createRecentAnswers();
  const stored = storeOf(config, database, { ...parts, clock, onDamaged: quarantine.add });
  const { scores, metrics, observer, feed, shareFold } = composeScores(stored, {
    ...{ log, clock, threads: () => threads, worker: () => worker, ...database.servers, onDrain },
    ...{ answers, onEnded: (task_id: string) => execution.endRun(task_id) },
  });
  const { store, nextReport, nextEvent, activeSopsChanged } = observer;
  const freezes = composeFreezes(config, { store, clock, log, release: () => worker.release() });
  const { threads, late, traces } = composeThreads({ store, clock, owner, freezes, name, log, traces: parts.traces });
  const checkpoints = checkpointsOf(database, threads);
  const networks = composeAgentNetworks(config, listensOn, log);
  const { leftBehind, cleared } = createLeftovers();
  const execution = composeExecution(config, { ...parts, clock, new_id, networks, leftBehind });
  const models = modelsOf(config);
  const agent = composeAgent(config, { redact, judges, skills, shellFault, models, execution: execution.ofAgents });
  const services = {
    models,
    store,
    threadOf: threads.threadOf,
    clock,
    new_id,
    agent,
    redact,
    skills,
    execution,
    judges,
  };
  const graphs = composeGraphs(config, { ...services, checkpoints, agent_backends });
  const wakeups = composeWakeups(config, database, { labels, timer, log });
  const worker = composeWorker(config, database, {
    ...{ store, threads, checkpoints, graphs, owner, clock, new_id, timer, log, quarantine, cleared, freezes, wakeups },
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
    ...{ skillOf: skills.skillOf, default_backend: config.execution_backend, labels, target_labels },
  });
  const { locks, dispatcher, promotions, expiry, verifications, reconciler } = worker;
  const shareKeeping = composeKeeping(config, { store, clock, log, wakeups, shrink: createShrink(database) });
  database.hear(observer.hear);
  const intents = new Set([...INTENTS, ...skills.intents]);
  const schedules = composeScheduler(config, { store, clock, timer, log, freezes }, () => operations);
  const diagnose = composeDoctor(config, database, { ...parts, ...execution, name, clock, answers, models });
  const operations = operationsTable({
    ...{ store, clock, new_id, nextReport, nextEvent, dispatcher, promotions, threads, locks, agent, intents },
    ...{ queueDepth: wakeups.depth, onDrain, quarantined: quarantine.list, diagnose, answers },
    ...{ backendOf: execution.backendOf, toolServers: execution.toolServers, unapproved: execution.unapproved },
    ...{ redact, scores, servers: database.servers, freezes, examiner: composeExaminer(services) },
    ...{ skillOf: skills.skillOf, default_backend: config.execution_backend, labels, target_labels },
    ...{ has_model: config.routing_model !== null, schedules, max_schedules: config.schedules },
    ...{ home: homedir(), judge: judges.ofRequests },
  });
  const stop = (drain_ms = config.drain_seconds * 1000) =>
    stopAll({ scores, wakeups, schedules, worker, execution, traces }, drain_ms);
  const sop_tools = composeSopTools(config, { clock, store, activeSopsChanged, skillOf: skills.skillOf });
  return {
    operations: operations.map(boundWaits()),
    ...{ live: composeLive(database, execution.live, log), liveHere: execution.live, runsHere: threads.isOpen },
    ...{ startCommands: execution.start, lives: execution.lives, cutOff: threads.cutOff },
    ...{ intents, sop_tools, store, nextReport, wakeups, freezes, feed, reportLate: late.report },
    ...{ dispatcher, promotions, expiry, verifications, schedules, reconciler, scores, metrics, stop, leftBehind },
    ...{ shareFold, shareKeeping },
  };
}

type Stopping = Pick<ReturnType<typeof composeScores>, "scores"> & {
  readonly wakeups: Wakeups;
  readonly schedules: Scheduler;
  readonly worker: Worker;
  readonly execution: Pick<ReturnType<typeof composeExecution>, "close">;
  readonly traces: Pick<ReturnType<typeof composeThreads>["traces"], "close">;
};

async function stopAll(stopping: Stopping, drain_ms: number): Promise<void> {
  const { scores, wakeups, schedules, worker, execution, traces } = stopping;
  scores.stop();
  await Promise.all([schedules.stop(), stopWorker(worker, drain_ms)]);
  // Only now: what is left to other servers is sent through them.
  await wakeups.stop();
  await execution.close();
  await traces.close();
}

function checkpointsOf(database: Database, { hasEnded: isEnded, isNew, ensureClaimed }: Threads): PrismaSaver {
  const ensureMine = (thread_id: string) => ensureClaimed(thread_id).then(() => database.confirmOwned());
  const written_by = OWN_VERSION;
  return new PrismaSaver(database, { isEnded, isNew, written_by, ...(database.servers.are_many && { ensureMine }) });
}

/** Whether everything was ended that a server before, or a lost process for commands, had left running (D-300). */
function createLeftovers() {
  let isCleared = true;
  const leftBehind = () => {
    isCleared = false;
  };
  return { leftBehind, cleared: () => isCleared };
}

type SopToolParts = Pick<CommitObserver, "store" | "activeSopsChanged"> &
  Pick<Skills, "skillOf"> & { readonly clock: Clock };

/** Null where procedures are no tools. */
function composeSopTools(
  { sop_tools }: Config,
  { clock, store, activeSopsChanged, skillOf }: SopToolParts,
): SopTools | null {
  if (sop_tools === "off") return null;
  return {
    // A contract of any other intent is not run by a procedure.
    mostUsed: async (limit) =>
      (await store.mostUsedSops(limit)).filter(({ intent }) => intent !== "update_sop" && skillOf(intent) === null),
    newTaskId: (intent) => newTaskId(intent, clock(), new_id().slice(0, 4)),
    toolsChanged: activeSopsChanged,
  };
}

type StoreParts = Pick<Parts, "storeOn"> & Omit<Parameters<typeof createStore>[0], "database" | "archive_dir">;

function storeOf({ archive_dir }: Config, database: Database, { storeOn, clock, onDamaged }: StoreParts): Store {
  const store = createStore({ database, clock, archive_dir, ...(onDamaged !== undefined && { onDamaged }) });
  return storeOn?.(store) ?? store;
}
