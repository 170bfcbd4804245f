// The composition root. Run as a program it serves until a signal stops it.
import { randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import metadata from "../../package.json" with { type: "json" };
import { EXIT } from "../cli/failure.ts";
import { announced, refuseSharedDirectory } from "../config/address-file.ts";
import { isClearText, isLoopback } from "../config/clear-text.ts";
import { type Config, type Env, readConfig } from "../config/config.ts";
import { createDataDir } from "../config/data-dir.ts";
import { secretsOf } from "../config/secrets.ts";
import { machineZone } from "../config/values.ts";
import { OrchError } from "../domain/errors.ts";
import type { ServerSelf } from "../domain/server.ts";
import { agentAccount } from "../execution/local/confinement/agent-confinement.ts";
import { chooseSandbox, refuseReadableApprover } from "../execution/local/containment/choose-sandbox.ts";
import { backupBefore } from "../features/keeping/backup/before-migration.ts";
import { createOutputEndpoint } from "../features/live-output/output-endpoint.ts";
import { loadSkills } from "../features/skills/process/find-skills.ts";
import { openTraces } from "../features/traces/open-traces.ts";
import { protectPaths, selfTest } from "../guard/guard.ts";
import { createMetricsEndpoint } from "../http/app.ts";
import { readTokens } from "../http/caller.ts";
import { BUILT } from "../http/console/built-files.ts";
import { createConsoleEvents } from "../http/console/events.ts";
import { createJournalStream, createMessageStream } from "../http/journal-stream.ts";
import { createHttpServer, type HttpServer, type HttpServerDeps } from "../http/server.ts";
import { createJudges, type Judges } from "../judge/thread-judge.ts";
import { createLog, type Log } from "../log/log.ts";
import { createMcpEndpoint } from "../mcp/endpoint.ts";
import type { Clock } from "../ports.ts";
import { closeInherited } from "../process/inherited-files.ts";
import { redactionOf } from "../redact/redact.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { isPostgresql } from "../store/database-target.ts";
import { sharedBuckets, type TakeTurn } from "../store/token-buckets.ts";
import { compose } from "./compose.ts";
import { HEARTBEAT_MS, heartbeatOf } from "./heartbeat.ts";
import { OWN_VERSION, ownServer, placeOf, type Reached, reachedAt } from "./own-place.ts";
import { rarely } from "./rarely.ts";
import { createReadiness, type Readiness, shareTimers, stagesOf } from "./stages.ts";

// How a server ends, after a signal, a drain, or because another one has taken over.

type Ending = {
  readonly readiness: Pick<Readiness, "become">;
  readonly heartbeat: NodeJS.Timeout;
  readonly http: Pick<HttpServer, "stop">;
  readonly orch: Pick<ReturnType<typeof compose>, "stop">;
  readonly judges: Pick<Judges, "close">;
  readonly database: Pick<Database, "close">;
};

function createEnding({ drain_seconds }: Config, ending: Ending) {
  const { readiness, heartbeat, http, orch, judges, database } = ending;
  let ended: Promise<void> | null = null;
  const end = async (drain_ms: number, last: () => Promise<void> = async () => undefined): Promise<void> => {
    readiness.become("the server stops");
    clearInterval(heartbeat);
    // Both at once: a slow client must not let another step start.
    await Promise.all([http.stop(), orch.stop(drain_ms)]);
    await last();
    await judges.close();
    await database.close();
  };
  const stop = (): Promise<void> => {
    ended ??= end(drain_seconds * 1000);
    return ended;
  };
  /** `end` waits for running steps for `drain_ms`; `last` is done before the database is closed. `stop` waits as is configured; a second call waits for the first. */
  return { end, stop };
}

// Opens the database of a server, which is backed up before it is migrated.

type Opening = {
  readonly self: ServerSelf;
  readonly log: Log;
  readonly clock: Clock;
  readonly onFenced: (reason: string) => void;
};

async function openOwn(config: Config, { self, log, clock, onFenced }: Opening): Promise<Database> {
  // Of SQLite the file is locked, which says more.
  if (isPostgresql(config.database_url)) await refuseSharedDirectory(config.data_dir);
  const beforeMigration = backupBefore(config, { version: metadata.version, clock, log });
  const warn = (details: object, message: string) => log.warn(details, message);
  return openDatabase({ url: config.database_url, exclusive: true, self, onFenced, beforeMigration, warn });
}

// What a server does that was asked to drain (D-327): it answers while its running steps end, and then it ends.

type Draining = {
  /** Resolves when this server was asked. */
  readonly asked: Promise<void>;
  readonly readiness: Pick<Readiness, "leave">;
  /** Resolves when nothing runs here any more. */
  readonly leave: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly log: Pick<Log, "info">;
};

/** Resolves when the server has ended. */
async function drainWhenAsked({ asked, readiness, leave, stop, log }: Draining): Promise<void> {
  await asked;
  log.info({}, "this server was asked to drain: it claims nothing more, and ends after its running steps");
  readiness.leave("The server drains: it claims nothing more, and ends after its running steps.");
  await leave();
  await stop();
}

// Notices that the process that started this one has ended.

const PARENT_CHECK_MS = 250;

/** npm passes a signal on to the shell that it runs a program in, and not to the program: the shell's end has to do. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** `/readyz` needs no token, and each look writes. */
const HEALTH_MS = 1_000;

const clock = () => new Date();

export type Orch = { readonly url: string; readonly token_path: string | null; readonly stop: () => Promise<void> };

type Start = {
  /** What the configuration was read from. */
  readonly environment?: Env;
  /** Called after another server has taken over the database, when nothing runs here any more. */
  readonly onFenced?: (reason: string) => void;
  /** Called after this server was asked to drain, when it has ended. */
  readonly onDrained?: () => void;
};

/** Serves once every unfinished task has been claimed. Rejects with an OrchError that names the obstacle; nothing is left open. */
export async function startOrch(config: Config, { environment, onFenced, onDrained }: Start = {}): Promise<Orch> {
  refuseBrokenGuard(selfTest());
  agentAccount(config.agent.user);
  const protected_paths = [config.data_dir, ...config.secret_paths, ...config.protected_paths];
  protectPaths(protected_paths);
  await createDataDir(config.data_dir);
  const { tokens, path, reached, redaction } = await readSecrets(config);
  const { redact } = redaction;
  const log = createLog({ level: config.log_level, redact });
  const known = { redaction, log, environment, traces: await openTraces(OWN_VERSION, log) };
  const [place, skills] = await Promise.all([placeOf(config), loadSkills(config, { log, redact })]);
  const fenced = Promise.withResolvers<string>();
  const self = ownServer(config, place, reached);
  const sandbox = await chooseSandbox(config.sandbox, config.step_limits);
  refuseReadableApprover(config, sandbox);
  const database = await openOwn(config, { self, log, clock, onFenced: fenced.resolve });
  const judges = createJudges({ protected_paths });
  const { promise: asked, resolve: onDrain } = Promise.withResolvers<void>();
  const orch = compose(config, database, { ...known, ...place, skills, judges, machine: { sandbox }, onDrain });
  const readiness = createReadiness({ ping: database.heartbeat, log });
  const health = healthOf(database);
  const submitTurns = sharedBuckets(database, ratesOf(config).submits);
  const served = { readiness, health, tokens, log, submitTurns, reached, server_name: place.name };
  const http = announced(serverOf(config, orch, served), config.data_dir);
  const beat = heartbeatOf(database, orch, { log, onDrain });
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS).unref();
  if (database.servers.are_many) void beat();
  const { end, stop } = createEnding(config, { readiness, heartbeat, http, orch, judges, database });
  // Its running steps are killed: the other server asks about them, and hears what this one knows of their ends.
  void fenced.promise.then(async (reason) => {
    log.error({ reason }, "another server has taken over from this one, which ends its steps and stops");
    await end(0, orch.reportLate);
    onFenced?.(reason);
  });
  try {
    // The port is bound first, so that a server that cannot listen claims no task, and ends none.
    const url = await http.start();
    judges.start();
    orch.startCommands(Number(new URL(url).port));
    await readiness.recover(stagesOf(orch, { clock, log }));
    orch.reconciler.start();
    for (const { share } of orch.features) share?.();
    if (database.servers.are_many) shareTimers(orch);
    await orch.wakeups.start();
    warnOf(config, reached, log);
    void drainWhenAsked({ asked, readiness, leave: orch.dispatcher.leave, stop, log }).then(onDrained);
    return { url, token_path: path, stop };
  } catch (error) {
    await end(0);
    throw error;
  }
}

