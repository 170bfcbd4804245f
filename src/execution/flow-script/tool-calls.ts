// Calls the tools of mcp_call steps from within the flow, with the addresses and tokens of its context.
import type { ToolCalls } from "../local/call-tool.ts";
import { ask, sayGoodbye } from "./ask.ts";
import { type Server, type ServerConfig, serverOf } from "./endpoint.ts";
import { isList, isRecord } from "./json-values.ts";
import { answerOf } from "./tool-answer.ts";

const LISTING_MS = 10_000;
const MAX_PAGES = 100;

/** `servers` by identifier in lower case. */
export function createToolCalls(
  servers: ReadonlyMap<string, ServerConfig>,
): ToolCalls & { readonly close: () => Promise<void> } {
  const known = new Map([...servers].map(([id, config]) => [id, serverOf(config)]));
  const listed = new Map<Server, Promise<ReadonlySet<string>>>();
  return {
    call: async ({ server: id, tool: name, arguments: args }, { limit_ms, signal: abort }) => {
      const server = known.get(id.toLowerCase());
      if (server === undefined) return { ok: false, stderr: unknown(id), executed: false, timed_out: false };
      return answerOf(
        await ask(server, { method: "tools/call", params: { name, arguments: args } }, { limit_ms, abort }),
      );
    },
    mayRepeat: async ({ server: id, tool }, signal) => {
      const server = known.get(id.toLowerCase());
      if (server === undefined) return false;
      const tools = listed.get(server) ?? harmlessTools(server, signal);
      listed.set(server, tools);
      return (await tools).has(tool);
    },
    close: async () => void (await Promise.all([...known.values()].map(sayGoodbye))),
  };
}

const unknown = (id: string): string =>
  `there is no tool server ${id}; set MCP_${id.toUpperCase()}_URL and start orch again`;

/** Those of which the server says that they only read, or that the same call again has no further effect. */
async function harmlessTools(server: Server, abort: AbortSignal): Promise<ReadonlySet<string>> {
  const until = performance.now() + LISTING_MS;
  const names = new Set<string>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const bounds = { limit_ms: Math.max(1, until - performance.now()), abort };
    const params = cursor === undefined ? {} : { cursor };
    const { result } = await ask(server, { method: "tools/list", params }, bounds);
    if (!isRecord(result) || !isList(result["tools"])) return new Set();
    for (const { name, annotations: hints } of result["tools"].filter(isRecord)) {
      const isHarmless = isRecord(hints) && (hints["readOnlyHint"] === true || hints["idempotentHint"] === true);
      if (typeof name === "string" && isHarmless) names.add(name);
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "" || next === cursor) return names;
    cursor = next;
  }
  return new Set();
}
