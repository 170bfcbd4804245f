// The tool servers by name [4.mcp.environment]. The flow's script uses this client too: nothing here imports a library that
// its bundle could not carry.
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolListing } from "../domain/tool.ts";
import type { ToolServers } from "../ports.ts";
import { endpointOf, type ToolServerConfig } from "./endpoint.ts";
import { createKnownTools } from "./known-tools.ts";
import { toolAnswerOf } from "./tool-answer.ts";
import { readCatalogue } from "./tool-catalogue.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";

export type ToolServersDeps = {
  /** By identifier in lower case. */
  readonly servers: ReadonlyMap<string, ToolServerConfig>;
  /** Of orch, for the servers. */
  readonly version: string;
};

const CLOSING_MS = 2_000;
const LISTING_MS = 10_000;
/** What may only read is judged by what its server says now. */
const FRESH_MS = 1_000;

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
    listNow: (server, signal) => listingOf(server, signal, 0),
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
