// The server that `orch mcp` speaks to: the one that runs, or one in this process where none does. Several may look at
// once, as the windows of one host do: whoever gets the database serves, and the others use that server.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { setVariables } from "../config/config.ts";
import type { Connection } from "../config/connection.ts";
import { SETTINGS } from "../config/settings.ts";
import { OrchError } from "../domain/errors.ts";
import { parseJson } from "../domain/parse-json.ts";
import { sendRequest } from "../http-client/request.ts";
import type { Context } from "./context.ts";
import { type Failure, failureOf, fault } from "./failure.ts";
import { strangeServer, unreachable } from "./no-answer.ts";

const PROBE_MS = 5_000;
const MAX_HEALTH_BYTES = 1_048_576;
/** How long whoever has the database may take to answer, or to be done with it. */
const TURN_MS = 10_000;
const PAUSE_MS = 200;

/** How orch says that it lives, or why it does not talk to us. */
const Orch = z.union([
  z.object({ status: z.literal("ok") }),
  z.object({ type: z.templateLiteral(["urn:orch:error:", z.string()]) }),
]);

type Surroundings = Pick<Context, "environment" | "out" | "parts">;

/** `find` gives null once there is a server, else why there is none; calls at the same time share one search. */
export function createServerFinder({ environment, out, parts }: Surroundings, connection: Connection) {
  let started: { readonly stop: () => Promise<void> } | null = null;
  let searching: Promise<Failure | null> | null = null;
  let stopped = false;

  async function search(): Promise<Failure | null> {
    const until = performance.now() + TURN_MS;
    for (let waits = 0; ; waits += 1) {
      const found = await probe(connection);
      if (found === null || started !== null) return found?.failure ?? null;
      if (found.is_there || !isOurs(environment, connection)) return found.failure;
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
    /** Of the server in this process, when there is one. */
    stop: async (): Promise<void> => {
      stopped = true;
      await searching;
      await started?.stop();
    },
  };
}

const elsewhere = (failure: Failure, { url }: Connection): Failure => ({
  ...failure,
  fix: `A server that uses it and is not at ${url} is found by its ORCH_PORT or ORCH_URL; an MCP host passes on what its configuration has under "env".`,
});

type Absence = { readonly is_there: boolean; readonly failure: Failure };

/** Null when orch is there. It is asked without the token, which is for orch alone. */
async function probe(connection: Connection): Promise<Absence | null> {
  const url = `${connection.url}/healthz`;
  const response = await sendRequest({ method: "GET", url, limit_ms: PROBE_MS, max_bytes: MAX_HEALTH_BYTES });
  if (!response.ok) return { is_there: false, failure: unreachable(connection, response.fault) };
  const isOrch = Orch.safeParse(parseJson(response.text)).success;
  return isOrch ? null : { is_there: true, failure: strangeServer(connection, response) };
}

/** Whether a server in this process would be found there: at another port of this machine may be the end of a tunnel. */
function isOurs(environment: Context["environment"], { url, is_loopback }: Connection): boolean {
  const { schema, variable } = SETTINGS.port;
  const port = schema.parse(setVariables(environment)[variable]);
  return is_loopback && new URL(url).port === String(port);
}
