// The checks that every request passes before a route and before its caller is known: Host and Origin, which a browser may have
// been tricked into sending (DNS rebinding, a foreign page), and the rate of the caller.
import { createBuckets, type Rate } from "../domain/rate.ts";
import type { Clock } from "../ports.ts";
import type { Call, Handler } from "./context.ts";
import { type Problem, type ProblemCode, problem, sendProblem } from "./problem.ts";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The name must equal one of the names of this service, with any port. */
export function checkHost(own_names: readonly (string | null)[]): Handler {
  const given = own_names.flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  const names = new Set([...LOCAL_NAMES, ...given]);
  return (request, response, next) => {
    const name = hostName(request);
    if (name !== undefined && names.has(name)) return next();
    sendProblem(response, problem("host_refused", "The Host header must name this service; see ORCH_PUBLIC_HOST."));
  };
}

function hostName({ headersDistinct }: Call): string | undefined {
  const hosts = headersDistinct["host"] ?? [];
  if (hosts.length !== 1) return undefined;
  return /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(hosts[0]?.toLowerCase() ?? "")?.[1];
}

/** Whether it was sent to this machine by a name that means the machine of the sender. */
export const isLocalHost = (request: Call): boolean => LOCAL_NAMES.includes(hostName(request) ?? "");

/**
 * A request without an Origin does not come from a page, unless Sec-Fetch-Site says so: a browser sends no Origin with an
 * image or a link. A request with an Origin must be in the list, also when its Host is right, or come from the page that is served here:
 * then the browser says so itself, and the Origin has host and port of the Host (D-338).
 */
export function checkOrigin(allowed_origins: readonly string[]): Handler {
  const origins = new Set(allowed_origins);
  return (request, response, next) => {
    const { origin, "sec-fetch-site": site = "none", host } = request.headers;
    const isOwn = site === "same-origin" && origin !== undefined && isOrigin(origin, host);
    if (origin === undefined ? OWN_SITES.has(site) : isOwn || origins.has(origin.toLowerCase())) return next();
    sendProblem(response, problem("origin_refused", "Pages of this origin may not call; see ORCH_ALLOWED_ORIGINS."));
  };
}

const isOrigin = (origin: string, host: string | undefined): boolean =>
  ["http:", "https:"].some((scheme) => origin.toLowerCase() === `${scheme}//${host?.toLowerCase()}`);

/** Sec-Fetch-Site of a request that a page of this service, or the user, has made. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * A token has turns of its own; a request without one uses those of its address. On loopback all callers share one address,
 * and a step that calls without end, or guesses tokens, must not lock the supervisor out.
 */
export function limitRequests(rate: Rate, clock: Clock): Handler {
  const limit = `At most ${perSecond(rate)} requests a second are taken from one caller on each server (ORCH_REQUESTS_PER_SECOND).`;
  const admit = createAdmission({ rate, code: "rate_limited", limit }, clock);
  return (request, response, next) => {
    const { token } = response.locals;
    const refusal = admit(
      token === null ? `address ${addressOf(request)}` : (token.turns_of ?? `token ${token.token_id}`),
    );
    if (refusal === null) next();
    else sendProblem(response, refusal.problem, refusal.headers);
  };
}

const perSecond = ({ amount, per_ms }: Rate): number => (amount * 1000) / per_ms;

export const addressOf = ({ socket }: Call): string => socket.remoteAddress ?? "";

export type Refusal = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> };

/** Takes a turn for the key. Null when there was one, else an answer that says when to try again. */
export type Admit = (key: string) => Refusal | null;

/** `limit` is a sentence that says what the limit is and where it is set. */
type Limit = { readonly code: ProblemCode; readonly limit: string };

export function createAdmission({ rate, ...limit }: Limit & { readonly rate: Rate }, clock: Clock): Admit {
  const takeTurn = createBuckets(rate, clock);
  return (key) => refusalAfter(takeTurn(key), limit);
}

export type SharedTurns = (key: string) => Promise<number | null>;

/** The same, where the turns are those of all servers. */
export const sharedAdmission =
  (takeTurn: SharedTurns, limit: Limit) =>
  async (key: string): Promise<Refusal | null> =>
    refusalAfter(await takeTurn(key), limit);

function refusalAfter(wait: number | null, { code, limit }: Limit): Refusal | null {
  if (wait === null) return null;
  return { problem: problem(code, `${limit} Try again in ${wait} s.`), headers: { "Retry-After": String(wait) } };
}
