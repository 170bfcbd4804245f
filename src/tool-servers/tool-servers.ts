// The tool servers of the environment (spec section 4: a new one is added by setting MCP_{NAME}_URL and _TOKEN only).
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolServers } from "../ports.ts";
import { createAgent, createBoundedFetch } from "./bounded-fetch.ts";
import { endpointOf, type ServerConfig } from "./endpoint.ts";
import { toolAnswerOf } from "./tool-answer.ts";
import { type Catalogue, readCatalogue } from "./tool-catalogue.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";

export type ToolServersDeps = {
  /** By identifier in lower case. */
  readonly servers: ReadonlyMap<string, ServerConfig>;
  /** That of orch, which servers are told. */
  readonly version: string;
};

const CLOSING_MS = 2_000;
const LISTING_MS = 10_000;
/** How long the word of a server on its tools is taken. */
const CATALOGUE_MS = 300_000;

type Known = {
  readonly server: ToolServer;
  catalogue: { readonly at: number; readonly read: Promise<Catalogue> } | null;
};

export function createToolServers({ servers, version }: ToolServersDeps): ToolServers {
  const agent = createAgent();
  const fetch = createBoundedFetch(agent);
  const client = { name: "orch", version };
  const opened = [...servers].map(([name, server]): [string, Known] => [
    name,
    { server: createToolServer(endpointOf(server, { fetch, client })), catalogue: null },
  ]);
  const known = new Map(opened);

  const catalogueOf = (entry: Known, signal: AbortSignal): Promise<Catalogue> => {
    const now = performance.now();
    if (entry.catalogue !== null && now - entry.catalogue.at < CATALOGUE_MS) return entry.catalogue.read;
    const read = readCatalogue(entry.server, { limit_ms: LISTING_MS, signal });
    const catalogue = { at: now, read };
    entry.catalogue = catalogue;
    // A fault is not worth keeping: the next one asks again.
    void read.then((found) => {
      if ("fault" in found && entry.catalogue === catalogue) entry.catalogue = null;
    });
    return read;
  };

  return {
    names: new Set(servers.keys()),
    call: async ({ server, tool, arguments: args }, bounds) => {
      const entry = known.get(server.toLowerCase());
      if (entry === undefined) return { ok: false, stderr: unknownServer(server), executed: false, timed_out: false };
      return toolAnswerOf(await entry.server.request("tools/call", { name: tool, arguments: args }, bounds));
    },
    listTools: async (server, signal) => {
      const entry = known.get(server.toLowerCase());
      return entry === undefined
        ? { fault: unknownServer(server) }
        : readCatalogue(entry.server, { limit_ms: LISTING_MS, signal });
    },
    mayRepeat: async ({ server, tool }, signal) => {
      const entry = known.get(server.toLowerCase());
      if (entry === undefined) return false;
      const found = await catalogueOf(entry, signal);
      if ("fault" in found) return false;
      return found.tools.some(({ name, read_only, idempotent }) => name === tool && (read_only || idempotent));
    },
    close: async () => {
      const goodbyes = Promise.all([...known.values()].map(({ server }) => server.close()));
      await Promise.race([goodbyes, sleep(CLOSING_MS, undefined, { ref: false })]);
      await agent.destroy();
    },
  };
}

const unknownServer = (server: string): string =>
  `there is no tool server ${server}; set MCP_${server.toUpperCase()}_URL and start orch again`;
