// Checks everything that the server needs, without starting it: what works, what falls back, how to repair it. It is a
// composition root like main.ts, and changes nothing but what it is asked for (`deep`).

import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import metadata from "../../package.json" with { type: "json" };
import type { Config, Env } from "../config/config.ts";
import { type Connection, clearTextWarning, findConnection } from "../config/connection.ts";
import { secretsOf } from "../config/secrets.ts";
import { isOldBackup } from "../domain/backup-age.ts";
import { OrchError } from "../domain/errors.ts";
import { counted } from "../domain/printable.ts";
import { FEATURES } from "../features/features.ts";
import { DEEP_MS, examineFlow, examineFlowEngine } from "../features/flow-engine/doctor.ts";
import { listServers } from "../features/servers/shapes.ts";
import { findSkills } from "../features/skills/process/find-skills.ts";
import { createToolServers, verifiedServers } from "../mcp-client/tool-servers.ts";
import { modelsOf } from "../ollama/served-model.ts";
import type { ToolServers } from "../ports.ts";
import { createRedactor } from "../redact/find-secrets.ts";
import { type DatabaseExamination, examineDatabase } from "../store/examine-database.ts";
import { askRouting } from "./ask-routing.ts";
import { examineServers, noticeOf, withWaits } from "./ask-server.ts";
import { readConfiguration } from "./configuration.ts";
import {
  bounded,
  broken,
  type Diagnosis,
  type DoctorCheck,
  type DoctorLook,
  examine,
  fallsBack,
  getJson,
  NOTHING,
  off,
  redacted,
  works,
} from "./examination.ts";
import { examineLabels, ofCommands, ofFiles, ofModels } from "./examinations.ts";
import { diagnoseTools, examineSkills, examineWebhook, listTools } from "./reach-servers.ts";

/** In the order of repair. */
export async function doctor(given: Env, { deep = false } = {}): Promise<DoctorCheck[]> {
  const { config, environment, wrong, diagnosis } = readConfiguration(given);
  const tools = createToolServers({ servers: verifiedServers(config.tool_servers), version: metadata.version });
  const server = bounded(() => examineServer(environment));
  const examinations = [
    ...ofServers(environment, server),
    ...ofFiles(config),
    ...ofService(config, environment, server),
    ...ofModels(config, modelsOf(config), {
      ask: askRouting(config.routing_timeout_ms),
      notice: () => noticeOf(environment, server),
    }),
    ...ofCommands(config, environment["DOCKER_HOST"]),
    ofEngine(config, environment, server),
    ...(deep ? [ofFlow(config)] : []),
    ...ofTools(tools, server),
  ];
  const checks = await examine(examinations, wrong);
  await tools.close();
  const refused = [...wrong].flatMap((name) => given[name] ?? []);
  const redact = createRedactor([...secretsOf(config), ...refused]);
  return [{ name: "configuration", ...diagnosis }, ...checks].map((found) => redacted(found, redact));
}

const ofServers = (environment: Env, server: Promise<Diagnosis>): DoctorLook[] => [
  { name: "server", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => server },
  { name: "servers", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineServers(environment, server) },
  ...FEATURES.flatMap(({ doctor: check }) => check ?? []).map(({ name, examine: look }) => ({
    name,
    needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/,
    look: () => look(environment, server),
  })),
];

const ofService = (config: Config, environment: Env, server: Promise<Diagnosis>): DoctorLook[] => [
  { name: "database", needs: /^DATABASE_URL$/, look: () => diagnoseDatabase(config, server) },
  { name: "backup", needs: /^ORCH_(HOST|PORT|PUBLIC_HOST|TOKEN)$/, look: () => examineBackup(environment, server) },
  { name: "labels", needs: /^ORCH_(LABELS|TARGET_LABELS)$/, look: () => examineLabels(config) },
  {
    name: "skills",
    needs: /^ORCH_CAPABILITIES$/,
    look: async () => seenFromHere(await examineSkills(() => findSkills(config)), server),
  },
  {
    name: "webhook",
    needs: /^ORCH_WEBHOOK_/,
    look: async () => seenFromHere(await examineWebhook(config), server),
  },
];

const ofEngine = (config: Config, environment: Env, server: Promise<Diagnosis>): DoctorLook => ({
  name: "flow engine",
  needs: /^FLOWENGINE_/,
  look: async () => withWaits(await examineFlowEngine(config), server, environment),
});

