// Checks whether orch answers at the configured address and accepts the token.
import { z } from "zod";
import type { Env } from "../config/config.ts";
import { type Connection, clearTextWarning, findConnection } from "../config/connection.ts";
import { OrchError } from "../domain/errors.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "./examination.ts";

const Health = z.object({ status: z.literal("ok") });
const Problem = z.object({ detail: z.string() });

export async function examineServer(environment: Env): Promise<Diagnosis> {
  const connection = await findConnection(environment).catch((error: unknown) => {
    if (error instanceof OrchError) return error;
    throw error;
  });
  if (connection instanceof OrchError) return notLookedFor(connection);
  const { url } = connection;
  const alive = await getJson(`${url}/healthz`);
  if ("fault" in alive) {
    if (alive.refused) return off(`orch is not running at ${url}`, "Start it with: orch serve");
    return broken(`${url} cannot be reached (${alive.fault})`, "Check ORCH_URL, ORCH_HOST and ORCH_PORT.");
  }
  if (alive.status !== 200 || !Health.safeParse(alive.body).success) {
    const found = `another program than orch answers at ${url} (HTTP ${alive.status})`;
    return broken(found, "End it, or give orch another port with ORCH_PORT.");
  }
  return examineOrch(connection);
}

/** Adds that the diagnosis is of this environment, when a running server may have read another one. */
export async function seenFromHere(found: Diagnosis, server: Promise<Diagnosis>): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return found;
  return { ...found, found: `${found.found}\nfrom this environment; the running server read its own when it started` };
}

function notLookedFor({ issues, message }: OrchError): Diagnosis {
  const issue_lines = issues.map((issue) => `${issue.path} ${issue.message}`).join("\n");
  if (issues.some(({ path }) => path === "ORCH_URL")) return broken(issue_lines, "Correct ORCH_URL.");
  return off(`not checked: ${issue_lines || message}`);
}

async function examineOrch(connection: Connection): Promise<Diagnosis> {
  const { url, token } = connection;
  if (token.value === null) return broken(`orch runs at ${url}, and ${token.from}`, TOKEN_FIX);
  const headers = { authorization: `Bearer ${token.value}` };
  const called = await getJson(`${url}/v1/tasks?limit=1`, headers);
  const ready = await getJson(`${url}/readyz`, headers);
  if ("fault" in called || "fault" in ready) return broken(`orch runs at ${url}, and does not answer`, LOG_FIX);
  if (called.status === 401) return broken(`orch at ${url} refuses the token from ${token.from}`, TOKEN_FIX);
  if (ready.status !== 200) {
    const detail = Problem.safeParse(ready.body).data?.detail ?? `HTTP ${ready.status}`;
    return fallsBack(
      `orch runs at ${url}, and is not ready: ${detail.slice(0, 200)}`,
      "Wait a moment; then read its log.",
    );
  }
  if (called.status !== 200) return broken(`orch at ${url} answers with HTTP ${called.status}`, LOG_FIX);
  const clear = clearTextWarning(connection);
  if (clear !== null) return fallsBack(`orch runs at ${url}`, `Note that ${clear}.`);
  return works(`orch runs at ${url} and takes the token from ${token.from}`);
}

const TOKEN_FIX = "Give the token of that server in ORCH_TOKEN, or its directory in ORCH_DATA_DIR.";
const LOG_FIX = "Read the log of orch.";
