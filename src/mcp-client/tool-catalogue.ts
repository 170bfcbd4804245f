// The tools of one server (MCP tools/list), page by page.
import { z } from "zod";
import type { Json } from "../domain/json.ts";
import type { Tool } from "../ports.ts";
import type { Bounds, Reply } from "./reply.ts";
import { toolAnswerOf } from "./tool-answer.ts";
import type { ToolServer } from "./tool-server.ts";

const MAX_PAGES = 100;

const NO_HINTS = { readOnlyHint: false, idempotentHint: false };

/** Odd parts of a description are left out; a tool without a name is not one. */
const Listed = z.looseObject({
  name: z.string().min(1),
  description: z.string().catch(""),
  inputSchema: (z.record(z.string(), z.unknown()) as z.ZodType<{ [key: string]: Json }>).catch({}),
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().catch(false), idempotentHint: z.boolean().catch(false) })
    .catch(NO_HINTS),
});

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });

export type Catalogue = { readonly tools: readonly Tool[] } | { readonly fault: string };

/** The limit is that of all pages together. */
export async function readCatalogue(server: ToolServer, { limit_ms, signal }: Bounds): Promise<Catalogue> {
  const deadline = performance.now() + limit_ms;
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const bounds = { limit_ms: Math.max(1, deadline - performance.now()), signal };
    const reply = await server.request("tools/list", cursor === undefined ? {} : { cursor }, bounds);
    if (reply.is !== "result") return { fault: faultOf(reply, limit_ms) };
    const parsed = Page.safeParse(reply.result);
    if (!parsed.success) return { fault: "what it answered to tools/list is no list of tools" };
    tools.push(...parsed.data.tools.flatMap(toolOf));
    const { nextCursor } = parsed.data;
    if (nextCursor === undefined || nextCursor === "" || nextCursor === cursor) return { tools };
    cursor = nextCursor;
  }
  return { fault: `its list of tools has more than ${MAX_PAGES} pages` };
}

/** Without what would be said of a call: a list has no effect. */
function faultOf(reply: Reply, limit_ms: number): string {
  if (reply.is === "timed_out") return `there was no answer within ${limit_ms / 1000} s`;
  if ("message" in reply) return reply.message;
  const answer = toolAnswerOf(reply);
  return answer.ok ? "" : answer.stderr;
}

function toolOf(value: unknown): Tool[] {
  const { success, data } = Listed.safeParse(value);
  if (!success) return [];
  const { name, description, inputSchema: input_schema, annotations } = data;
  return [
    { name, description, input_schema, read_only: annotations.readOnlyHint, idempotent: annotations.idempotentHint },
  ];
}
