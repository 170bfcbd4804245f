// Finds the server for `orch mcp`: the running one, or else one that it starts in this process. Several processes may
// search at once. The one that opens the database serves, and the others use its server.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { setVariables } from "../config/config.ts";
import type { Connection } from "../config/connection.ts";
import { SETTINGS } from "../config/settings.ts";
import { OrchError } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import { sendRequest } from "../http-client/request.ts";
import type { CommandContext } from "./context.ts";
import { type Failure, failureOf, fault } from "./failure.ts";
import { strangeServer, unreachable } from "./no-answer.ts";

const PROBE_MS = 5_000;
const MAX_HEALTH_BYTES = 1_048_576;
/** How long the search waits for the process that holds the database to answer or to close it. */
const SEARCH_MS = 10_000;
const PAUSE_MS = 200;

/** The bodies by which orch is recognized: its health, or one of its problem documents. */
const Orch = z.union([
  z.object({ status: z.literal("ok") }),
  z.object({ type: z.templateLiteral(["urn:orch:error:", z.string()]) }),
]);

type FinderDeps = Pick<CommandContext, "environment" | "out" | "parts">;

/** `find` resolves with null when a server answers, else with the failure. Concurrent calls share one search. */
export function createServerFinder({ environment, out, parts }: FinderDeps, connection: Connection) {
  let started: { readonly stop: () => Promise<void> } | null = null;
  let searching: Promise<Failure | null> | null = null;
  let stopped = false;

  async function search(): Promise<Failure | null> {
    const until = performance.now() + SEARCH_MS;
    for (let waits = 0; ; waits += 1) {
      const absence = await probe(connection);
      if (absence === null || started !== null) return absence?.failure ?? null;
      if (absence.is_there || !isOurs(environment, connection)) return absence.failure;
      const failure = await start();
      if (failure?.code !== "database_unusable") return failure;
      if (stopped || performance.now() > until) return elsewhere(failure, connection);
      if (waits === 0)
        out.note(`orch: the database cannot be used yet; waiting for a server that answers at ${connection.url}`);
      await sleep(PAUSE_MS);
    }
  }

  async function start(): Promise<Failure | null> {
    try {
      started = await parts.embed();
      out.note(`orch: nothing answered at ${connection.url}; a server runs in this process`);
      return null;
    } catch (error) {
      return error instanceof OrchError ? failureOf(error) : fault(error);
    }
  }

  return {
    find: (): Promise<Failure | null> => {
      searching ??= search().finally(() => {
        searching = null;
      });
      return searching;
    },
    /** Stops the server of this process, if it started one. */
    stop: async (): Promise<void> => {
      stopped = true;
      await searching;
      await started?.stop();
    },
  };
}

const elsewhere = (failure: Failure, { url }: Connection): Failure => ({
  ...failure,
  fix: `If a server at another address than ${url} uses it, set ORCH_PORT or ORCH_URL to that address, for an MCP host under "env" in its configuration.`,
});

type Absence = { readonly is_there: boolean; readonly failure: Failure };

/** Null when orch answers. The request carries no token, because another program may listen there. */
async function probe(connection: Connection): Promise<Absence | null> {
  const url = `${connection.url}/healthz`;
  const response = await sendRequest({ method: "GET", url, limit_ms: PROBE_MS, max_bytes: MAX_HEALTH_BYTES });
  if (!response.ok) return { is_there: false, failure: unreachable(connection, response.fault) };
  const isOrch = Orch.safeParse(parseJson(response.text)).success;
  return isOrch ? null : { is_there: true, failure: strangeServer(connection, response) };
}

/** Whether a server of this process would listen at that address. Another local port may be the end of a tunnel. */
function isOurs(environment: CommandContext["environment"], { url, is_loopback }: Connection): boolean {
  const { schema, variable } = SETTINGS.port;
  const port = schema.parse(setVariables(environment)[variable]);
  return is_loopback && new URL(url).port === String(port);
}
