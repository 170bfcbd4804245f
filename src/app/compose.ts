// Composes the service without its endpoints: the operations, and what works on tasks: the dispatcher, the promotions of
// candidates, and the expiry of approvals.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import type { Config, Env } from "../config/config.ts";
import { readConfiguration } from "../doctor/configuration.ts";
import { broken, type Diagnosis, works } from "../doctor/examination.ts";
import { lookAround } from "../doctor/look-around.ts";
import { INTENTS } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { createRecentAnswers, type RecentAnswers } from "../domain/gate.ts";
import type { TaskHolds } from "../domain/hold.ts";
import { type Json, redactedJson } from "../domain/json.ts";
import { FLOW_ENGINE, ownLabels, type TargetLabels } from "../domain/labels.ts";
import type { LiveOutput } from "../domain/live-output.ts";
import { createQuarantine, type Quarantine } from "../domain/quarantine.ts";
import { newTaskId } from "../domain/thread-id.ts";
import type { Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import type { Scheduler } from "../features/schedules/scheduler.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import type { SopTools } from "../mcp/sop-tools.ts";
import { type Models, modelsOf } from "../ollama/served-model.ts";
import type { OperationDeps } from "../operations/deps.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import { createPeerOutput } from "../peer-output/peer-output.ts";
import { examinePlan, type JudgedPlan, type Plan } from "../policy/judge-plan.ts";
import type { Clock, Judge, Store, ToolServers } from "../ports.ts";
import type { Redact, WithoutKnown } from "../redact/redact.ts";
import type { Skills } from "../skill-process/find-skills.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import { type Database, databaseBytes } from "../store/database.ts";
import { outputRoutes, readServers } from "../store/read-servers.ts";
import { createShrink } from "../store/shrink.ts";
import { createStore } from "../store/store.ts";
import { handsOn, type Traces } from "../traces/port.ts";
import type { Wakeups } from "../wakeups/port.ts";
import { createLateResults } from "../worker/late-results.ts";
import type { CommitObserver } from "../worker/observe-commits.ts";
import { createThreads, type Threads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { composeAgent, composeAgentNetworks } from "./compose-agent.ts";
import { composeExecution } from "./compose-execution.ts";
import { type AgentBackends, composeExaminer, composeGraphs } from "./compose-graphs.ts";
import { composeKeeping } from "./compose-keeping.ts";
import { composeFreezes, composeScheduler } from "./compose-scheduler.ts";
import { composeScores } from "./compose-scores.ts";
import { composeWakeups } from "./compose-wakeups.ts";
import { composeWorker, stopWorker, type Worker } from "./compose-worker.ts";
import { OWN_VERSION } from "./own-place.ts";
import { rarely } from "./rarely.ts";

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
    log,
    clock,
    threads: () => threads,
    worker: () => worker,
    ...database.servers,
    onDrain,
    answers,
    onEnded: (task_id: string) => execution.endRun(task_id),
  });
  const { store, nextReport, nextEvent, activeSopsChanged } = observer;
  const task_holds = composeFreezes(config, { store, clock, log, release: () => worker.release() });
  const { threads, late, traces } = composeThreads({
    store,
    clock,
    owner,
    task_holds,
    name,
    log,
    traces: parts.traces,
  });
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
    store,
    threads,
    checkpoints,
    graphs,
    owner,
    clock,
    new_id,
    timer,
    log,
    quarantine,
    cleared,
    task_holds,
    wakeups,
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    labels,
    target_labels,
  });
  const { locks, dispatcher, promotions, expiry, verifications, reconciler } = worker;
  const shareKeeping = composeKeeping(config, { store, clock, log, wakeups, shrink: createShrink(database) });
  database.hear(observer.hear);
  const intents = new Set([...INTENTS, ...skills.intents]);
  const schedules = composeScheduler(config, { store, clock, timer, log, task_holds }, () => operations);
  const diagnose = composeDoctor(config, database, { ...parts, ...execution, name, clock, answers, models });
  const operations = operationsTable({
    store,
    clock,
    new_id,
    nextReport,
    nextEvent,
    dispatcher,
    promotions,
    threads,
    locks,
    agent,
    intents,
    queueDepth: wakeups.depth,
    onDrain,
    quarantined: quarantine.list,
    diagnose,
    answers,
    backendOf: execution.backendOf,
    toolServers: execution.toolServers,
    unapproved: execution.unapproved,
    redact,
    scores,
    servers: database.servers,
    task_holds,
    examiner: composeExaminer(services),
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    labels,
    target_labels,
    has_model: config.routing_model !== null,
    schedules,
    max_schedules: config.schedules,
    home: homedir(),
    judge: judges.ofRequests,
  });
  const stop = (drain_ms = config.drain_seconds * 1000) =>
    stopAll({ scores, wakeups, schedules, worker, execution, traces }, drain_ms);
  const sop_tools = composeSopTools(config, { clock, store, activeSopsChanged, skillOf: skills.skillOf });
  return {
    operations: operations.map(boundWaits()),
    live: composeLive(database, execution.live, log),
    liveHere: execution.live,
    runsHere: threads.isOpen,
    startCommands: execution.start,
    lives: execution.lives,
    cutOff: threads.cutOff,
    intents,
    sop_tools,
    store,
    nextReport,
    wakeups,
    task_holds,
    feed,
    reportLate: late.report,
    dispatcher,
    promotions,
    expiry,
    verifications,
    schedules,
    reconciler,
    scores,
    metrics,
    stop,
    leftBehind,
    shareFold,
    shareKeeping,
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

type StoreParts = Pick<Parts, "storeOn"> & { readonly clock: Clock; readonly onDamaged: Quarantine["add"] };

function storeOf({ archive_dir }: Config, database: Database, { storeOn, clock, onDamaged }: StoreParts): Store {
  const store = createStore({ database, clock, archive_dir, onDamaged });
  return storeOn?.(store) ?? store;
}

// The threads that this server works on, with what is remembered of late results and the traces of the work.

type ComposeThreadsParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
  /** Of this server. */
  readonly name: string;
  readonly task_holds: TaskHolds;
  readonly log: Log;
  readonly traces?: Traces | undefined;
};

