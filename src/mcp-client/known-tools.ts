// The descriptions of a server's tools, kept for a while: they are asked for before each call.
import type { Tool } from "../ports.ts";
import type { CallLimits } from "./reply.ts";
import { readCatalogue, type ToolCatalogue } from "./tool-catalogue.ts";
import type { ToolServer } from "./tool-server.ts";
import { within } from "./within.ts";

const KEPT_MS = 300_000;
/** So that each of many calls of a server that has no list does not wait for one. */
const FAULT_KEPT_MS = 30_000;

export type KnownTools = {
  /** Null without such a tool, or without a list. */
  readonly find: (tool: string, limits: CallLimits) => Promise<Tool | null>;
  readonly close: () => void;
};

export function createKnownTools(server: ToolServer, limit_ms: number): KnownTools {
  const closing = new AbortController();
  let kept: { readonly read: Promise<ToolCatalogue>; until: number } | null = null;

  const read = (): Promise<ToolCatalogue> => {
    if (kept !== null && performance.now() < kept.until) return kept.read;
    const reading = { read: readCatalogue(server, { limit_ms, signal: closing.signal }), until: Infinity };
    kept = reading;
    return reading.read.then((found) => {
      reading.until = performance.now() + ("fault" in found ? FAULT_KEPT_MS : KEPT_MS);
      return found;
    });
  };

  return {
    find: async (tool, limits) => {
      const end = await within(read(), limits);
      if (end.is !== "done" || "fault" in end.value) return null;
      return end.value.tools.find(({ name }) => name === tool) ?? null;
    },
    close: () => closing.abort(),
  };
}
