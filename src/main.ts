// The composition root: the only file that knows everyone. Run as a program it serves until it is told to stop.
import { randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPromotionGraph } from "../graphs/promotion.ts";
import { promotionThread } from "../graphs/promotion-thread.ts";
import { buildSopGraph } from "../graphs/sop.ts";
import metadata from "../package.json" with { type: "json" };
import { type Config, isLoopback, readConfig } from "./config.ts";
import { createDataDir } from "./data-dir.ts";
import { createDispatcher } from "./dispatch/dispatcher.ts";
import { createExpiry } from "./dispatch/expiry.ts";
import { createPromotions } from "./dispatch/promotions.ts";
import { createTargetLocks } from "./dispatch/target-locks.ts";
import { createThreads } from "./dispatch/threads.ts";
import { traceCommits } from "./dispatch/trace-commits.ts";
import { watchCommits } from "./dispatch/watch.ts";
import { INTENTS, type TaskContract } from "./domain/contract.ts";
import { OrchError } from "./domain/errors.ts";
import { eventsOf, type JournalEvent } from "./domain/journal.ts";
import { guardFaults } from "./domain/policy/self-test.ts";
import { chooseSandbox, type Sandbox } from "./execution/choose-sandbox.ts";
import { createCommandRunner } from "./execution/command-runner.ts";
import { baseEnvironment } from "./execution/environment.ts";
import { createLocalBackend } from "./execution/local-backend.ts";
import { prepareExecution } from "./execution/prepare-execution.ts";
import { createNoModelGate } from "./gate/no-model-gate.ts";
import { createOllamaGate } from "./gate/ollama-gate.ts";
import { createLog, type Log } from "./http/log.ts";
import { createHttpServer } from "./http/server.ts";
import { readTokens } from "./http/token.ts";
import { createMcpFace } from "./mcp/face.ts";
import { expire } from "./operations/decide.ts";
import type { AnyOperation } from "./operations/operation.ts";
import { operationsTable } from "./operations/table.ts";
import { boundWaits } from "./operations/wait.ts";
import type { ExecutionBackend } from "./ports.ts";
import { createRedactor, type Redact } from "./redact.ts";
import { secretsOf } from "./secrets.ts";
import { PrismaSaver } from "./store/checkpoint-saver.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { createStore } from "./store/store.ts";
import { createToolServers } from "./tool-servers/tool-servers.ts";

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
/** The directory, in that of the data, for notes on what runs. */
const RUNNING = "running";

const clock = () => new Date();
const new_id = () => randomUUID();

/** Everything but the faces: the operations, and the means to start and stop what stands behind them. */
export function compose(config: Config, database: Database, redact: Redact, log: Log, sandboxed = false) {
  const { store, nextReport, nextEvent } = watchCommits(traceCommits(createStore({ database, clock })));
  const owner = `${hostname()}/${process.pid}/${new_id()}`;
  const threads = createThreads({ store, clock, owner });
  const locks = createTargetLocks();
  const checkpoints = new PrismaSaver(database, { isEnded: threads.hasEnded });
  const home = homedir();
  const nodes = {
    store,
    threadOf: threads.threadOf,
    clock,
    new_id,
    approval_ttl_ms: config.approval_ttl_hours * 3_600_000,
  };
  const account = { home, user: process.env["USER"], tz: process.env["TZ"] };
  const { compose_roots, step_limits: limits } = config;
  const commands = createCommandRunner(baseEnvironment(account), {
    sandboxed,
    limits,
    running_dir: join(config.data_dir, RUNNING),
  });
  const toolServers = createToolServers({ servers: config.tool_servers, version: metadata.version });
  const { runCommand } = commands;
  const local = createLocalBackend({ ...account, clock, redact, compose_roots, runCommand, toolServers });
  const backendOf = backends(config, local);
  const onPaused = () => void expiry.arm();

  const promotions = createPromotions({
    ...{ store, threads, checkpoints, log, onPaused },
    graph: buildPromotionGraph(nodes, checkpoints),
    threadIdOf: promotionThread,
  });
  const dispatcher = createDispatcher({
    ...{ store, threads, locks, checkpoints, clock, owner, log, onPaused },
    graph: buildSopGraph({ ...nodes, gate: gateOf(config, redact), backendOf, home }, checkpoints),
    concurrency: config.concurrency,
    lease_ms: LEASE_MS,
    onFinished: (events) => promoteCandidates(promotions, events),
  });
  const deciding = { store, clock, dispatcher, promotions };
  const expiry = createExpiry({ store, clock, log, expire: (approval) => expire(deciding, approval) });
  const operations = operationsTable({
    ...{ ...deciding, new_id, nextReport, nextEvent, threads, locks, home },
    intents: new Set(INTENTS),
    default_backend: config.execution_backend,
  }).map(boundWaits());
  const stop = async () => {
    expiry.stop();
    await dispatcher.drain(config.drain_seconds * 1000);
    await promotions.drain();
    commands.close();
    await toolServers.close();
  };
  return { operations, store, dispatcher, promotions, expiry, stop };
}

