// Observes the library's proxy through Node's HTTP events (D-161). They show how far a login is without reading a query, body
// or value of a cookie. The encodings that a browser offers are narrowed here too.
import { subscribe } from "node:diagnostics_channel";
import { ClientRequest, type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { codeOf } from "./explain-error.ts";
import { SITE } from "./library-options.ts";

type ProxyWatch = {
  /** Resolves when the provider did not respond to the proxy for the first time, with the code of the error. */
  readonly unreachable: Promise<string>;
  /** Whether the provider itself has set a cookie of a login. */
  readonly providerGaveLogin: () => boolean;
  /** Resolves when the library has accepted a login, for which it sends the browser to the closing page. */
  readonly loginTaken: Promise<void>;
  readonly closingPageServed: Promise<void>;
};

const CLOSING_PAGE = "/cookie-success";
/** The library registers a login at this host, to which the proxy never leads. */
const REGISTRY = `api.${SITE}`;

export function watchProxy(): ProxyWatch {
  const unreachable = Promise.withResolvers<string>();
  const loginTaken = Promise.withResolvers<void>();
  const closingPage = Promise.withResolvers<void>();
  let failure: string | undefined;
  let gaveLogin = false;
  let sentToClosingPage = false;

  subscribe("http.server.request.start", (message) => {
    narrowEncodings(part(message, "request", IncomingMessage)?.headers ?? {});
  });
  subscribe("http.client.request.start", (message) => {
    if (part(message, "request", ClientRequest)?.host === REGISTRY) loginTaken.resolve();
  });
  subscribe("http.client.response.finish", (message) => {
    const cookies = part(message, "response", IncomingMessage)?.headers["set-cookie"] ?? [];
    gaveLogin ||= cookies.some((cookie) => cookie.startsWith("at-"));
  });
  subscribe("http.client.request.error", (message) => {
    failure = codeOf(part(message, "error", Error));
  });
  subscribe("http.server.response.finish", (message) => {
    const response = part(message, "response", ServerResponse);
    if (response === undefined) return;
    sentToClosingPage ||= response.statusCode === 302 && `${response.getHeader("location")}`.endsWith(CLOSING_PAGE);
    // Anyone can fetch the page at any time, so it counts only after the redirect.
    if (sentToClosingPage && part(message, "request", IncomingMessage)?.url === CLOSING_PAGE) closingPage.resolve();
    // Failed requests of the library itself after a login are not reported here: its callback receives their errors.
    if (failure !== undefined && isProxyError(response)) unreachable.resolve(failure);
  });
  return {
    unreachable: unreachable.promise,
    providerGaveLogin: () => gaveLogin,
    loginTaken: loginTaken.promise,
    closingPageServed: closingPage.promise,
  };
}

function part<T>(message: unknown, name: string, type: abstract new (...args: never[]) => T): T | undefined {
  const value: unknown = typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined;
  return value instanceof type ? value : undefined;
}

/** Chromium offers br and zstd to 127.0.0.1. The library reads neither, and the login would lead to the real site. */
function narrowEncodings(headers: IncomingHttpHeaders): void {
  const offered = headers["accept-encoding"];
  if (typeof offered !== "string") return;
  const readable = offered.split(/\s*,\s*/).filter((encoding) => /^(gzip|deflate)\b/i.test(encoding));
  headers["accept-encoding"] = readable.join(", ") || "identity";
}

const isProxyError = (response: ServerResponse): boolean =>
  response.statusCode === 500 && response.getHeader("content-type") === "text/plain";
