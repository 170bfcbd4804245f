// Composes the service without its endpoints: the operations, and what works on tasks: the dispatcher, the promotions of
// candidates, and the expiry of approvals.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import { withoutRootRuns } from "../../graphs/without-root-runs.ts";
import type { Config } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import { createQuarantine } from "../domain/quarantine.ts";
import { newTaskId } from "../domain/thread-id.ts";
import type { Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import type { SopTools } from "../mcp/sop-tool-calls.ts";
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
import { createDispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import { type CommitObserver, observeCommits } from "../worker/observe-commits.ts";
import { createPromotions, promoteCandidates } from "../worker/promotions.ts";
import { createReconciler } from "../worker/reconcile.ts";
import { createTargetLocks } from "../worker/target-locks.ts";
import { createThreads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { composeAgent } from "./compose-agent.ts";
import { composeExecution } from "./compose-execution.ts";
import { type AgentBackends, composeExaminer, composeGraphs } from "./compose-graphs.ts";
import { composeAgentNetworks } from "./compose-network.ts";
import { composeScheduler } from "./compose-scheduler.ts";
import { redactedJudges } from "./redacted-judges.ts";

export const LEASE_MS = 30_000;

const clock = () => new Date();
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
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
};

export function compose(config: Config, database: Database, parts: Parts) {
  const { redact, log, skills, shellFault, agent_backends } = parts;
  const { listensOn = () => config.port } = parts;
  const judges = redactedJudges(parts.judges, redact);
  const owner = `${hostname()}/${process.pid}/${new_id()}`;
  withoutRootRuns();
  const quarantine = createQuarantine();
  const stored = storeOf(parts, createStore({ database, clock, onDamaged: quarantine.add }));
  const observer = observeCommits(stored, (id) => execution.endRun(id));
  const { store, nextReport, nextEvent, activeSopsChanged } = observer;
  const threads = createThreads({ store, clock, owner });
  const checkpoints = new PrismaSaver(database, { isEnded: threads.hasEnded, isNew: threads.isNew });
  const networks = composeAgentNetworks(config, listensOn, log);
  const { leftBehind, cleared } = createLeftovers();
  const execution = composeExecution(config, { ...parts, clock, new_id, networks, leftBehind });
  const agent = composeAgent(config, { redact, judges, skills, shellFault, execution: execution.ofAgents });
  const services = { store, threadOf: threads.threadOf, clock, new_id, agent, redact, skills, execution, judges };
  const graphs = composeGraphs(config, { ...services, checkpoints, agent_backends });
  const worker = composeWorker(database, {
    ...{ store, threads, checkpoints, graphs, owner, clock, timer, log },
    ...{ concurrency: config.concurrency, quarantine, cleared },
    skillFaultOf: (intent) => skills.skillOf(intent)?.fault ?? null,
  });
  const { locks, dispatcher, promotions, expiry, reconciler } = worker;
  const intents = new Set([...INTENTS, ...skills.intents]);
  const schedules = composeScheduler(config, { store, clock, timer, log }, () => operations);
  const operations = operationsTable({
    ...{ store, clock, new_id, nextReport, nextEvent, dispatcher, promotions, threads, locks, agent, intents },
    quarantined: quarantine.list,
    ...{ backendOf: execution.backendOf, toolServers: execution.toolServers, unapproved: execution.unapproved },
    examiner: composeExaminer(services),
    skillOf: skills.skillOf,
    default_backend: config.execution_backend,
    ...{ has_model: config.routing_model !== null, schedules, max_schedules: config.schedules },
    home: homedir(),
    judge: judges.ofRequests,
  });
  const stop = async (drain_ms = config.drain_seconds * 1000) => {
    await schedules.stop();
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
    ...{ dispatcher, promotions, expiry, reconciler, schedules, stop, leftBehind },
  };
}

/** Whether everything was ended that a server before, or a lost process for commands, had left running (D-308). */
function createLeftovers() {
  let isCleared = true;
  const leftBehind = () => {
    isCleared = false;
  };
  return { leftBehind, cleared: () => isCleared };
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
  Parameters<typeof createDispatcher>[0] & Parameters<typeof createPromotions>[0] & Parameters<typeof createExpiry>[0],
  | "graph"
  | "locks"
  | "lease_ms"
  | "predecessor"
  | "predecessor_process"
  | "ping"
  | "onFinished"
  | "onPaused"
  | "expire"
  | "now"
> & { readonly graphs: Pick<ReturnType<typeof composeGraphs>, "sop" | "promotion"> };

function composeWorker({ predecessor, predecessor_process, heartbeat }: Database, { graphs, ...parts }: WorkerParts) {
  const locks = createTargetLocks();
  const onPaused = () => void expiry.arm();
  const now = () => performance.now();
  const promotions = createPromotions({ ...parts, graph: graphs.promotion, onPaused, now });
  const dispatcher = createDispatcher({
    ...parts,
    ...{ locks, predecessor, predecessor_process, ping: heartbeat },
    graph: graphs.sop,
    lease_ms: LEASE_MS,
    onFinished: (ended) => promoteCandidates(promotions, ended),
    onPaused,
  });
  const expiry = createExpiry({
    ...parts,
    expire: (approval) => expire({ ...parts, dispatcher, promotions }, approval),
  });
  const looks = [dispatcher.reconcile, promotions.reconcile];
  const reconciler = createReconciler({ ...parts, looks, now });
  return { locks, promotions, dispatcher, expiry, reconciler };
}
