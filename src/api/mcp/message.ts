// Reads messages and their revision, and reports faults in them as JSON-RPC errors with the messages of orch. The library would
// accept batches, and report wrong params as a fault of the server.
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { parseInput } from "../../schema/parse-input.ts";
import type { McpCaller } from "./calls.ts";

/** `id` is null when the id of the message is not known. */
export type MessageFault = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
};

const CODES = { not_json: -32700, invalid_request: -32600, invalid_params: -32602 } as const;

const faultOf = (code: keyof typeof CODES, message: string, id: RequestId | null): MessageFault => ({
  jsonrpc: "2.0",
  id,
  error: { code: CODES[code], message },
});

export type MessageReading =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly fault: MessageFault };

export const unreadable = (code: "not_json" | "invalid_request", why: string): MessageReading => ({
  ok: false,
  fault: faultOf(code, why, null),
});

/** One message of JSON-RPC, from parsed JSON. */
export function readMessage(value: unknown): MessageReading {
  if (Array.isArray(value))
    return unreadable("invalid_request", "Send each message by itself: MCP has no batches since 2025-06-18.");
  const { data: message } = JSONRPCMessageSchema.safeParse(value);
  if (message === undefined) return unreadable("invalid_request", "This is not a message of JSON-RPC 2.0.");
  return { ok: true, message };
}

const REQUESTS = new Map(
  [
    CallToolRequestSchema,
    GetPromptRequestSchema,
    InitializeRequestSchema,
    ListPromptsRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ListToolsRequestSchema,
    ReadResourceRequestSchema,
  ].map((schema): [string, z.ZodType] => [schema.shape.method.value, schema]),
);

/** Null when no fault is found. Methods that the revision does not have, and messages that are not requests, pass. */
export function paramsFault(request: JSONRPCMessage, revision: Revision): MessageFault | null {
  if (!isJSONRPCRequest(request)) return null;
  const schema = REQUESTS.get(request.method);
  const isUnknown = schema === undefined || (revision === "2026" && schema === InitializeRequestSchema);
  const parsed = isUnknown ? null : parseInput(schema, request);
  if (parsed === null || parsed.ok) return null;
  const faults = parsed.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
  return faultOf("invalid_params", `${request.method} cannot be called like this: ${faults}.`, request.id);
}

/** Serves one HTTP request. `close` ends its waits. */
type Exchange = {
  readonly answer: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type Opening = {
  readonly caller: McpCaller;
  /** The client reads JSON only, so it gets no reports of progress. */
  readonly json: boolean;
};

/** One HTTP request of MCP and its answer, in any revision, and which revision it speaks. */
export type OpenExchange = (opening: Opening) => Promise<Exchange>;

/** The revisions up to 2025-11-25, and those from 2026-07-28. */
export type Revision = "2025" | "2026";

/** The first revision without initialize: each request names its revision. */
const FIRST_OF_2026 = "2026-07-28";

const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
const Enveloped = z.object({ params: z.object({ _meta: z.record(z.string(), z.unknown()) }) });

/** A request of 2026-07-28 says so in its body and in the header. One that only half says so is refused in that revision. */
export function revisionOf(header: string | null, body: unknown): Revision {
  if (header !== null && header.trim() >= FIRST_OF_2026) return "2026";
  const { data } = Enveloped.safeParse(body);
  return data !== undefined && Object.hasOwn(data.params._meta, REVISION_KEY) ? "2026" : "2025";
}