/** Runs something, so only on request. */
const ofFlow = (config: Config): DoctorLook => ({
  name: "flow",
  needs: /^FLOWENGINE_/,
  limit_ms: DEEP_MS,
  look: () => examineFlow(config),
});

function ofTools(tools: ToolServers, server: Promise<Diagnosis>): DoctorLook[] {
  const names = [...tools.names];
  if (names.length === 0) return [{ name: "tool servers", needs: NOTHING, look: () => seenFromHere(NO_TOOLS, server) }];
  return names.map((name) => ({
    name: `tool server ${name}`,
    needs: NOTHING,
    look: async () => seenFromHere(diagnoseTools(name, await listTools(tools, name)), server),
  }));
}

const NO_TOOLS = off("none: no MCP_{NAME}_URL is set");

// Checks whether orch answers at the configured address and accepts the token.

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

// Checks whether a server can use the database. A database that is locked works if the server that answers holds it.

/** `server` is the diagnosis of the server at the address that clients use. */
export async function diagnoseDatabase(
  { database_url, data_dir }: Config,
  server: Promise<Diagnosis>,
): Promise<Diagnosis> {
  const examination = await examineDatabase(database_url);
  if (examination.is === "missing") return diagnoseMissing(examination.path, data_dir);
  if (examination.is === "unusable")
    return broken(examination.reason, "Check DATABASE_URL and the database that it names.");
  return examination.holder === null
    ? diagnoseFree(examination)
    : diagnoseHeld(examination.name, examination.holder, await server);
}

async function diagnoseMissing(path: string, data_dir: string): Promise<Diagnosis> {
  const folder = dirname(resolve(path));
  const canBeMade = folder === data_dir || (await stat(folder).catch(() => null))?.isDirectory() === true;
  if (!canBeMade) return broken(`there is no folder ${folder}`, "Create it, or correct DATABASE_URL.");
  return off(`${path} is not there yet`, "The first start creates it: orch serve");
}

function diagnoseHeld(name: string, holder: string, { state }: Diagnosis): Diagnosis {
  if (state === "works" || state === "falls_back") return works(`${name}, in use by the running server (${holder})`);
  return broken(
    `${name}, in use by an orch server (${holder}) that does not answer at the configured address`,
    "Set ORCH_URL to its address, or stop it.",
  );
}

function diagnoseFree({ name, pending, refusal }: Extract<DatabaseExamination, { is: "there" }>): Diagnosis {
  if (refusal !== null) return broken(`${name}: ${refusal.message}`, `The next start is refused: ${refusal.fix}`);
  if (pending === null) {
    return fallsBack(`${name}, was not closed by its last server`, "The next start repairs it: orch serve");
  }
  if (pending > 0)
    return fallsBack(
      `${name}, needs ${counted(pending, "migration")}`,
      "The next start runs them; they are shown by: orch migrate --dry-run",
    );
  return works(`${name}, up to date`);
}

// Asks the running server how old the last backup of its database is.

const HOUR_MS = 3_600_000;
const FIX = "Back it up, and have it done every night: orch backup FILE";

export async function examineBackup(environment: Env, server: Promise<Diagnosis>): Promise<Diagnosis> {
  const { state } = await server;
  if (state !== "works" && state !== "falls_back") return off("not looked at: no server of orch answers");
  const { url, token } = await findConnection(environment);
  const answer = await getJson(`${url}${listServers.path}`, { authorization: `Bearer ${token.value ?? ""}` });
  const read = "fault" in answer ? null : listServers.output.safeParse(answer.body);
  if (read?.success !== true) return broken("the server does not say when it was backed up", "Read its log.");
  return diagnosed(read.data.last_backup_at, Date.now());
}

export function diagnosed(last_backup_at: string | null, now: number): Diagnosis {
  if (last_backup_at === null) return fallsBack("the database was never backed up by orch", FIX);
  const hours = Math.max(0, Math.floor((now - Date.parse(last_backup_at)) / HOUR_MS));
  const found = `the last backup was made ${ageOf(hours)} ago (${last_backup_at})`;
  return isOldBackup(last_backup_at, now) ? fallsBack(found, FIX) : works(found);
}

const ageOf = (hours: number): string => (hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`);
