// The descriptions of a server's tools, kept for a while: whether a call may be repeated is asked for before each call.
import type { CallLimits } from "./reply.ts";
import { readCatalogue, type ToolCatalogue } from "./tool-catalogue.ts";
import type { ToolServer } from "./tool-server.ts";
import { within } from "./within.ts";

const KEPT_MS = 300_000;
/** So that each of many calls of a server that has no list does not wait for one. */
const FAULT_KEPT_MS = 30_000;

export type KnownTools = {
  /** Whether the server says that the tool only reads, or that the same call again has no further effect. */
  readonly mayRepeat: (tool: string, limits: CallLimits) => Promise<boolean>;
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
    mayRepeat: async (tool, limits) => {
      const end = await within(read(), limits);
      if (end.is !== "done" || "fault" in end.value) return false;
      return end.value.tools.some(({ name, read_only, idempotent }) => name === tool && (read_only || idempotent));
    },
    close: () => closing.abort(),
  };
}
