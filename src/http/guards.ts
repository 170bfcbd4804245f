// Who may talk to this server at all. A browser that was lured here (DNS rebinding, a foreign page) is turned away
// before anything else is looked at.
import type { Handler } from "./context.ts";
import { problem, sendProblem } from "./problem.ts";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The name must be one of ours exactly, with any port. */
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
 * A request without an Origin is not from a page, unless the browser says so: it sends none with an image or a link. One
 * with an Origin must be in the list, whatever its Host says.
 */
export function checkOrigin(allowed_origins: readonly string[]): Handler {
  const origins = new Set(allowed_origins);
  return (request, response, next) => {
    const { origin, "sec-fetch-site": site = "none" } = request.headers;
    if (origin === undefined ? OWN_SITES.has(site) : origins.has(origin.toLowerCase())) return next();
    sendProblem(response, problem("origin_refused", "Pages of this origin may not call; see ORCH_ALLOWED_ORIGINS."));
  };
}

/** What a browser calls a request that a page of this service, or its user, has made. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);
