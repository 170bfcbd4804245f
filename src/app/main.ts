// The composition root. Run as a program it serves until a signal stops it.
import { randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import metadata from "../../package.json" with { type: "json" };
import { type Config, isLoopback, readConfig } from "../config/config.ts";
import { createDataDir } from "../config/data-dir.ts";
import { secretsOf } from "../config/secrets.ts";
import { OrchError } from "../domain/errors.ts";
import { agentShellFault, makeKeptDirectories } from "../execution/local/confinement/agent-confinement.ts";
import { chooseSandbox, type Sandbox } from "../execution/local/containment/choose-sandbox.ts";
import { prepareExecution } from "../execution/local/prepare-execution.ts";
import { selfTest } from "../guard/guard.ts";
import { readTokens } from "../http/caller.ts";
import { createJournalStream } from "../http/journal-stream.ts";
import { createHttpServer } from "../http/server.ts";
import { createLog, type Log } from "../log/log.ts";
import { createMcpEndpoint } from "../mcp/endpoint.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { findBeginning } from "../redact/find-secrets.ts";
import { createRedactor } from "../redact/redact.ts";
import { findSkills } from "../skills/find-skills.ts";
import { openDatabase } from "../store/database.ts";
import { compose } from "./compose.ts";
import { runningDirIn } from "./compose-execution.ts";

const HEARTBEAT_MS = 10_000;

const clock = () => new Date();
const new_id = () => randomUUID();

/** No call is answered before every unfinished task is queued again: a task must not be claimed twice. */
const after =
  (recovery: Promise<void>) =>
  (operation: AnyOperation): AnyOperation => ({
    ...operation,
    handle: (input, caller) => recovery.then(() => operation.handle(input, caller)),
  });

export type Orch = { readonly url: string; readonly token_path: string | null; readonly stop: () => Promise<void> };

/** Serves once every unfinished task has been claimed. Rejects with an OrchError that names the obstacle. */
export async function startOrch(config: Config): Promise<Orch> {
  refuseBrokenGuard(selfTest());
  const skills = await findSkills(config.capabilities);
  await createDataDir(config.data_dir);
  const { tokens, path, secrets } = await readTokens(config);
  const redaction = redactionOf([...secretsOf(config), ...secrets]);
  const { redact } = redaction;
  const log = createLog({ level: config.log_level, redact });
  const database = await openDatabase({ url: config.database_url, exclusive: true });
  const sandbox = await chooseSandbox(config.sandbox, config.step_limits);
  const shellFault = shellFaultOf(config, sandbox);
  const orch = compose(config, database, { ...redaction, log, skills, sandboxed: sandbox.sandboxed, shellFault });
  const { operations, live, store, dispatcher, promotions, expiry, stop: stopWork } = orch;
  const recovery = Promise.withResolvers<void>();
  let recovered = false;
  const ready = async () => {
    await store.listTasks({ limit: 1 });
    return recovered ? null : "unfinished tasks are being claimed";
  };
  const { version } = metadata;
  const served = { operations: operations.map(after(recovery.promise)), version, log };
  const http = createHttpServer({
    ...config,
    ...served,
    endpoints: [createMcpEndpoint(served), createJournalStream({ ...served, live })],
    tokens,
    limits: ratesOf(config),
    ready,
    clock,
    new_id,
  });
  // The port is bound first, so that a server that cannot listen claims no task, and ends none.
  const { host, port } = await http.start().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
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
    // Both at once: a slow client must not let another step start.
    await Promise.all([http.stop(), stopWork()]);
    clearInterval(heartbeat);
    await database.close();
  };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, token_path: path, stop };
}

const redactionOf = (known: readonly string[]) => ({
  redact: createRedactor(known),
  beginningOf: findBeginning(known),
});

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

/** Why agents get no shell; the first task of an agent finds out. */
function shellFaultOf(config: Config, { sandboxed }: Sandbox): () => Promise<string | null> {
  let found: Promise<string | null> | undefined;
  return () => {
    found ??= makeKeptDirectories().then(() => agentShellFault(config, sandboxed));
    return found;
  };
}

async function prepare({ data_dir }: Config, sandbox: Sandbox, log: Log): Promise<void> {
  const running_dir = runningDirIn(data_dir);
  const docker_host = process.env["DOCKER_HOST"];
  const notes = await prepareExecution({ sandbox, running_dir, uid: process.getuid?.(), docker_host });
  for (const { message, ...details } of notes) log.warn(details, message);
  log.info({}, `every step runs in a ${sandbox.sandboxed ? "pid namespace" : "process group"} of its own`);
}

/** Resolves once it listens; a signal ends the process when running steps have. */
export async function serve(): Promise<void> {
  const orch = await startOrch(readConfig(process.env));
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
