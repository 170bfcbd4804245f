// Who calls, as operations and further faces see it.
import type { Caller, Scope } from "../operations/operation.ts";
import type { Reply } from "./context.ts";

export type HttpCaller = Caller & { readonly may: (scope: Scope) => boolean };

/** The signal ends waits: when the connection closes, and when the server stops. */
export function callerOf(response: Reply, stopping: AbortSignal): HttpCaller {
  const { token } = response.locals;
  if (token === null) throw new Error("a route was reached without authentication");
  const gone = new AbortController();
  // After its answer nobody waits any more, and an abort costs an error with a stack.
  response.once("close", () => response.writableFinished || gone.abort());
  return {
    token_id: token.token_id,
    signal: AbortSignal.any([gone.signal, stopping]),
    may: (scope) => token.scopes.has(scope),
  };
}
