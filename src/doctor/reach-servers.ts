// Checks what this server reaches or has beside it: the addresses of other servers, which show each other what their steps write (D-395),
// the tool servers, the receiver of messages, and the skills.
import { once } from "node:events";
import { connect } from "node:net";
import { z } from "zod";
import { isLoopback } from "../config/clear-text.ts";
import type { Config } from "../config/config.ts";
import { OrchError } from "../domain/errors.ts";
import type { ServerDetails } from "../domain/server.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { ToolServers } from "../ports.ts";
import { broken, type Diagnosis, fallsBack, getJson, off, works } from "./examination.ts";

type Reached = { readonly found: readonly string[]; readonly fix: readonly string[] };

const Health = z.object({ status: z.literal("ok") });

/** Nothing where no server has an address: then it is not in use. */
export async function reachServers(servers: readonly ServerDetails[]): Promise<Reached> {
  const live = servers.filter(({ state }) => state === "alive" || state === "draining");
  if (live.length < 2 || live.every(({ url }) => url === null)) return { found: [], fix: [] };
  const looks = live.filter((one) => !one.this).map(async (one) => ({ ...one, fault: await faultAt(one) }));
  const failed = (await Promise.all(looks)).flatMap(({ name, url, fault }) =>
    fault === null ? [] : [{ name, url, fault }],
  );
  const silent = live.filter(({ url }) => url === null).map(({ name }) => name);
  return {
    found: [
      ...failed.map(({ name, url, fault }) => `${name} is not reached at ${url}: ${fault}`),
      ...(silent.length === 0 ? [] : [`the others do not see what steps write on ${silent.join(", ")}`]),
    ],
    fix: [
      ...failed.map(({ name }) => `Set ORCH_SERVER_URL of ${name} to an address that this server reaches.`),
      ...silent.map((name) => `Set ORCH_SERVER_URL of ${name}.`),
    ],
  };
}

/** As a server sees it that shares its database. */
export async function examineReach(servers: readonly ServerDetails[]): Promise<Diagnosis> {
  const { found, fix } = await reachServers(servers);
  if (found.length > 0) return fallsBack(found.join("\n"), fix.join("\n"));
  return servers.some(({ url }) => url !== null)
    ? works("what steps write on the other servers is read there")
    : off("what a step writes is seen on its own server alone: none has an address", "Set ORCH_SERVER_URL of each.");
}

async function faultAt({ url }: ServerDetails): Promise<string | null> {
  if (url === null) return null;
  const health = await getJson(`${url}/healthz`);
  if ("fault" in health) return health.fault;
  if (health.status === 421) return "it is not served there under this name";
  if (health.status !== 200 || !Health.safeParse(health.body).success)
    return `another program answers (HTTP ${health.status})`;
  return null;
}

// Checks whether a tool server answers, and lists its tools.

const SHOWN = 5;
const LIMIT_MS = 5_000;

export type ListedTools = Awaited<ReturnType<ToolServers["listTools"]>>;

export const listTools = (servers: Pick<ToolServers, "listTools">, name: string): Promise<ListedTools> =>
  servers.listTools(name, { limit_ms: LIMIT_MS, signal: new AbortController().signal });

export function diagnoseTools(name: string, listed: ListedTools): Diagnosis {
  const variables = `MCP_${name.toUpperCase()}_URL and MCP_${name.toUpperCase()}_TOKEN`;
  if ("fault" in listed) return broken(listed.fault, listed.fix ?? `Check ${variables}, and whether that server runs.`);
  const names = listed.tools.map((tool) => tool.name);
  const shown = names.slice(0, SHOWN).join(", ");
  const more = names.length > SHOWN ? ", ..." : "";
  return works(`${names.length} tools${shown === "" ? "" : `: ${shown}${more}`}`);
}

// Checks whether the receiver of messages can be reached. Nothing is sent: a receiver may act on any request.

const WEBHOOK_LIMIT_MS = 3_000;
const FIX = "Check ORCH_WEBHOOK_URL, and whether the receiver runs. Messages are kept until it takes them.";

export async function examineWebhook({ webhook }: Pick<Config, "webhook">): Promise<Diagnosis> {
  if (webhook === null) return off("none: no ORCH_WEBHOOK_URL is set");
  const { protocol, hostname, port, host } = new URL(webhook.url);
  const name = hostname.replace(/^\[|\]$/g, "");
  const fault = await connectionFault(name, Number(port || (protocol === "https:" ? 443 : 80)));
  if (fault !== null) return broken(`the receiver at ${host} cannot be reached (${fault})`, FIX);
  if (protocol === "http:" && !isLoopback(name)) {
    return fallsBack(`a receiver listens at ${host}; messages travel in clear text`, "Use an https address.");
  }
  return works(`a receiver listens at ${host}`);
}

async function connectionFault(host: string, port: number): Promise<string | null> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(WEBHOOK_LIMIT_MS) });
    return null;
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return name === "AbortError" ? `no answer within ${WEBHOOK_LIMIT_MS / 1000} s` : (code ?? "no connection");
  } finally {
    socket.destroy();
  }
}

// Says which skills can be used, and which intents are blocked because one cannot (D-271).

/** `find` rejects with an OrchError for a directory that is not one of skills. */
export async function examineSkills(find: () => Promise<Pick<Skills, "intents" | "unusable">>): Promise<Diagnosis> {
  try {
    const { intents, unusable } = await find();
    const isBlocked = (intent: string) => unusable.some((skill) => skill.intents.includes(intent));
    const usable = [...intents].filter((intent) => !isBlocked(intent)).join(", ");
    if (unusable.length === 0) return works(usable);
    const faults = unusable.map(({ fault, intents }) => `${fault}. Blocked: ${intents.join(", ")}.`);
    return broken(
      [...faults, `Usable: ${usable}.`].join("\n"),
      "Correct what orch skill check DIRECTORY names, then start orch again.",
    );
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, "Correct it, or remove its directory from ORCH_CAPABILITIES.");
  }
}
