// Who calls, by bearer token, and how often anyone may: a token is needed on every route but health, also on loopback
// (design: faces).
import type { Clock } from "../ports.ts";
import type { Call, Handler } from "./context.ts";
import { problem, sendProblem } from "./problem.ts";
import { createAdmission, type Rate } from "./rate-limit.ts";
import { findToken, type Token } from "./token.ts";

/** Refuses nothing yet. It is one digest, less work than reading the headers was, and so comes before every limit. */
export function identify(tokens: readonly Token[]): Handler {
  return (request, response, next) => {
    const presented = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
    response.locals.token = presented === undefined ? null : findToken(tokens, presented);
    next();
  };
}

/**
 * A token has turns of its own; whoever has none shares those of the address. On loopback all callers share one address,
 * and a step that calls without end, or guesses tokens, must not lock the supervisor out.
 */
export function limitRequests(rate: Rate, clock: Clock): Handler {
  const limit = `At most ${perSecond(rate)} requests a second are taken from one caller (ORCH_REQUESTS_PER_SECOND).`;
  const admit = createAdmission({ rate, code: "rate_limited", limit }, clock);
  return (request, response, next) => {
    const { token } = response.locals;
    const refusal = admit(token === null ? `address ${addressOf(request)}` : `token ${token.token_id}`);
    if (refusal === null) next();
    else sendProblem(response, refusal.problem, refusal.headers);
  };
}

const perSecond = ({ amount, per_ms }: Rate): number => (amount * 1000) / per_ms;

const addressOf = ({ socket }: Call): string => socket.remoteAddress ?? "";

export function authenticate(failures: Rate, clock: Clock): Handler {
  const limit = "There were too many requests without the right token.";
  const admit = createAdmission({ rate: failures, code: "too_many_failures", limit }, clock);
  return (request, response, next) => {
    if (response.locals.token !== null) return next();
    const refusal = admit(addressOf(request));
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    sendProblem(response, problem("unauthorized", "Send Authorization: Bearer <token>."));
  };
}
