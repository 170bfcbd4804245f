// Serves the console on the server that is there: its page, which is src/console, with the assets and what a browser may do on
// it, and the routes of its login and its events.
import { randomBytes } from "node:crypto";
import type { Clock } from "../../../ports.ts";
import { createSessions, presentedIn, type RefuseLogin } from "../caller.ts";
import type { Call, Handler, Identity, Reply, Token } from "../context.ts";
import { problem, sendProblem } from "../problem.ts";
import { type Asset, type BuiltFiles, builtFiles } from "./built-files.ts";
import { createLinks, createTransport, login, logout, makeLink, showSession, stepUp } from "./login.ts";

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

type Files = () => Promise<BuiltFiles | null>;

const NONCE = "__NONCE__";

const MISSING =
  "<!doctype html><title>orch</title><p>The console has not been built. Run <code>npm ci</code>, without <code>--omit=dev</code>, in the directory of orch, and load this page again.</p>\n";

/**
 * GET /console and what is below it: the page, whose routes are its own, and its assets. They are the same for all, so they need
 * no session; what the page shows does. The routes of the page are its own: each gets the same page.
 */
const servePage =
  (files: Files): Handler =>
  async (_request, response) => {
    const nonce = randomBytes(16).toString("base64");
    response.set(pageHeaders(nonce)).type("text/html; charset=utf-8");
    const built = await files();
    if (built === null) return void response.status(503).send(MISSING);
    response.send(built.page.replaceAll(NONCE, nonce));
  };

const YEAR_SECONDS = 31_536_000;

const serveAsset =
  (files: Files): Handler =>
  async (request, response) => {
    const { params, headers } = request;
    const asset = (await files())?.assets.get(String(params["file"]));
    if (asset === undefined) return sendProblem(response, problem("route_not_found", "The console has no such file."));
    const cached = asset.is_hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache";
    response.set({
      ...pageHeaders(null),
      "Cache-Control": cached,
      ETag: asset.tag,
      Vary: "Accept-Encoding",
      "Content-Type": asset.type,
    });
    if (headers["if-none-match"]?.includes(asset.tag) === true) return void response.status(304).end();
    send(response, asset, request.acceptsEncodings("gzip") === "gzip");
  };

function send(response: Reply, { body, gzip }: Asset, takes_gzip: boolean): void {
  const sent = takes_gzip && gzip !== null ? gzip : body;
  if (sent === gzip) response.set("Content-Encoding", "gzip");
  response.set("Content-Length", String(sent.length)).end(sent);
}

/**
 * What a browser may do on a page of the console: nothing from elsewhere, no inline script, no frame around it. Without a nonce
 * for what is no page.
 */
const pageHeaders = (nonce: string | null): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === null ? "" : ` 'nonce-${nonce}'`}`,
    "connect-src 'self'",
    // The icon with the count is drawn by the page.
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
});