function backends({ execution_backend }: Config, local: ExecutionBackend) {
  const known = new Map([["local", local]]);
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

/** Nothing is answered before everything unfinished stands in line again: a task must not be taken up twice. */
const after =
  (recovery: Promise<void>) =>
  (operation: AnyOperation): AnyOperation => ({
    ...operation,
    handle: (input, caller) => recovery.then(() => operation.handle(input, caller)),
  });

export type Orch = { readonly url: string; readonly token_path: string | null; readonly stop: () => Promise<void> };

/** Serves once everything unfinished has been taken up. Rejects with an OrchError that says what is in the way. */
export async function startOrch(config: Config): Promise<Orch> {
  refuseBrokenGuard(guardFaults());
  await createDataDir(config.data_dir);
  const { tokens, path, secrets } = await readTokens(config);
  const redact = createRedactor([...secretsOf(config), ...secrets]);
  const log = createLog({ level: config.log_level, redact });
  const database = await openDatabase({ url: config.database_url, exclusive: true });
  const sandbox = await chooseSandbox(config.sandbox, config.step_limits);
  const orch = compose(config, database, redact, log, sandbox.sandboxed);
  const { operations, store, dispatcher, promotions, expiry, stop: stopWork } = orch;
  const recovery = Promise.withResolvers<void>();
  let recovered = false;
  const ready = async () => {
    await store.listTasks({ limit: 1 });
    return recovered ? null : "unfinished tasks are being taken up";
  };
  const { version } = metadata;
  const served = { operations: operations.map(after(recovery.promise)), version, log };
  const http = createHttpServer({
    ...config,
    ...served,
    faces: [createMcpFace(served)],
    tokens,
    limits: ratesOf(config),
    ready,
    clock,
    new_id,
  });
  // The port is taken first, so that a server that cannot listen takes up no task, and ends none.
  const { host, port } = await http.start();
  await prepare(config, sandbox, log);
  await dispatcher.recover();
  await promotions.recover();
  await expiry.arm();
  recovered = true;
  recovery.resolve();
  const beat = () =>
    dispatcher.renewLeases().catch((error: unknown) => log.error({ err: error }, "leases were not renewed"));
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS).unref();
  if (config.routing_model === null)
    log.warn({}, "no ROUTING_MODEL: every question to the routing model takes its fallback");
  if (!isLoopback(config.host))
    log.warn({}, "ORCH_HOST can be reached by others, who could read tokens on the way: put TLS in front of it");

  const stop = async () => {
    // At once: a client that takes its time must not let another step start.
    await Promise.all([http.stop(), stopWork()]);
    clearInterval(heartbeat);
    await database.close();
  };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, token_path: path, stop };
}

/** A burst may take the requests of ten seconds at once. */
const ratesOf = ({ submits_per_minute, requests_per_second }: Config) => ({
  submits: { amount: submits_per_minute, per_ms: 60_000 },
  requests: { amount: requests_per_second * 10, per_ms: 10_000 },
});

/** Without a guard that works nothing may run. */
function refuseBrokenGuard(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const message = ["The command guard judges these lines wrongly, so no command would be safe:", ...faults].join(
    "\n  ",
  );
  throw new OrchError("internal_error", `${message}\nReinstall the exact packages with: npm ci`);
}

async function prepare({ data_dir }: Config, sandbox: Sandbox, log: Log): Promise<void> {
  const running_dir = join(data_dir, RUNNING);
  const docker_host = process.env["DOCKER_HOST"];
  const told = await prepareExecution({ sandbox, running_dir, uid: process.getuid?.(), docker_host });
  for (const { message, ...details } of told) log.warn(details, message);
  log.info({}, `every step runs in a ${sandbox.sandboxed ? "pid namespace" : "process group"} of its own`);
}

/** Resolves once it listens; a signal ends the process when running steps have. */
export async function serve(): Promise<void> {
  const orch = await startOrch(readConfig(process.env));
  process.stdout.write(`orch listens on ${orch.url}\n`);
  if (orch.token_path !== null) process.stdout.write(`the bearer token is in ${orch.token_path}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      process.stdout.write(`${signal}: no further step starts, running ones may finish\n`);
      void orch.stop().then(() => process.exit(0));
    });
  }
}

const startedAs = process.argv[1];
if (startedAs !== undefined && (await realpath(startedAs)) === fileURLToPath(import.meta.url)) {
  serve().catch((error: unknown) => {
    const said = error instanceof OrchError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`orch cannot start: ${said}\n`);
    process.exit(1);
  });
}
