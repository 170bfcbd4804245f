// The JSON-RPC error that a refusal over HTTP may carry.
import { z } from "zod";

const Said = z.looseObject({
  jsonrpc: z.string(),
  id: z.union([z.string(), z.number()]).nullish(),
  error: z.looseObject({ code: z.number(), message: z.string() }),
});

export type RpcError = {
  readonly code: number;
  readonly message: string;
  /** Whether it answers a request, or says that none was understood. */
  readonly has_id: boolean;
};

export function rpcErrorIn(body: string): RpcError | null {
  const { success, data } = Said.safeParse(parsed(body));
  return success ? { code: data.error.code, message: data.error.message, has_id: data.id != null } : null;
}

/** Undefined: it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
