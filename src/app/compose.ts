// Composes a server without its endpoints, from the database up: storage, execution, graphs, engine, operations and features.

import { createOperations } from "../api/operations/create-operations.ts";
import type { Config } from "../config/config.ts";
import { handsOn } from "../engine/tasks/thread.ts";
import { createEngine, type Engine } from "../engine/worker/engine.ts";
import { observeStore } from "../engine/worker/observe-commits.ts";
import { createServerThreads } from "../engine/worker/threads.ts";
import { createExecution } from "../execution/execution.ts";
import { createTaskHolds, startFeatures } from "../features/features.ts";
import { redactedJudges } from "../judge/thread-judge.ts";
import { configuredServers } from "../mcp-client/tool-servers.ts";
import { type Means, newId as new_id, clock as systemClock, timer } from "../process/system.ts";
import type { Database } from "../store/database.ts";
import { createStorage } from "../store/storage.ts";
import { createWakeups } from "../wakeups/create-wakeups.ts";
import type { Given } from "./given.ts";
import { createGraphs } from "./graphs.ts";
import { createOwnDoctor } from "./own-doctor.ts";
import { claimingPlace, OWN_VERSION } from "./own-place.ts";

export type Orch = ReturnType<typeof compose>;

export function compose(config: Config, database: Database, given: Given) {
  const { log, skills, machine, redaction, storeOn } = given;
  const { clock = systemClock, traces = handsOn(), onDrain = () => undefined } = given;
  const { servers } = database;
  const { redact } = redaction;
  const place = claimingPlace(given.place, servers);
  const means: Means = { clock, timer, new_id, log };

  const storage = createStorage(config, database, { clock, written_by: OWN_VERSION, storeOn });
  const observed = observeStore(storage, servers, means);
  const { store, commits, answers } = observed;
  const server = { config, store, clock, timer, log };

  const toolServers = configuredServers(config);
  const execution = createExecution(config, { means, redaction, machine, toolServers });

  const task_holds = createTaskHolds(server);
  const threads = createServerThreads({ store, clock, servers, name: place.name, task_holds, traces, log });
  const checkpoints = storage.checkpointsOf(threads);
  const judges = redactedJudges(given.judges, redact);
  const graphs = createGraphs(config, { means, store, threads, checkpoints, execution, judges, given });

  const wakeups = createWakeups(config, database, { labels: place.labels, timer, log });
  const engine = createEngine(config, database, {
    means,
    observed,
    task_holds,
    threads,
    checkpoints,
    graphs,
    wakeups,
    execution,
    skills,
    place,
  });

  const diagnose = createOwnDoctor(config, database, { clock, given, toolServers, answers, models: graphs.models });
  const operations = createOperations(config, {
    means,
    observed,
    servers,
    engine,
    execution,
    graphs,
    judges,
    skills,
    place,
    redact,
    diagnose,
    onDrain,
  });
  commits.subscribe({ onCommitted: execution.committed, onDrain });

  // Features work by themselves, and hear of a commit after the engine.
  const { call, submitOwn } = operations;
  const { onFinished } = engine;
  const { shrink } = storage;
  const features = startFeatures({ ...server, commits, wakeups, task_holds, call, onFinished, submitOwn, shrink });
  // Last, so that everything hears of what other servers announce.
  database.hear(commits.hear);

  const stop = stopInOrder(config, { features, engine, wakeups, execution, traces });
  return { storage, observed, execution, engine, operations, features, stop };
}

type Closes = { readonly close: () => Promise<void> };

type Stopping = {
  readonly features: ReturnType<typeof startFeatures>;
  readonly engine: Pick<Engine, "stop">;
  readonly wakeups: { readonly stop: () => Promise<void> };
  readonly execution: Closes;
  readonly traces: Closes;
};

const stopInOrder =
  ({ drain_seconds }: Config, { features, engine, wakeups, execution, traces }: Stopping) =>
  async (drain_ms = drain_seconds * 1000): Promise<void> => {
    await Promise.all([...features.map((one) => one.stop?.()), engine.stop(drain_ms)]);
    // Only now: what is left to other servers is sent through them.
    await wakeups.stop();
    await execution.close();
    await traces.close();
  };
