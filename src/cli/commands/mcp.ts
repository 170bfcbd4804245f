// orch mcp: serves the tools of orch to an MCP client on stdin and stdout, from the running server or one in this process.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { setVariables } from "../../config/config.ts";
import { announcedUrl, type Connection } from "../../config/connection.ts";
import { SETTINGS } from "../../config/settings.ts";
import { OrchError } from "../../domain/errors.ts";
import { parseJson } from "../../domain/json-values.ts";
import { sendRequest } from "../../http-client/request.ts";
import { refusedToken, strangeServer, unreachable } from "../client.ts";
import { type CommandContext, command } from "../context.ts";
import { EXIT, type Failure, failed, failureOf, fault } from "../failure.ts";

export const mcp = command(z.object({}), async (context) => {
  const { connect, parts, out } = context;
  const server = createServerFinder(context, await connect());
  try {
    const absence = await server.find();
    if (absence !== null) return failed(absence);
    // Read again: a server that has just started may have created the token.
    const connection = await connect();
    const { url, token } = connection;
    if (token.value === null) return failed(refusedToken(connection, token));
    const revive = async () => {
      const still = await server.find();
      if (still !== null) out.note(`orch: ${[still.detail, still.fix ?? []].flat().join("\n")}`);
      return still === null;
    };
    await parts.bridge({ url, token: token.value, revive });
    return EXIT.done;
  } finally {
    await server.stop();
  }
});

// Finds the server for `orch mcp`: the running one, or else one that it starts in this process. Several processes may
// search at once. The one that opens the database serves, and the others use its server.

const PROBE_MS = 5_000;
const MAX_HEALTH_BYTES = 1_048_576;
/** How long the search waits for a database that cannot be used for another reason than a server that has it. */
const UNUSABLE_MS = 10_000;
/** A server has the database before it answers and after it has stopped answering, on a busy machine for long. An MCP client waits 60 s for
 * its first answer. */
const HELD_MS = 50_000;
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
    const begun = performance.now();
    for (let waits = 0; ; waits += 1) {
      const absence = await probe(connection);
      if (absence === null || started !== null) return absence?.failure ?? null;
      if (absence.is_there || !isOurs(environment, connection)) return absence.failure;
      const error = await start();
      if (error === null) return null;
      if (!(error instanceof OrchError)) return fault(error);
      if (error.code !== "database_unusable") return failureOf(error);
      const end = await endOfWait(error, performance.now() - begun);
      if (end !== null) return end;
      if (waits === 0)
        out.note(`orch: the database cannot be used yet; waiting for a server that answers at ${connection.url}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Null while a server may still answer here, or leave the database to this process. */
  async function endOfWait(error: OrchError, waited: number): Promise<Failure | null> {
    const failure = failureOf(error);
    if (error.holder === null) return stopped || waited > UNUSABLE_MS ? failure : null;
    const elsewhere = await otherAddress(environment, connection);
    if (elsewhere !== null) return servedElsewhere(failure, elsewhere);
    const { holder } = error;
    return stopped || waited > HELD_MS ? neverAnswered(failure, { holder, waited, url: connection.url }) : null;
  }

  /** Null once a server runs in this process, else what was thrown. */
  async function start(): Promise<unknown> {
    try {
      started = await parts.embed();
      out.note(`orch: nothing answered at ${connection.url}; a server runs in this process`);
      return null;
    } catch (error) {
      return error;
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

/** The address of the server that has the database, where it is another one than this process looks at. */
async function otherAddress(environment: CommandContext["environment"], { url }: Connection): Promise<string | null> {
  const announced = await announcedUrl(environment);
  return announced === null || new URL(announced).port === new URL(url).port ? null : announced;
}

const servedElsewhere = (failure: Failure, url: string): Failure => ({
  ...failure,
  fix: `It answers at ${url}. To use it, set ORCH_URL to that address, for an MCP host under "env" in its configuration.`,
});

type Waited = { readonly holder: string; readonly waited: number; readonly url: string };

const neverAnswered = (failure: Failure, { holder, waited, url }: Waited): Failure => ({
  ...failure,
  detail: `${failure.detail}; orch waited ${Math.round(waited / 1_000)} s for ${holder} to answer at ${url} or to end`,
  fix: `If it answers at another address, set ORCH_PORT or ORCH_URL to that address, for an MCP host under "env" in its configuration.`,
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
