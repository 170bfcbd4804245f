// Starts a server: what it needs is opened, it is composed, it listens, and everything that was left unfinished is recovered.
import { isClearText, isLoopback } from "../config/clear-text.ts";
import type { Config, Env } from "../config/config.ts";
import { createDataDir } from "../config/data-dir.ts";
import { machineZone } from "../config/values.ts";
import { OrchError } from "../domain/errors.ts";
import { startHeartbeat } from "../engine/worker/heartbeat.ts";
import { abilityHere, agentAccount, refuseReadableApprover } from "../execution/execution.ts";
import { loadSkills } from "../features/skills/process/find-skills.ts";
import { openTraces } from "../features/traces/open-traces.ts";
import { protectPaths, selfTest } from "../guard/guard.ts";
import { createJudges } from "../judge/thread-judge.ts";
import { createLog, type Log } from "../log/log.ts";
import { clock } from "../process/system.ts";
import { compose } from "./compose.ts";
import { createEndpoints } from "./endpoints.ts";
import { OWN_VERSION, openOwnDatabase, placeOf, type Reached, readSecrets } from "./own-place.ts";
import { createReadiness, type Readiness, stagesOf, startDuties } from "./stages.ts";

export type RunningOrch = {
  readonly url: string;
  /** Of the file with the bearer token; null when the environment gave it. */
  readonly token_path: string | null;
  readonly stop: () => Promise<void>;
};

type Start = {
  /** What the configuration was read from. */
  readonly environment?: Env;
  /** Called after another server has taken over the database, when nothing runs here any more. */
  readonly onFenced?: (reason: string) => void;
  /** Called after this server was asked to drain, when it has ended. */
  readonly onDrained?: () => void;
};

/** Serves once every unfinished task has been claimed. Rejects with an OrchError that names the obstacle; nothing is left open. */
export async function startOrch(
  config: Config,
  { environment, onFenced, onDrained }: Start = {},
): Promise<RunningOrch> {
  refuseBrokenGuard(selfTest());
  agentAccount(config.agent.user);
  const protected_paths = [config.data_dir, ...config.secret_paths, ...config.protected_paths];
  protectPaths(protected_paths);
  await createDataDir(config.data_dir);
  const { tokens, token_path, reached, redaction } = await readSecrets(config);
  const { redact } = redaction;
  const log = createLog({ level: config.log_level, redact });
  const traces = await openTraces(OWN_VERSION, log);
  const [place, skills] = await Promise.all([placeOf(config), loadSkills(config, { log, redact })]);
  const { promise: fenced, resolve: onLost } = Promise.withResolvers<string>();
  const { promise: asked, resolve: onDrain } = Promise.withResolvers<void>();
  const ability = await abilityHere(config.sandbox, config.step_limits);
  refuseReadableApprover(config, ability);
  const database = await openOwnDatabase(config, { place, reached, log, clock, onFenced: onLost });
  const { servers, heartbeat } = database;
  const judges = createJudges({ protected_paths });
  const machine = { ability };
  const given = { redaction, log, skills, judges, machine, place, environment, traces, onDrain };
  const orch = compose(config, database, given);
  const { engine, execution } = orch;
  const { threads, dispatcher } = engine;
  const readiness = createReadiness({ ping: heartbeat, log });
  const { name } = place;
  const http = createEndpoints(config, orch, { database, readiness, tokens, name, reached, skills, log });
  const stopHeartbeat = startHeartbeat({
    servers,
    beat: heartbeat,
    dispatcher,
    cutOff: threads.cutOff,
    lives: execution.lives,
    onDrain,
    log,
  });
  const { end, stop } = createEnding(config, { readiness, stopHeartbeat, http, orch, judges, database });
  // Its running steps are killed: the other server asks about them, and hears what this one knows of their ends.
  void fenced.then(async (reason) => {
    log.error({ reason }, "another server has taken over from this one, which ends its steps and stops");
    await end(0, threads.reportLate);
    onFenced?.(reason);
  });
  try {
    // The port is bound first, so that a server that cannot listen claims no task, and ends none.
    const url = await http.start();
    judges.start();
    execution.start(Number(new URL(url).port));
    await readiness.recover(stagesOf(orch, { clock, log }));
    await startDuties(orch, servers);
    warnOf(config, reached, log);
    void drainWhenAsked({ asked, readiness, leave: dispatcher.leave, stop, log }).then(onDrained);
    return { url, token_path, stop };
  } catch (error) {
    await end(0);
    throw error;
  }
}

/** Without a working guard nothing may run. */
function refuseBrokenGuard(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const message = ["The command guard judges these lines wrongly, so no command would be safe:", ...faults].join(
    "\n  ",
  );
  throw new OrchError("internal_error", message, { fix: "reinstall the exact packages with: npm ci" });
}

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

// How a server ends, after a signal, a drain, or because another one has taken over.

type Closes = { readonly close: () => Promise<void> };

type Ending = {
  readonly readiness: Pick<Readiness, "become">;
  readonly stopHeartbeat: () => void;
  readonly http: { readonly stop: () => Promise<void> };
  readonly orch: { readonly stop: (drain_ms: number) => Promise<void> };
  readonly judges: Closes;
  readonly database: Closes;
};

function createEnding({ drain_seconds }: Config, ending: Ending) {
  const { readiness, stopHeartbeat, http, orch, judges, database } = ending;
  let ended: Promise<void> | null = null;
  const end = async (drain_ms: number, last: () => Promise<void> = async () => undefined): Promise<void> => {
    readiness.become("the server stops");
    stopHeartbeat();
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