/** Everything that no text may show, as far as it is known when the server starts. */
async function readSecrets(config: Config) {
  const { tokens, path, secrets } = await readTokens(config);
  const reached = reachedAt(config);
  const own = reached === null ? [] : [reached.output_secret];
  return { tokens, path, reached, redaction: redactionOf([...secretsOf(config), ...secrets, ...own]) };
}

const healthOf = ({ heartbeat, ensureRoom }: Database) =>
  rarely(
    () =>
      heartbeat()
        .then(ensureRoom)
        .then(() => null),
    HEALTH_MS,
  );

type Composed = ReturnType<typeof compose>;

type Served = Pick<HttpServerDeps, "tokens"> & {
  readonly readiness: Readiness;
  readonly health: () => Promise<null>;
  readonly submitTurns: TakeTurn | null;
  readonly server_name: string;
  readonly reached: Reached | null;
  readonly log: Log;
};

function serverOf(config: Config, composed: Composed, with_: Served) {
  const { operations, intents, sop_tools, live, metrics, feed, store } = composed;
  const { readiness, health, tokens, log, submitTurns, server_name, reached } = with_;
  const { version } = metadata;
  const served = { operations: operations.map(readiness.gated), intents, version, log, sop_tools };
  return createHttpServer({
    ...config,
    ...served,
    endpoints: [
      ...[createMcpEndpoint(served), createJournalStream({ ...served, live }), createMessageStream(served)],
      ...[createMetricsEndpoint(metrics), createConsoleEvents({ feed, store, server: { name: server_name, version } })],
    ],
    tokens,
    peers: peersOf(composed, reached),
    console: { name: server_name, directory: BUILT, trusted_proxies: config.trusted_proxies },
    limits: ratesOf(config),
    submitTurns,
    version_of_data: feed.version,
    ready: async () => readiness.missing() ?? health(),
    clock,
    new_id: () => randomUUID(),
  });
}

