// Keeps the tool servers by name [4.mcp.environment], with the descriptions of their tools. The flow's script uses this client too.

import { setTimeout as sleep } from "node:timers/promises";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { isDeeperThan, isRecord, type JsonFields } from "../domain/json-values.ts";
import type { DefinedTool, ToolListing } from "../domain/tool.ts";
import { listenerCheck } from "../http-client/listener.ts";
import type { ToolServers } from "../ports.ts";
import { endpointOf, type ToolServerConfig } from "./exchange.ts";
import { type CallLimits, type ToolServerReply, within } from "./reply.ts";
import { isRefusal, toolAnswerOf } from "./tool-answer.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";

type ToolServersDeps = {
  /** By identifier in lower case. */
  readonly servers: ReadonlyMap<string, ToolServerConfig>;
  /** Of orch, for the servers. */
  readonly version: string;
};

const CLOSING_MS = 2_000;

const LISTING_MS = 10_000;

/** What may only read is judged by what its server says now. */
const FRESH_MS = 1_000;

/** Between two requests for a list that is waited for. */
const FIRST_PAUSE_MS = 100;

const LONGEST_PAUSE_MS = 2_000;

export function createToolServers({ servers, version }: ToolServersDeps): ToolServers {
  const closing = new AbortController();
  const client = { name: "orch", version };
  const known = new Map(
    [...servers].map(([name, config]) => {
      const server = isReference(config.token) ? closed(REFERENCE) : createToolServer(endpointOf(name, config, client));
      return [name, { server, tools: createKnownTools(server, LISTING_MS) }] as const;
    }),
  );
  const find = (name: string) => known.get(name.toLowerCase());

  const listingOf = async (server: string, signal: AbortSignal, max_age_ms?: number): Promise<ToolListing> =>
    (await find(server)?.tools.listing({ limit_ms: LISTING_MS, signal }, max_age_ms)) ?? {
      is: "unread",
      why: unknownServer(server),
      is_unreachable: true,
    };

  return {
    names: new Set(servers.keys()),
    call: async ({ server, tool, arguments: args }, { traceparent, ...limits }) => {
      const found = find(server);
      if (found === undefined) return { ok: false, stderr: unknownServer(server), executed: false, timed_out: false };
      const signal = AbortSignal.any([limits.signal, closing.signal]);
      const _meta = traceparent === undefined ? undefined : { traceparent };
      const params = { name: tool, arguments: args, ...(_meta !== undefined && { _meta }) };
      return toolAnswerOf(await found.server.request("tools/call", params, { ...limits, signal }));
    },
    listTools: async (server, limits) => {
      const found = find(server);
      if (found === undefined) return { fault: unknownServer(server) };
      const catalogue = await readCatalogue(found.server, limits);
      if ("fault" in catalogue) {
        const { fault, fix } = catalogue;
        return fix === undefined ? { fault } : { fault, fix };
      }
      return { tools: catalogue.tools.map(({ destructive: _destructive, definition: _definition, ...tool }) => tool) };
    },
    mayRepeat: async (call, signal) => {
      const tools = toolsNamed(call.tool, await listingOf(call.server, signal));
      return tools.length > 0 && tools.every(({ effect, idempotent }) => effect === "reads" || idempotent);
    },
    effectOf: async (call, signal) => {
      const listing = await listingOf(call.server, signal, FRESH_MS);
      if (listing.is === "unread") return listing;
      const effects = toolsNamed(call.tool, listing).map(({ effect }) => effect);
      if (effects.includes("changes")) return "changes";
      return effects.length > 0 && effects.every((effect) => effect === "reads") ? "reads" : "unknown";
    },
    listNow: async (server, signal, wait_ms = 0) => {
      const until = performance.now() + wait_ms;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const listing = await listingOf(server, signal, 0);
        const mayBeRead = listing.is === "unread" && !listing.is_unreachable;
        if (!mayBeRead || signal.aborted || performance.now() + pause > until) return listing;
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    },
    close: async () => {
      for (const { tools } of known.values()) tools.close();
      const goodbyes = Promise.all([...known.values()].map(({ server }) => server.close()));
      await Promise.race([goodbyes, sleep(CLOSING_MS, undefined, { ref: false })]);
      closing.abort();
    },
  };
}

