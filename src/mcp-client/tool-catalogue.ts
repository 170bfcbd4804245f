// The tools of one server (MCP tools/list), page by page.
import { isDeeperThan, isRecord, type JsonFields } from "../domain/json-values.ts";
import type { DefinedTool } from "../domain/tool.ts";
import type { CallLimits, ToolServerReply } from "./reply.ts";
import { isRefusal, toolAnswerOf } from "./tool-answer.ts";
import type { ToolServer } from "./tool-server.ts";

const MAX_PAGES = 100;

/** `refused`: the server answers, and has no list to give. `unread`: it has one, and may give it another time. */
export type ToolCatalogue =
  | { readonly tools: readonly DefinedTool[] }
  | { readonly fault: string; readonly how: "refused" | "unread" | "unreachable"; readonly fix?: string };

/** The limit is that of all pages together. */
export async function readCatalogue(server: ToolServer, { limit_ms, signal }: CallLimits): Promise<ToolCatalogue> {
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
