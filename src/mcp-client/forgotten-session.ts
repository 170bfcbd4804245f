// Whether a refusal says that the server does not know our session any more, for example after it was started anew. Then it
// has run nothing, and the call may be made in a new one.
import { z } from "zod";
import { parsed, rpcErrorIn } from "./rpc-error.ts";

const OF_SESSIONS = /session|not initialized/i;

/** What some servers answer without JSON-RPC: `{"error": "missing_session_id"}`. */
const Brief = z.looseObject({ error: z.string() });

/** 404 is the protocol's word for it, 400 that of many servers. An error with our own id comes from behind the session. */
export function isForgottenSession(status: number, body: string): boolean {
  if (status !== 404 && status !== 400) return false;
  const error = rpcErrorIn(body);
  if (error !== null) return !error.has_id && (status === 404 || OF_SESSIONS.test(error.message));
  const said = parsed(body);
  if (said !== undefined) return OF_SESSIONS.test(Brief.safeParse(said).data?.error ?? "");
  return status === 404 || (body.length < 200 && OF_SESSIONS.test(body));
}
