// Composes a server without its endpoints, from the database up: storage, steps, tasks, operations, listeners and features.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import type { Config, Env } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import { createRecentAnswers } from "../domain/gate.ts";
import { FLOW_ENGINE, ownLabels, type TargetLabels } from "../domain/labels.ts";
import type { LiveOutput } from "../domain/live-output.ts";
import { createQuarantine } from "../domain/quarantine.ts";
import { createExecution, type Machine } from "../execution/execution.ts";
import type { FeatureServer, RunningServer } from "../features/feature.ts";
import { createTaskHolds, startFeatures } from "../features/features.ts";
import { createPeerOutput, withPeers } from "../features/live-output/peer-output.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import { type Judges, redactedJudges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import { sopToolsOf } from "../mcp/sop-tools.ts";
import { configuredServers } from "../mcp-client/configured-servers.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { modelsOf } from "../ollama/served-model.ts";
import { type AnyOperation, callOperation } from "../operations/operation.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import type { Clock, Store } from "../ports.ts";
import type { Redaction } from "../redact/redact.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import type { Database } from "../store/database.ts";
import { outputRoutes } from "../store/read-servers.ts";
import { createShrink } from "../store/shrink.ts";
import { createStore } from "../store/store.ts";
import { handsOn, type Traces } from "../tasks/thread.ts";
import { createWakeups } from "../wakeups/create-wakeups.ts";
import { createFeed } from "../worker/feed.ts";
import { createLateResults } from "../worker/late-results.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { scoresBehind } from "../worker/score-keeper.ts";
import { createThreads, type Threads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { createAgent } from "./agent.ts";
import { type AgentBackends, createCheckExaminer, createGraphs } from "./graphs.ts";
import { createOwnDoctor } from "./own-doctor.ts";
import { OWN_VERSION } from "./own-place.ts";
import { createScores, createWorker, stopWorker } from "./worker.ts";

type Parts = {
  readonly redaction: Redaction;
  readonly log: Log;
  readonly skills: Skills;
  readonly machine: Machine;
  readonly judges: Pick<Judges, "ofTasks" | "ofRequests">;
  /** Why commands of agents cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  /** Replace the backends of the same name. */
  readonly agent_backends?: AgentBackends;
  /** Is put between orch and its database. Tests make faults there. */
  readonly storeOn?: (store: Store) => Store;
  /** What time it is; the system's when it is not given. */
  readonly clock?: Clock;
  /** What it is called; as its host when it is not given. */
  readonly name?: string;
  /** What this server has; by the configuration and its host when it is not given. */
  readonly labels?: readonly string[];
  /** The labels of targets; none when they are not given. */
  readonly target_labels?: readonly TargetLabels[];
  /** What the server was started from. */
  readonly environment?: Env | undefined;
  /** By default the trace of a submit is handed on, and none is made. */
  readonly traces?: Traces;
  /** Called when this server was asked to drain. */
  readonly onDrain?: () => void;
};

export function compose(config: Config, database: Database, parts: Parts) {
  const { log, skills, clock = () => new Date(), name = hostname(), target_labels = [] } = parts;
  const { onDrain = () => undefined, traces = handsOn() } = parts;
  const { redact } = parts.redaction;
  const { servers } = database;
  const { owner, are_many } = servers;
  const labels = claimedLabels(config, database, parts.labels);
  const new_id = () => randomUUID();

  // Storage: every commit of the server passes through the observer.
  const quarantine = createQuarantine();
  const kept = createStore({ database, clock, archive_dir: config.archive_dir, onDamaged: quarantine.add });
  const stored = parts.storeOn?.(kept) ?? kept;
  const metrics = createMetrics({ store: stored, clock, behind: () => scoresBehind(stored) });
  const feed = createFeed({ store: stored, are_many, timer, log });
  const commits = observeCommits(metrics.timed(stored), {
    owner,
    onFault: (err) => log.error({ err }, "a commit is durable, and one that hears of commits has failed"),
  });
  const { store } = commits;
  const server: FeatureServer = { config, store, clock, timer, log };

  // Steps: the places where their commands run, and the models.
  const judges = redactedJudges(parts.judges, redact);
  const models = modelsOf(config);
  const toolServers = configuredServers(config);
  const execution = createExecution(config, { ...parts, clock, new_id, toolServers });
  const agent = createAgent(config, { ...parts, redact, judges, models, execution: execution.ofAgents });

  // Tasks: their threads, the graphs, and the worker that claims them.
  const task_holds = createTaskHolds(server);
  const late = createLateResults({ store, owner, name, log });
  const threads = createThreads({ store, clock, owner, task_holds, late, traces });
  const checkpoints = checkpointsOf(database, threads);
  const examiner = createCheckExaminer({ store, clock, looks: execution.looks, judge: judges.ofTasks });
  const graphs = createGraphs(config, {
    store,
    threadOf: threads.threadOf,
    clock,
    new_id,
    agent,
    redact,
    skills,
    execution,
    toolServers,
    judges,
    models,
    examiner,
    checkpoints,
    agent_backends: parts.agent_backends,
  });
  const wakeups = createWakeups(config, database, { labels, timer, log });
  const worker = createWorker(config, database, {
    ...server,
    threads,
    checkpoints,
    graphs,
    owner,
    new_id,
    quarantine,
    cleared: execution.isCleared,
    task_holds,
    wakeups,
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    labels,
    target_labels,
  });
  const scores = createScores({ stored, are_many, metrics, feed, demotions: worker.demotions, wakeups, timer, log });

  // Operations: callers reach everything above by them.
  const answers = createRecentAnswers();
  const intents = new Set([...INTENTS, ...skills.intents]);
  const diagnose = createOwnDoctor(config, database, { ...parts, redact, toolServers, name, clock, answers, models });
  const operations = operationsTable({
    store,
    clock,
    new_id,
    nextReport: commits.nextReport,
    nextEvent: commits.nextEvent,
    dispatcher: worker.dispatcher,
    promotions: worker.promotions,
    threads,
    locks: worker.locks,
    agent,
    intents,
    queueDepth: wakeups.depth,
    onDrain,
    quarantined: quarantine.list,
    diagnose,
    answers,
    backendOf: execution.backendOf,
    toolServers,
    unapproved: execution.unapproved,
    redact,
    scores,
    servers,
    task_holds,
    examiner,
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    labels,
    target_labels,
    has_model: config.routing_model !== null,
    settings: config,
    home: homedir(),
    judge: judges.ofRequests,
  });

  // Listeners: each hears of every commit, in this order.
  commits.subscribe({ onChanged: feed.committed, onHeard: feed.heard });
  commits.subscribe({ onCommitted: metrics.committed });
  commits.subscribe({ onCommitted: ({ events }) => answers.note(events) });
  commits.subscribe({ onCommitted: scores.note });
  commits.subscribe({ onCommitted: execution.committed });
  commits.subscribe({ onCancel: (thread_id) => cancel(threads, thread_id, log) });
  if (are_many) commits.subscribe({ isElsewhere: threads.isElsewhere });
  commits.subscribe({ onReportElsewhere: worker.reportedElsewhere, onDrain });
  task_holds.onEased(worker.release);

  // Features: they work by themselves, and hear of a commit after the engine.
  const running: RunningServer = {
    ...server,
    commits,
    wakeups,
    task_holds,
    call: callerOf(operations),
    onFinished: worker.onFinished,
    submitOwn: worker.submitOwn,
    shrink: createShrink(database),
  };
  const features = startFeatures(running);

  // Last, so that everything hears of what other servers announce.
  database.hear(commits.hear);

  const stop = async (drain_ms = config.drain_seconds * 1000): Promise<void> => {
    scores.stop();
    await Promise.all([...features.map((one) => one.stop?.()), stopWorker(worker, drain_ms)]);
    // Only now: what is left to other servers is sent through them.
    await wakeups.stop();
    await execution.close();
    await toolServers.close();
    await traces.close();
  };
  return {
    ...worker,
    store,
    operations: operations.map(boundWaits()),
    intents,
    sop_tools: sopToolsOf(config, { ...commits, ...skills, clock, new_id }),
    nextReport: commits.nextReport,
    live: everywhere(database, execution.live, log),
    liveHere: execution.live,
    runsHere: threads.isOpen,
    cutOff: threads.cutOff,
    startCommands: execution.start,
    prepare: execution.prepare,
    lives: execution.lives,
    reportLate: late.report,
    task_holds,
    features,
    wakeups,
    scores,
    metrics,
    feed,
    stop,
  };
}

/** The only server takes the tasks of a flow engine that it does not have, too, and says in each that there is none. */
function claimedLabels({ labels, flow_engine }: Config, { servers }: Database, given?: readonly string[]) {
  const own = given ?? ownLabels(labels, { host: hostname(), confines: false, has_engine: flow_engine !== null });
  return servers.are_many ? own : [...own, FLOW_ENGINE];
}

function checkpointsOf(database: Database, { hasEnded: isEnded, isNew, ensureClaimed }: Threads): PrismaSaver {
  const ensureMine = (thread_id: string) => ensureClaimed(thread_id).then(() => database.confirmOwned());
  const written_by = OWN_VERSION;
  return new PrismaSaver(database, { isEnded, isNew, written_by, ...(database.servers.are_many && { ensureMine }) });
}

/** Null where it is not known which thread is to be cancelled. */
function cancel(threads: Threads, thread_id: string | null, log: Log): void {
  if (thread_id !== null) {
    threads.cancel(thread_id);
    return;
  }
  void threads.findCancelled().catch((err: unknown) => {
    log.error({ err }, "requests to cancel were not looked for; a task hears with its next commit");
  });
}

/** None of them decides. */
const FOR_FEATURES: ReadonlySet<string> = new Set(["submit_task", "explain"]);

/** A feature sends what was accepted before, so nothing in it is refused as misspelt. */
function callerOf(operations: readonly AnyOperation[]): RunningServer["call"] {
  const { signal } = new AbortController();
  return async (name, input, token_id) => {
    const found = FOR_FEATURES.has(name) ? operations.find((one) => one.name === name) : undefined;
    if (found === undefined) throw new Error(`a feature may not call ${name}`);
    const { wrongHere: _wrong, ...operation } = found;
    return callOperation(operation, input, { token_id, signal });
  };
}

/** Reads what steps write: here, and with several servers also on the one that runs the task (D-395). */
function everywhere(database: Database, here: LiveOutput, log: Log): LiveOutput {
  if (!database.servers.are_many) return here;
  const onFault = (fault: object) =>
    log.warn(
      { code: "live_output_unreachable", ...fault },
      "what steps write on another server cannot be read: only their journals are shown",
    );
  return withPeers(here, createPeerOutput({ routeOf: outputRoutes(database), onFault }));
}
