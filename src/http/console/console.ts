// The console: a face of the operations for a human in a browser, on the server that is there. Its page is src/console.
import type { Clock } from "../../ports.ts";
import type { RefuseLogin } from "../caller.ts";
import type { Call, Handler, Identity, Token } from "../context.ts";
import { builtFiles } from "./built-files.ts";
import { presentedIn } from "./cookie.ts";
import { createLinks } from "./links.ts";
import { login, logout, makeLink, showSession, stepUp } from "./login.ts";
import { serveAsset, servePage } from "./pages.ts";
import { createSessions } from "./sessions.ts";
import { createTransport } from "./transport.ts";

export type ConsoleSettings = {
  /** How the console calls this server. */
  readonly name: string;
  /** Where its built page is. */
  readonly directory: string;
  /** Addresses of proxies that receive requests over TLS. */
  readonly trusted_proxies: readonly string[];
};

type ConsoleDeps = ConsoleSettings & {
  readonly tokens: readonly Token[];
  readonly clock: Clock;
  readonly version: string;
  readonly refuseLogin: RefuseLogin;
};

type Routes = readonly (readonly [path: string, handlers: ReadonlyMap<string, Handler>])[];

export type Console = ReturnType<typeof createConsole>;

export const EVENTS_PATH = "/console/events";

export function createConsole({ name, directory, trusted_proxies, ...given }: ConsoleDeps) {
  const { tokens, clock, version, refuseLogin } = given;
  const sessions = createSessions(clock);
  const transport = createTransport(trusted_proxies);
  const deps = { tokens, sessions, links: createLinks(clock), transport, refuseLogin, server: { name, version } };
  const files = builtFiles(directory);
  const page = onGet(servePage(files));
  const open: Routes = [
    // What the start prints is opened in a browser.
    ["/", new Map([["GET", (_request, response) => response.redirect(303, "/console")]])],
    ["/console/assets/{file}", new Map([["GET", serveAsset(files)]])],
    [
      "/console/login",
      new Map([
        ["POST", login(deps)],
        ["GET", servePage(files)],
      ]),
    ],
  ];
  const guarded: Routes = [
    ["/console/session", new Map([["GET", showSession(deps)]])],
    ["/console/step-up", new Map([["POST", stepUp(deps)]])],
    ["/console/logout", new Map([["POST", logout(deps)]])],
    ["/console/links", new Map([["POST", makeLink(deps)]])],
  ];
  return {
    /** The session that a request presents; null where it presents none that lasts. Other endpoints than the page's know no session. */
    identify: (request: Call): Identity | null => {
      const presented = isOfPage(request.path) ? presentedIn(request) : null;
      return presented === null ? null : sessions.find(presented);
    },
    /** Without a session. */
    open,
    /** All that is asked for with GET below /console, and is not the server's own, is a route of the page. */
    page,
    guarded,
  };
}

const isOfPage = (path: string): boolean => /^\/(v1|console)\//.test(path);

const OWN: ReadonlySet<string> = new Set(["/console/session", EVENTS_PATH]);

const isBelow = (path: string): boolean => /^\/console(\/(?!assets\/).*)?$/.test(path);

const onGet =
  (handler: Handler): Handler =>
  (request, response, next) => {
    const { method, path } = request;
    if ((method !== "GET" && method !== "HEAD") || OWN.has(path) || !isBelow(path)) return next();
    response.locals.route = "/console";
    return handler(request, response, next);
  };
