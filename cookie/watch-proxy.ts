// Stands beside the library's proxy by way of Node's own events of HTTP. They tell that a request to the provider failed
// and that a page was answered, without a look at any query, cookie or body; and what a browser offers is narrowed there.
import { subscribe } from "node:diagnostics_channel";
import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { codeOf } from "./explain-error.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

export type ProxyWatch = {
  /** The provider did not answer the proxy, for the first time; with the code of the error. */
  readonly unreachable: Promise<string>;
  readonly closingPageServed: Promise<void>;
};

export function watchProxy(): ProxyWatch {
  const unreachable = Promise.withResolvers<string>();
  const closingPage = Promise.withResolvers<void>();
  let failure: string | undefined;

  subscribe("http.server.request.start", (message) => {
    if (isExchange(message)) narrowEncodings(message.request.headers);
  });
  subscribe("http.client.request.error", (message) => {
    if (typeof message === "object" && message !== null && "error" in message) failure = codeOf(message.error);
  });
  subscribe("http.server.response.finish", (message) => {
    if (!isExchange(message)) return;
    if (message.request.url === "/cookie-success") closingPage.resolve();
    // Of the library's own requests that fail behind a login nothing is told here: their errors come to its callback.
    if (failure !== undefined && isProxyError(message.response)) unreachable.resolve(failure);
  });
  return { unreachable: unreachable.promise, closingPageServed: closingPage.promise };
}

const isExchange = (message: unknown): message is Exchange =>
  typeof message === "object" &&
  message !== null &&
  "request" in message &&
  message.request instanceof IncomingMessage &&
  "response" in message &&
  message.response instanceof ServerResponse;

/** Chromium offers br and zstd to 127.0.0.1. The library reads neither: the login would lead on to the real site. */
function narrowEncodings(headers: IncomingHttpHeaders): void {
  const offered = headers["accept-encoding"];
  if (typeof offered !== "string") return;
  const readable = offered.split(/\s*,\s*/).filter((encoding) => /^(gzip|deflate)\b/i.test(encoding));
  headers["accept-encoding"] = readable.join(", ") || "identity";
}

const isProxyError = (response: ServerResponse): boolean =>
  response.statusCode === 500 && response.getHeader("content-type") === "text/plain";
