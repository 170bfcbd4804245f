// Whether a refusal says that the server does not know our session any more, for example after it was started anew. Then it
// has run nothing, and the call may be made in a new one.
import { z } from "zod";

const Said = z.looseObject({
  jsonrpc: z.string().optional(),
  id: z.unknown().optional(),
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
});

const OF_SESSIONS = /session|not initialized/i;

/** 404 is the protocol's word for it, 400 that of many servers. An error with our own id comes from behind the session. */
export function isForgottenSession(status: number, body: string): boolean {
  if (status !== 404 && status !== 400) return false;
  const said = Said.safeParse(parsed(body));
  if (!said.success) return status === 404 || (body.length < 200 && OF_SESSIONS.test(body));
  const { jsonrpc, id, error } = said.data;
  const words = typeof error === "string" ? error : (error?.message ?? "");
  if (jsonrpc === undefined) return typeof error === "string" && OF_SESSIONS.test(words);
  return id == null && (status === 404 || OF_SESSIONS.test(words));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Plain words.
  }
}
