// Everything behind the faces, put together: the operations, and the means to start and stop what stands behind them.
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { buildPromotionGraph } from "../../graphs/promotion.ts";
import { buildSopGraph } from "../../graphs/sop.ts";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { INTENTS, type TaskContract } from "../domain/contract.ts";
import { eventsOf, type JournalEvent } from "../domain/journal.ts";
import { promotionThread } from "../domain/thread-id.ts";
import { createFlowEngineBackend, type FlowEngineBackend } from "../execution/flow-engine/flow-engine-backend.ts";
import { baseEnvironment } from "../execution/local/environment.ts";
import { createLocalBackend } from "../execution/local/local-backend.ts";
import { createCommandRunner } from "../execution/local/runner/command-runner.ts";
import { createNoModelGate } from "../gate/no-model-gate.ts";
import { createOllamaGate } from "../gate/ollama-gate.ts";
import type { Log } from "../log/log.ts";
import { createToolServers } from "../mcp-client/tool-servers.ts";
import { expire } from "../operations/decide.ts";
import { operationsTable } from "../operations/table.ts";
import { boundWaits } from "../operations/wait.ts";
import type { ExecutionBackend } from "../ports.ts";
import type { Redact } from "../redact/redact.ts";
import type { Skills } from "../skills/find-skills.ts";
import { PrismaSaver } from "../store/checkpoint-saver.ts";
import type { Database } from "../store/database.ts";
import { createStore } from "../store/store.ts";
import { createDispatcher } from "../worker/dispatcher.ts";
import { createExpiry } from "../worker/expiry.ts";
import { createPromotions } from "../worker/promotions.ts";
import { createTargetLocks } from "../worker/target-locks.ts";
import { createThreads } from "../worker/threads.ts";
import { traceCommits } from "../worker/trace-commits.ts";
import { watchCommits } from "../worker/watch.ts";
import { type AgentBackends, agentBackendsOf, agentMeansOf } from "./compose-agent.ts";

const LEASE_MS = 30_000;

const clock = () => new Date();
const new_id = () => randomUUID();
const home = homedir();

/** The directory, in that of the data, for notes on what runs. */
export const runningDirIn = (data_dir: string): string => join(data_dir, "running");

type Built = {
  readonly redact: Redact;
  readonly log: Log;
  readonly skills: Skills;
  readonly sandboxed: boolean;
  /** Why an agent gets no shell here; null when it does. */
  readonly shellFault: () => Promise<string | null>;
  /** In the place of those that come along. */
  readonly agent_backends?: AgentBackends;
};

export function compose(config: Config, database: Database, built: Built) {
  const { redact, log, skills, sandboxed } = built;
  const { store, nextReport, nextEvent } = watchCommits(traceCommits(createStore({ database, clock })));
  const owner = `${hostname()}/${process.pid}/${new_id()}`;
  const threads = createThreads({ store, clock, owner });
  const locks = createTargetLocks();
  const checkpoints = new PrismaSaver(database, { isEnded: threads.hasEnded });
  const nodes = {
    store,
    threadOf: threads.threadOf,
    clock,
    new_id,
    approval_ttl_ms: config.approval_ttl_hours * 3_600_000,
  };
  const { backendOf, toolServers, local, close } = executionFor(config, redact, sandboxed);
  const agent = agentMeansOf(config, { ...built, local });
  const tasks = { backendOf, toolServers, skillOf: skills.skillOf, redact, home, agent };
  const pipeline = { ...nodes, ...tasks, gate: gateOf(config, redact) };
  const onPaused = () => void expiry.arm();

  const promotions = createPromotions({
    ...{ store, threads, checkpoints, log, onPaused },
    graph: buildPromotionGraph(nodes, checkpoints),
    threadIdOf: promotionThread,
  });
  const dispatcher = createDispatcher({
    ...{ store, threads, locks, checkpoints, clock, owner, log, onPaused },
    graph: buildSopGraph({ ...pipeline, ...agentBackendsOf(pipeline, built.agent_backends) }, checkpoints),
    concurrency: config.concurrency,
    lease_ms: LEASE_MS,
    onFinished: (events) => promoteCandidates(promotions, events),
  });
  const deciding = { store, clock, dispatcher, promotions };
  const expiry = createExpiry({ store, clock, log, expire: (approval) => expire(deciding, approval) });
  const operations = operationsTable({
    ...{ ...deciding, ...tasks, new_id, nextReport, nextEvent, threads, locks },
    intents: new Set([...INTENTS, ...skills.intents]),
    default_backend: config.execution_backend,
    has_model: config.routing_model !== null,
  }).map(boundWaits());
  const stop = async () => {
    expiry.stop();
    await dispatcher.drain(config.drain_seconds * 1000);
    await promotions.drain();
    await close();
  };
  return { operations, store, dispatcher, promotions, expiry, stop };
}

/** Where steps run: on this machine, and on the flow engine if there is one. */
function executionFor(config: Config, redact: Redact, sandboxed: boolean) {
  const account = { home, user: process.env["USER"], tz: process.env["TZ"] };
  const { compose_roots, step_limits: limits } = config;
  const running_dir = runningDirIn(config.data_dir);
  const commands = createCommandRunner(baseEnvironment(account), { sandboxed, limits, running_dir });
  const toolServers = createToolServers({ servers: config.tool_servers, version: metadata.version });
  const { runCommand } = commands;
  const local = { ...account, clock, redact, compose_roots, runCommand, toolServers };
  const here = createLocalBackend(local);
  const flowEngine = flowEngineOf(config, redact);
  const backendOf = backends(config, flowEngine === null ? [here] : [here, flowEngine]);
  const close = async () => {
    commands.close();
    await toolServers.close();
    await flowEngine?.close();
  };
  return { backendOf, toolServers, local, close };
}

function flowEngineOf({ flow_engine: engine, tool_servers }: Config, redact: Redact): FlowEngineBackend | null {
  if (engine === null) return null;
  const { flow_path, poll_ms } = engine;
  return createFlowEngineBackend({ engine, flow_path, tool_servers, clock, new_id, redact, timing: { poll_ms } });
}

function backends({ execution_backend }: Config, all: readonly ExecutionBackend[]) {
  const known = new Map(all.map((backend) => [backend.name, backend]));
  return (contract: TaskContract) => known.get(contract.execution_backend ?? execution_backend) ?? null;
}

const gateOf = ({ routing_model, routing_url, routing_timeout_ms }: Config, redact: Redact) =>
  routing_model === null
    ? createNoModelGate()
    : createOllamaGate({ model: routing_model, base_url: routing_url, timeout_ms: routing_timeout_ms, redact });

// A candidate that a replacement task has made is settled by that task.
function promoteCandidates(
  promotions: Pick<ReturnType<typeof createPromotions>, "take">,
  events: readonly JournalEvent[],
) {
  if (eventsOf(events, "taught").length === 0) return;
  for (const { sop_id, status } of eventsOf(events, "sop_changed")) {
    if (status === "candidate") promotions.take(sop_id, { as: "new", events: [] });
  }
}