const toolsNamed = (tool: string, listing: ToolListing) =>
  listing.is === "listed" ? listing.tools.filter(({ name }) => name === tool) : [];

/** What a flow engine replaces by a variable of its own. */
const isReference = (token: string | null): boolean => token !== null && /^\$(var|res|encrypted):/.test(token);

const REFERENCE =
  "its token is a reference that only the flow engine can resolve: run the task with execution_backend flowengine, or set the token itself";

const closed = (message: string): ToolServer => ({
  request: async () => ({ is: "unreachable", message }),
  close: async () => {},
});

const unknownServer = (server: string): string =>
  `there is no tool server ${server}; set MCP_${server.toUpperCase()}_URL and start orch again`;

const KEPT_MS = 300_000;

/** So that each of many calls of a server that has no list does not ask for one. */
const REFUSAL_KEPT_MS = 30_000;

function keptFor(catalogue: ToolCatalogue): number {
  if (!("fault" in catalogue)) return KEPT_MS;
  return catalogue.how === "refused" ? REFUSAL_KEPT_MS : 0;
}

type KnownTools = {
  /** From a list that is at most `max_age_ms` old. */
  readonly listing: (limits: CallLimits, max_age_ms?: number) => Promise<ToolListing>;
  readonly close: () => void;
};

/** The descriptions of a server's tools, kept for a while: they are asked for before each call. */
function createKnownTools(server: ToolServer, limit_ms: number): KnownTools {
  const closing = new AbortController();
  let kept: { readonly found: Promise<ToolCatalogue>; readonly begun: number; until: number } | null = null;

  const read = (max_age_ms: number): Promise<ToolCatalogue> => {
    const now = performance.now();
    if (kept !== null && now < kept.until && now - kept.begun < max_age_ms) return kept.found;
    const found = readCatalogue(server, { limit_ms, signal: closing.signal });
    const reading = { found, begun: now, until: Infinity };
    kept = reading;
    return found.then((catalogue) => {
      reading.until = performance.now() + keptFor(catalogue);
      return catalogue;
    });
  };

  return {
    listing: async (limits, max_age_ms = Infinity) => {
      const end = await within(read(max_age_ms), limits);
      if (end.is === "stopped") return { is: "unread", why: "it was stopped", is_unreachable: false };
      if (end.is === "timed_out") {
        const why = `there was no answer within ${limits.limit_ms / 1000} s`;
        return { is: "unread", why, is_unreachable: false };
      }
      if (!("fault" in end.value)) return { is: "listed", tools: end.value.tools };
      const { fault, how } = end.value;
      return how === "refused"
        ? { is: "unlisted" }
        : { is: "unread", why: fault, is_unreachable: how === "unreachable" };
    },
    close: () => closing.abort(),
  };
}

const MAX_PAGES = 100;

/** `refused`: the server answers, and has no list to give. `unread`: it has one, and may give it another time. */
type ToolCatalogue =
  | { readonly tools: readonly DefinedTool[] }
  | { readonly fault: string; readonly how: "refused" | "unread" | "unreachable"; readonly fix?: string };

/** The limit is that of all pages together. */
async function readCatalogue(server: ToolServer, { limit_ms, signal }: CallLimits): Promise<ToolCatalogue> {
  const deadline = performance.now() + limit_ms;
  const tools: DefinedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const limits = { limit_ms: Math.max(1, deadline - performance.now()), signal };
    const reply = await server.request("tools/list", cursor === undefined ? {} : { cursor }, limits);
    if (reply.is !== "result") {
      const fix = reply.is === "unreachable" && reply.fix !== undefined ? { fix: reply.fix } : {};
      return { fault: faultOf(reply, limit_ms), how: howOf(reply), ...fix };
    }
    const { tools: listed, nextCursor } = isRecord(reply.result) ? reply.result : {};
    if (!Array.isArray(listed)) return { fault: "what it answered to tools/list is no list of tools", how: "refused" };
    tools.push(...listed.flatMap(toolOf));
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) return { tools };
    cursor = nextCursor;
  }
  return { fault: `its list of tools has more than ${MAX_PAGES} pages`, how: "unread" };
}

