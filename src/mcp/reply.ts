// The answer to a request of the protocol: a result, or a JSON-RPC error. Faults of a tool are results (tools.ts).
import type { Fault } from "../schema/problem-document.ts";

export type McpReply<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown };

/** The numbers of JSON-RPC and MCP; `refused` is the first that servers may use. */
const CODES = { invalid_params: -32602, internal: -32603, not_found: -32002, refused: -32000 } as const;

export const done = <T>(result: T): McpReply<T> => ({ ok: true, result });

export const failed = (code: keyof typeof CODES, message: string, data?: unknown): McpReply<never> => ({
  ok: false,
  code: CODES[code],
  message,
  ...(data !== undefined && { data }),
});

export const refused = (fault: Fault): McpReply<never> => failed("refused", fault.detail, fault);

/** The result for a library of the protocol, which makes a JSON-RPC error of what is thrown. */
export function resultOf<T>(reply: McpReply<T>): T {
  if (reply.ok) return reply.result;
  const { code, message, data } = reply;
  throw Object.assign(new Error(message), { code, data });
}
