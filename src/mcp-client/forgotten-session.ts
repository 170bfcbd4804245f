// Whether a refusal means that the server does not know the session any more, for example after a restart. Then it has run
// nothing, and the call may be made in a new session.
import { isRecord, parseJson } from "../domain/json-values.ts";
import { rpcErrorIn } from "./rpc-message.ts";

const isOfSessions = (text: unknown): boolean => typeof text === "string" && /session|not initialized/i.test(text);

/** The protocol uses 404, many servers 400. An error with our own id comes from the tool. */
export function isForgottenSession(status: number, body: string): boolean {
  if (status !== 404 && status !== 400) return false;
  const error = rpcErrorIn(body);
  if (error !== null) return !error.has_id && (status === 404 || isOfSessions(error.message));
  const value = parseJson(body);
  // Some servers answer without JSON-RPC: `{"error": "missing_session_id"}`.
  if (value !== undefined) return isRecord(value) && isOfSessions(value["error"]);
  return status === 404 || (body.length < 200 && isOfSessions(body));
}
