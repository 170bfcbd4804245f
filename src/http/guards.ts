// The checks that every request passes before a route: Host and Origin, which a browser may have been tricked into sending
// (DNS rebinding, a foreign page), the bearer token, and the rate of the caller. Every route but health needs a token.
import type { Clock } from "../ports.ts";
import type { Call, Handler } from "./context.ts";
import { problem, sendProblem } from "./problem.ts";
import { createAdmission, type Rate } from "./rate-limit.ts";
import { findToken, type Token } from "./token.ts";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The name must equal one of the names of this service, with any port. */
export function checkHost(public_host: string | null): Handler {
  const names = new Set([...LOCAL_NAMES, ...(public_host === null ? [] : [public_host.toLowerCase()])]);
  return (request, response, next) => {
    const hosts = request.headersDistinct["host"] ?? [];
    const name = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(hosts[0]?.toLowerCase() ?? "")?.[1];
    if (hosts.length === 1 && name !== undefined && names.has(name)) return next();
    sendProblem(response, problem("host_refused", "The Host header must name this service; see ORCH_PUBLIC_HOST."));
  };
}

/**
 * A request without an Origin does not come from a page, unless Sec-Fetch-Site says so: a browser sends no Origin with an
 * image or a link. A request with an Origin must be in the list, also when its Host is right.
 */
export function checkOrigin(allowed_origins: readonly string[]): Handler {
  const origins = new Set(allowed_origins);
  return (request, response, next) => {
    const { origin, "sec-fetch-site": site = "none" } = request.headers;
    if (origin === undefined ? OWN_SITES.has(site) : origins.has(origin.toLowerCase())) return next();
    sendProblem(response, problem("origin_refused", "Pages of this origin may not call; see ORCH_ALLOWED_ORIGINS."));
  };
}

/** Sec-Fetch-Site of a request that a page of this service, or the user, has made. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/** Refuses nothing yet. It costs one digest, less than reading the headers, and so precedes every limit. */
export function identify(tokens: readonly Token[]): Handler {
  return (request, response, next) => {
    const presented = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
    response.locals.token = presented === undefined ? null : findToken(tokens, presented);
    next();
  };
}

/**
 * A token has turns of its own; a request without one uses those of its address. On loopback all callers share one address,
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
