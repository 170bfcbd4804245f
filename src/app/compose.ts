// Composes the service without its endpoints: the operations, and what works on tasks: the dispatcher, the promotions of
// candidates, and the expiry of approvals.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import type { Config } from "../config/config.ts";
import { INTENTS } from "../domain/contract.ts";
import type { Log } from "../log/log.ts";
import { expire } from "../operations/decide.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import type { Redact } from "../redact/redact.ts";
import type { Skills } from "../skills/find-skills.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import type { Database } from "../store/database.ts";
import { createStore } from "../store/store.ts";
import { createDispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import { observeCommits } from "../worker/observe-commits.ts";
import { createPromotions, promoteCandidates } from "../worker/promotions.ts";
import { createTargetLocks } from "../worker/target-locks.ts";
import { createThreads } from "../worker/threads.ts";
import { timer } from "../worker/timer.ts";
import { composeAgent } from "./compose-agent.ts";
import { composeExecution } from "./compose-execution.ts";
import { type AgentBackends, composeExaminer, composeGraphs } from "./compose-graphs.ts";

const LEASE_MS = 30_000;

const clock = () => new Date();
const new_id = () => randomUUID();

type Parts = {
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within: those that `redact` knows. */
  readonly beginningOf: (text: string) => number;
  readonly log: Log;
  readonly skills: Skills;
  readonly sandboxed: boolean;
  /** Why commands of agents cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
  /** Replace the backends of the same name. */
  readonly agent_backends?: AgentBackends;
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
};

export function compose(config: Config, database: Database, parts: Parts) {
  const { redact, beginningOf, log, skills, sandboxed, shellFault, agent_backends, path } = parts;
  const owner = `${hostname()}/${process.pid}/${new_id()}`;
  const { store, nextReport, nextEvent } = observeCommits(createStore({ database, clock }));
  const threads = createThreads({ store, clock, owner });
  const { threadOf } = threads;
  const checkpoints = new PrismaSaver(database, { isEnded: threads.hasEnded });
  const execution = composeExecution(config, { clock, new_id, redact, beginningOf, sandboxed, path });
  const agent = composeAgent(config, { redact, skills, shellFault, execution: execution.ofAgents });
  const services = { store, threadOf, clock, new_id, agent, redact, skills, execution };
  const graphs = composeGraphs(config, { ...services, checkpoints, agent_backends });
  const { concurrency } = config;
  const worker = composeWorker({ store, threads, checkpoints, graphs, owner, concurrency, clock, timer, log });
  const { locks, dispatcher, promotions, expiry } = worker;
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
    backendOf: execution.backendOf,
    toolServers: execution.toolServers,
    unapproved: execution.unapproved,
    examiner: composeExaminer(services),
    skillOf: skills.skillOf,
    intents: new Set([...INTENTS, ...skills.intents]),
    default_backend: config.execution_backend,
    has_model: config.routing_model !== null,
    home: homedir(),
  });
  const stop = async () => {
    expiry.stop();
    await dispatcher.drain(config.drain_seconds * 1000);
    await promotions.drain();
    await execution.close();
  };
  const { live } = execution;
  return { operations: operations.map(boundWaits()), live, store, dispatcher, promotions, expiry, stop };
}

type WorkerParts = Omit<
  Parameters<typeof createDispatcher>[0] & Parameters<typeof createPromotions>[0] & Parameters<typeof createExpiry>[0],
  "graph" | "locks" | "lease_ms" | "onFinished" | "onPaused" | "expire"
> & { readonly graphs: Pick<ReturnType<typeof composeGraphs>, "sop" | "promotion"> };

function composeWorker({ graphs, ...parts }: WorkerParts) {
  const locks = createTargetLocks();
  const onPaused = () => void expiry.arm();
  const promotions = createPromotions({ ...parts, graph: graphs.promotion, onPaused });
  const dispatcher = createDispatcher({
    ...parts,
    locks,
    graph: graphs.sop,
    lease_ms: LEASE_MS,
    onFinished: (ended) => promoteCandidates(promotions, ended),
    onPaused,
  });
  const expiry = createExpiry({
    ...parts,
    expire: (approval) => expire({ ...parts, dispatcher, promotions }, approval),
  });
  return { locks, promotions, dispatcher, expiry };
}
