// The descriptions of a server's tools, kept for a while: they are asked for before each call.
import type { ToolListing } from "../domain/tool.ts";
import type { CallLimits } from "./reply.ts";
import { readCatalogue, type ToolCatalogue } from "./tool-catalogue.ts";
import type { ToolServer } from "./tool-server.ts";
import { within } from "./within.ts";

const KEPT_MS = 300_000;
/** So that each of many calls of a server that has no list does not ask for one. */
const REFUSAL_KEPT_MS = 30_000;

function keptFor(catalogue: ToolCatalogue): number {
  if (!("fault" in catalogue)) return KEPT_MS;
  return catalogue.how === "refused" ? REFUSAL_KEPT_MS : 0;
}

export type KnownTools = {
  /** From a list that is at most `max_age_ms` old. */
  readonly listing: (limits: CallLimits, max_age_ms?: number) => Promise<ToolListing>;
  readonly close: () => void;
};

export function createKnownTools(server: ToolServer, limit_ms: number): KnownTools {
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