function composeThreads({ name, log, traces = handsOn(), ...parts }: ComposeThreadsParts) {
  const { store, owner } = parts;
  const late = createLateResults({ store, owner, name, log });
  return { threads: createThreads({ ...parts, late, traces }), late, traces };
}

// What the steps of tasks write, on this server and, where several share the database, on the one that runs a task (D-395).

function composeLive(database: Database, here: LiveOutput, log: Log): LiveOutput {
  if (!database.servers.are_many) return here;
  const onFault = (fault: object) =>
    log.warn(
      { code: "live_output_unreachable", ...fault },
      "what steps write on another server cannot be read: only their journals are shown",
    );
  return both(here, createPeerOutput({ routeOf: outputRoutes(database), onFault }));
}

/** A task that goes to another server is read on. */
const both = (here: LiveOutput, elsewhere: LiveOutput): LiveOutput => ({
  watch: (task_id, onMore) => {
    const readers = [here, elsewhere].map(({ watch }) => watch(task_id, onMore));
    return {
      read: () => readers.flatMap(({ read }) => read()),
      close: () => {
        for (const { close } of readers) close();
      },
    };
  },
});

// A judge whose findings quote no known secret: a plan is judged with the texts of the scripts that it runs, and a finding shows the
// command that it is about, with what such a text put into it (D-265).

type Both = Pick<Judges, "ofTasks" | "ofRequests">;

const redactedJudges = ({ ofTasks, ofRequests }: Both, redact: Redact): Both => ({
  ofTasks: redactedJudge(ofTasks, redact),
  ofRequests: redactedJudge(ofRequests, redact),
});

const redactedJudge =
  (judge: Judge, redact: Redact): Judge =>
  async (judgement, ...given) => {
    const judged = await judge(judgement, ...given);
    // Only this judgement reads texts of files.
    if ((judgement as unknown) !== examinePlan) return judged;
    const [plan] = given as unknown as [Plan];
    return plan.context.scripts?.size ? (redacted(judged as JudgedPlan, redact) as typeof judged) : judged;
  };

function redacted({ findings, steps }: JudgedPlan, redact: Redact): JudgedPlan {
  const quoted = <T>(value: T): T => redactedJson(redact, value as Json) as T;
  return {
    findings: quoted(findings),
    // The texts are compared with what the files hold when the step starts.
    steps: steps.map(({ known, uses, consequences, saw }) => ({
      known,
      uses: { ...uses, uncovered: quoted(uses.uncovered) },
      consequences: quoted(consequences),
      saw: quoted(saw),
    })),
  };
}

// The checks of orch doctor, made by the server of itself. They start processes and ask models and tool servers, so an answer is given
// again for a while (D-358).

type ComposeDoctorParts = {
  readonly name: string;
  readonly clock: Clock;
  /** What the server was started from. */
  readonly environment?: Env | undefined;
  readonly skills: Pick<Skills, "intents" | "unusable">;
  readonly toolServers: Pick<ToolServers, "names" | "listTools">;
  readonly redact: Redact;
  readonly answers: Pick<RecentAnswers, "notice">;
  readonly models: Models;
};

/** Longer than the longest check, so that two looks are never under way at once. */
const AGAIN_MS = 10_000;

function composeDoctor(config: Config, database: Database, parts: ComposeDoctorParts): OperationDeps["diagnose"] {
  const { name, clock, environment, skills, toolServers, redact, answers, models } = parts;
  const { describeServers } = readServers(database);
  return rarely(async () => {
    const bytes = await databaseBytes(database).catch((error: unknown) => faultOf(error));
    const found = await lookAround({
      config,
      skills,
      toolServers,
      redact,
      answers,
      models,
      docker_host: environment?.["DOCKER_HOST"],
      configuration: environment === undefined ? null : readConfiguration(environment).diagnosis,
      database: () => diagnose(database, bytes),
      servers: database.servers.are_many ? async () => (await describeServers()).servers : null,
    });
    const { provider: kind } = database;
    const size = typeof bytes === "number" ? bytes : null;
    return { server: name, checked_at: clock().toISOString(), ...found, database: { kind, bytes: size } };
  }, AGAIN_MS);
}

const NAMES = { sqlite: "SQLite", postgresql: "PostgreSQL" } as const;
const FIX = "Read the log of orch; it tries again by itself.";

async function diagnose(database: Database, bytes: number | Diagnosis): Promise<Diagnosis> {
  if (typeof bytes !== "number") return bytes;
  try {
    await database.confirmOwned();
    await database.ensureRoom();
    return works(`${NAMES[database.provider]}, in use by this server`);
  } catch (error) {
    return faultOf(error);
  }
}

const faultOf = (error: unknown): Diagnosis =>
  broken(
    error instanceof Error ? error.message : String(error),
    (error instanceof OrchError ? error.fix : null) ?? FIX,
  );
