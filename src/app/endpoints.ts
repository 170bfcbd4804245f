// Makes the server that callers reach: its operations and streams over HTTP, MCP, the console, and what the other servers read.
import metadata from "../../package.json" with { type: "json" };
import { createHttpServer, createMetricsEndpoint, type HttpServerDeps } from "../api/http/app.ts";
import { BUILT } from "../api/http/console/built-files.ts";
import { createConsoleEvents } from "../api/http/console/events.ts";
import { createJournalStream, createMessageStream } from "../api/http/journal-stream.ts";
import { createMcpEndpoint } from "../api/mcp/endpoint.ts";
import { sopToolsOf } from "../api/mcp/sop-tools.ts";
import { announced } from "../config/address-file.ts";
import type { Config } from "../config/config.ts";
import { createOutputEndpoint } from "../features/live-output/output-endpoint.ts";
import { outputEverywhere } from "../features/live-output/peer-output.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { Log } from "../log/log.ts";
import { clock, newId as new_id, rarely } from "../process/system.ts";
import type { Database } from "../store/database.ts";
import { sharedBuckets } from "../store/token-buckets.ts";
import type { Orch } from "./compose.ts";
import type { Reached } from "./own-place.ts";
import type { Readiness } from "./stages.ts";

type Serving = {
  readonly database: Database;
  readonly readiness: Readiness;
  readonly tokens: HttpServerDeps["tokens"];
  /** What this server is called. */
  readonly name: string;
  /** Null where the other servers read nothing of this one. */
  readonly reached: Reached | null;
  readonly skills: Skills;
  readonly log: Log;
};

/** Its address is in the data directory while it listens. */
export function createEndpoints(config: Config, orch: Orch, serving: Serving) {
  const { database, readiness, tokens, name, reached, skills, log } = serving;
  const { store, commits, feed, metrics } = orch.observed;
  const { version } = metadata;
  const health = healthOf(database);
  const rates = ratesOf(config);
  const { activeSopsChanged } = commits;
  const { skillOf } = skills;
  const served = {
    operations: orch.operations.all.map(readiness.gated),
    intents: orch.operations.intents,
    version,
    log,
    sop_tools: sopToolsOf(config, { store, activeSopsChanged, skillOf, clock, new_id }),
  };
  const { are_many } = database.servers;
  const live = outputEverywhere(orch.execution.live, { are_many, routeOf: orch.storage.outputRouteOf, log });
  const http = createHttpServer({
    ...config,
    ...served,
    endpoints: [
      createMcpEndpoint(served),
      createJournalStream({ ...served, live }),
      createMessageStream(served),
      createMetricsEndpoint(metrics),
      createConsoleEvents({ feed, store, server: { name, version } }),
    ],
    tokens,
    peers: peersOf(orch, reached),
    console: { name, directory: BUILT, trusted_proxies: config.trusted_proxies },
    limits: rates,
    submitTurns: sharedBuckets(database, rates.submits),
    version_of_data: feed.version,
    ready: async () => readiness.missing() ?? health(),
    clock,
    new_id,
  });
  return announced(http, config.data_dir);
}

const peersOf = ({ execution, engine }: Orch, reached: Reached | null) =>
  reached === null
    ? null
    : createOutputEndpoint({
        live: execution.live,
        runsHere: engine.threads.isOpen,
        secret: reached.output_secret,
        host: new URL(reached.url).hostname,
      });

/** A burst may take the requests of ten seconds at once. */
const ratesOf = ({ submits_per_minute, requests_per_second }: Config) => ({
  submits: { amount: submits_per_minute, per_ms: 60_000 },
  requests: { amount: requests_per_second * 10, per_ms: 10_000 },
});

/** `/readyz` needs no token, and each look writes. */
const HEALTH_MS = 1_000;

const healthOf = ({ heartbeat, ensureRoom }: Database) =>
  rarely(
    () =>
      heartbeat()
        .then(ensureRoom)
        .then(() => null),
    HEALTH_MS,
  );
