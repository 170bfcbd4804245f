// A bearer token on every route but health, also on loopback (design: faces).
import type { Clock } from "../ports.ts";
import type { Handler } from "./context.ts";
import { problem, sendProblem } from "./problem.ts";
import { findToken, type Token } from "./token.ts";

export type FailureLimit = { readonly failures: number; readonly window_ms: number };

/**
 * A valid token is let in whatever came before: on loopback all callers share one address, and a step that guesses
 * tokens must not lock the supervisor out.
 */
export function authenticate(tokens: readonly Token[], limit: FailureLimit, clock: Clock): Handler {
  const failed = createFailureCount(limit, clock);
  return (request, response, next) => {
    const presented = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
    const token = presented === undefined ? null : findToken(tokens, presented);
    if (token !== null) {
      response.locals.token = token;
      return next();
    }
    const wait = failed(request.socket.remoteAddress ?? "");
    if (wait === null) return sendProblem(response, problem("unauthorized", "Send Authorization: Bearer <token>."));
    const detail = `Try again in ${wait} seconds with the right token.`;
    sendProblem(response, problem("too_many_failures", detail), { "Retry-After": String(wait) });
  };
}

const MAX_ADDRESSES = 10_000;

/** Counts a failure; returns the seconds to wait once an address has had too many, else null. */
function createFailureCount({ failures, window_ms }: FailureLimit, clock: Clock): (address: string) => number | null {
  const windows = new Map<string, { count: number; readonly ends: number }>();
  return (address) => {
    const now = clock().getTime();
    const known = windows.get(address);
    if (known !== undefined && known.ends > now) {
      known.count += 1;
      return known.count > failures ? Math.ceil((known.ends - now) / 1000) : null;
    }
    windows.delete(address);
    // A Map keeps the order of insertion: the first is the oldest.
    const [oldest] = windows.size >= MAX_ADDRESSES ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    windows.set(address, { count: 1, ends: now + window_ms });
    return null;
  };
}