/** Null where the other servers read nothing of this one. */
const peersOf = ({ liveHere: live, runsHere }: Composed, reached: Reached | null) =>
  reached === null
    ? null
    : createOutputEndpoint({ live, runsHere, secret: reached.output_secret, host: new URL(reached.url).hostname });

function warnOf({ routing_model, host, server_url }: Config, reached: Reached | null, log: Log): void {
  if (server_url !== null && reached === null)
    log.warn({}, "ORCH_SERVER_URL has no use: there are no other servers with SQLite");
  if (reached !== null && isClearText(reached.url))
    log.warn({}, "ORCH_SERVER_URL is http: others could read on the way what steps write; use an https address");
  if (routing_model === null) log.warn({}, "no ROUTING_MODEL: every question to the routing model takes its fallback");
  const { fault } = machineZone();
  if (fault !== null) log.warn({}, fault);
  if (!isLoopback(host))
    log.warn({}, "ORCH_HOST can be reached by others, who could read tokens on the way: put TLS in front of it");
}

/** A burst may take the requests of ten seconds at once. */
const ratesOf = ({ submits_per_minute, requests_per_second }: Config) => ({
  submits: { amount: submits_per_minute, per_ms: 60_000 },
  requests: { amount: requests_per_second * 10, per_ms: 10_000 },
});

/** Without a working guard nothing may run. */
function refuseBrokenGuard(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const message = ["The command guard judges these lines wrongly, so no command would be safe:", ...faults].join(
    "\n  ",
  );
  throw new OrchError("internal_error", message, { fix: "reinstall the exact packages with: npm ci" });
}

/** Resolves once it listens; a signal ends the process when running steps have. */
export async function serve(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  closeInherited();
  const orch = await startOrch(readConfig(environment), {
    environment,
    onFenced: (reason) => {
      process.stderr.write(`orch stops: ${reason}\n`);
      process.exit(EXIT.replaced);
    },
    onDrained: () => {
      process.stdout.write("drained: nothing runs here any more\n");
      process.exit(EXIT.done);
    },
  });
  process.stdout.write(`orch listens on ${orch.url}\n`);
  if (orch.token_path !== null) process.stdout.write(`the bearer token is in ${orch.token_path}\n`);
  let isStopping = false;
  const stop = (cause: string) => {
    if (isStopping) return;
    isStopping = true;
    process.stdout.write(`${cause}: no further step starts, running ones may finish\n`);
    void orch.stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
  if (process.env["npm_command"] !== undefined) whenOrphaned(() => stop("npm has ended"));
}

function startFault(error: unknown): string {
  if (error instanceof OrchError) {
    const { message, fix } = error;
    return fix === null ? message : `${message}${message.endsWith(".") ? "" : ";"} ${fix}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const startedAs = process.argv[1];
if (startedAs !== undefined && (await realpath(startedAs)) === fileURLToPath(import.meta.url)) {
  serve().catch((error: unknown) => {
    process.stderr.write(`orch cannot start: ${startFault(error)}\n`);
    process.exit(1);
  });
}