/** Servers that know only tools/call refuse the method, in JSON-RPC or with a status. */
function howOf(reply: ToolServerReply): Extract<ToolCatalogue, { fault: string }>["how"] {
  if (reply.is === "unreachable") return "unreachable";
  if (reply.is === "rpc_error") return isRefusal(reply) ? "refused" : "unread";
  return reply.is === "http_error" && NO_SUCH_METHOD.has(reply.status) ? "refused" : "unread";
}

const NO_SUCH_METHOD: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** Without the words about a call: a list has no effect. */
function faultOf(reply: Exclude<ToolServerReply, { is: "result" }>, limit_ms: number): string {
  if (reply.is === "timed_out") return `there was no answer within ${limit_ms / 1000} s`;
  if ("message" in reply) return reply.message;
  const answer = toolAnswerOf(reply);
  return answer.ok ? "" : answer.stderr;
}

/** Deeper definitions are made to cost. */
const MAX_DEPTH = 100;

/** Odd parts of a description are left out; a tool without a name is not one. */
function toolOf(value: unknown): DefinedTool[] {
  if (!isRecord(value) || typeof value["name"] !== "string" || value["name"] === "") return [];
  if (isDeeperThan(value, MAX_DEPTH)) return [];
  const { name, description, inputSchema, annotations } = value;
  const hints = isRecord(annotations) ? annotations : {};
  return [
    {
      name,
      description: typeof description === "string" ? description : "",
      // It comes from JSON.
      input_schema: (isRecord(inputSchema) ? inputSchema : {}) as DefinedTool["input_schema"],
      effect: effectOf(hints),
      idempotent: hints["idempotentHint"] === true,
      destructive: isDestructive(hints),
      definition: definitionOf(value),
    },
  ];
}

/** What says how the tool is called and what it does. Icons and notes of the transport are left out. */
const DEFINING = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];

const definitionOf = (value: JsonFields): DefinedTool["definition"] =>
  // It comes from JSON.
  Object.fromEntries(DEFINING.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]))) as never;

/** The protocol takes an absent hint for destructive. Only what the server states counts: most servers state nothing. */
const isDestructive = ({ destructiveHint: destroys }: JsonFields): boolean =>
  destroys !== undefined && destroys !== null && destroys !== false;

/** A tool that says both is taken at the worse word. */
function effectOf(hints: JsonFields): DefinedTool["effect"] {
  const { readOnlyHint: reads, destructiveHint: destroys } = hints;
  // A hint of another type than the protocol's is no word for the better.
  if ((destroys !== undefined && destroys !== false) || (reads !== undefined && reads !== true)) return "changes";
  return reads === true ? "reads" : "unknown";
}

// Creates the tool servers of a configuration.

export const configuredServers = ({ tool_servers }: Pick<Config, "tool_servers">): ToolServers =>
  createToolServers({ servers: verifiedServers(tool_servers), version: metadata.version });

// The tool servers with the check of who listens there, for a client on this machine. The flow's script has no such check: its
// addresses are seen from another machine.

type Configured = { readonly url: string; readonly token: string | null; readonly peer: string | null };

export const verifiedServers = (servers: ReadonlyMap<string, Configured>): ReadonlyMap<string, ToolServerConfig> =>
  new Map(
    [...servers].map(([name, { peer, ...server }]) => {
      const verify = listenerCheck({ account: peer, variable: `MCP_${name.toUpperCase()}_PEER` });
      return [name, { ...server, verify }];
    }),
  );
