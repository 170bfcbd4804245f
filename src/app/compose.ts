// Composes the service without its endpoints: the operations, and what works on tasks: the dispatcher, the promotions of
// candidates, and the expiry of approvals.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import { withoutRootRuns } from "../../graphs/without-root-runs.ts";
import type { Config } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import { endsTask } from "../domain/journal.ts";
import { createQuarantine } from "../domain/quarantine.ts";
import { newTaskId } from "../domain/thread-id.ts";
import { brokenPromises } from "../evidence/verify/promises.ts";
import type { Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import type { SopTools } from "../mcp/sop-tool-calls.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { expire } from "../operations/decide.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import type { Store } from "../ports.ts";
import type { Redact } from "../redact/redact.ts";
import type { WithoutKnown } from "../redact/without-known.ts";
import type { Skills } from "../skill-process/find-skills.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import type { Database } from "../store/database.ts";
import { createStore } from "../store/store.ts";
import { createDemotions } from "../worker/demotions.ts";
import { createDispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import { type CommitObserver, observeCommits } from "../worker/observe-commits.ts";
import { createPromotions, promoteCandidates } from "../worker/promotions.ts";
import { createReconciler } from "../worker/reconcile.ts";
import { createScoreKeeper } from "../worker/score-keeper.ts";
import { createTargetLocks } from "../worker/target-locks.ts";
import { createThreads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { composeAgent } from "./compose-agent.ts";
import { composeExecution } from "./compose-execution.ts";
import { type AgentBackends, composeExaminer, composeGraphs } from "./compose-graphs.ts";
import { composeAgentNetworks } from "./compose-network.ts";
import { redactedJudges } from "./redacted-judges.ts";

export const LEASE_MS = 30_000;

const clock = () => new Date();
const new_id = () => randomUUID();
const now = () => performance.now();
const HOUR_MS = 3_600_000;

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
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
};

export function compose(config: Config, database: Database, parts: Parts) {
  const { redact, log, skills, shellFault, agent_backends, listensOn = () => config.port } = parts;
  const judges = redactedJudges(parts.judges, redact);
  const owner = `${hostname()}/${process.pid}/${new_id()}`;
  withoutRootRuns();
  const quarantine = createQuarantine();
  const stored = storeOf(parts, createStore({ database, clock, onDamaged: quarantine.add }));
  const { scores, metrics, observer } = composeScores(stored, log, {
    onEnded: (task_id) => execution.endRun(task_id),
    onCaughtUp: () => worker.demotions.look(),
  });
  const { store, nextReport, nextEvent, activeSopsChanged } = observer;
  const threads = createThreads({ store, clock, owner });
  const checkpoints = new PrismaSaver(database, { isEnded: threads.hasEnded, isNew: threads.isNew });
  const networks = composeAgentNetworks(config, listensOn, log);
  const execution = composeExecution(config, { ...parts, clock, new_id, networks });
  const agent = composeAgent(config, { redact, judges, skills, shellFault, execution: execution.ofAgents });
  const services = { store, threadOf: threads.threadOf, clock, new_id, agent, redact, skills, execution, judges };
  const graphs = composeGraphs(config, { ...services, checkpoints, agent_backends });
  const worker = composeWorker(config, database, {
    ...{ store, threads, checkpoints, graphs, owner, clock, new_id, timer, log, quarantine },
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
  });
  const { locks, dispatcher, promotions, expiry, reconciler } = worker;
  const intents = new Set([...INTENTS, ...skills.intents]);
  const operations = operationsTable({
    ...{ store, clock, new_id, nextReport, nextEvent, dispatcher, promotions, threads, locks, agent, intents, scores },
    quarantined: quarantine.list,
    backendOf: execution.backendOf,
    toolServers: execution.toolServers,
    unapproved: execution.unapproved,
    examiner: composeExaminer(services),
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    has_model: config.routing_model !== null,
    home: homedir(),
    judge: judges.ofRequests,
  });
  const stop = async (drain_ms = config.drain_seconds * 1000) => {
    scores.stop();
    await stopWorker(worker, drain_ms);
    await execution.close();
  };
  const sop_tools = composeSopTools(config, { store, activeSopsChanged, skillOf: skills.skillOf });
  return {
    operations: operations.map(boundWaits()),
    ...{
      live: execution.live,
      startCommands: execution.start,
      cutOff: threads.cutOff,
      intents,
      sop_tools,
      store,
      nextReport,
    },
    ...{ dispatcher, promotions, expiry, reconciler, scores, metrics, stop },
  };
}

type ScoreEvents = {
  readonly onEnded: (task_id: string) => void;
  /** Once the tasks that have ended are scored. */
  readonly onCaughtUp: () => Promise<void>;
};

/** What is counted of the tasks, after the fact; every commit of the server passes through the observer. */
function composeScores(stored: Store, log: Log, { onEnded, onCaughtUp }: ScoreEvents) {
  const metrics = createMetrics({ store: stored, clock, behind: () => scores.behind() });
  const parts = { store: stored, brokenIn: brokenPromises, onFolded: metrics.folded, onCaughtUp };
  const scores = createScoreKeeper({ ...parts, timer, now, log });
  const observer = observeCommits(metrics.timed(stored), (commit) => {
    if (commit.events.some(endsTask)) onEnded(commit.thread_id);
    metrics.committed(commit);
    scores.note(commit);
  });
  return { scores, metrics, observer };
}

async function stopWorker(worker: ReturnType<typeof composeWorker>, drain_ms: number): Promise<void> {
  const { reconciler, expiry, dispatcher, promotions } = worker;
  reconciler.stop();
  expiry.stop();
  await dispatcher.drain(drain_ms);
  await promotions.drain();
}

type SopToolParts = Pick<CommitObserver, "store" | "activeSopsChanged"> & Pick<Skills, "skillOf">;

/** Null where procedures are no tools. */
function composeSopTools({ sop_tools }: Config, { store, activeSopsChanged, skillOf }: SopToolParts): SopTools | null {
  if (sop_tools === "off") return null;
  return {
    // A contract of any other intent is not run by a procedure.
    mostUsed: async (limit) =>
      (await store.mostUsedSops(limit)).filter(({ intent }) => intent !== "update_sop" && skillOf(intent) === null),
    newTaskId: (intent) => newTaskId(intent, clock(), new_id().slice(0, 4)),
    toolsChanged: activeSopsChanged,
  };
}

const storeOf = ({ storeOn }: Parts, store: Store): Store => storeOn?.(store) ?? store;

type WorkerParts = Omit<
  Parameters<typeof createDispatcher>[0] &
    Parameters<typeof createPromotions>[0] &
    Parameters<typeof createDemotions>[0] &
    Parameters<typeof createExpiry>[0],
  | "graph"
  | "locks"
  | "lease_ms"
  | "predecessor"
  | "ping"
  | "onFinished"
  | "onPaused"
  | "expire"
  | "now"
  | "promotions"
  | keyof OfConfig
> & { readonly graphs: Pick<ReturnType<typeof composeGraphs>, "sop" | "promotion"> };

type OfConfig = ReturnType<typeof workerSettings>;
const workerSettings = ({ concurrency, sop_demotion: mode, approval_ttl_hours }: Config) => ({
  ...{ concurrency, mode, approval_ttl_ms: approval_ttl_hours * HOUR_MS },
});

function composeWorker(config: Config, { predecessor, heartbeat }: Database, { graphs, ...given }: WorkerParts) {
  const parts = { ...given, ...workerSettings(config) };
  const locks = createTargetLocks();
  const onPaused = () => void expiry.arm();
  const promotions = createPromotions({ ...parts, graph: graphs.promotion, onPaused, now });
  const dispatcher = createDispatcher({
    ...parts,
    ...{ locks, predecessor, ping: heartbeat },
    graph: graphs.sop,
    lease_ms: LEASE_MS,
    onFinished: (ended) => promoteCandidates(promotions, ended),
    onPaused,
  });
  const expiry = createExpiry({
    ...parts,
    expire: (approval) => expire({ ...parts, dispatcher, promotions }, approval),
  });
  const demotions = createDemotions({ ...parts, promotions });
  const looks = [dispatcher.reconcile, promotions.reconcile];
  const reconciler = createReconciler({ ...parts, looks, now });
  return { locks, promotions, demotions, dispatcher, expiry, reconciler };
}
