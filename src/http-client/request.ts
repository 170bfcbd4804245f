// Sends one request over HTTP, for every caller in orch: redirects are not followed, because they would carry a token away; one
// deadline covers everything from the connection to the last byte; the answer has a bounded size; a fault says whether the
// request was sent at all. Each request has a new connection: a used one may have been closed meanwhile, and no one knows whether
// the request arrived. It depends on Node only, so that it fits into the flow's script.
import {
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type Socket } from "node:net";

export type HttpRequest = {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** From now to the last byte of the answer. */
  readonly limit_ms?: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the answer's body. */
  readonly max_bytes: number;
  /** Asked about a connection over plain http before anything is sent; a sentence is the fault. */
  readonly verify?: ((socket: Socket) => Promise<string | null>) | undefined;
};

export type OpenResponse = {
  readonly ok: true;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read once, or closed. Throws an HttpFaultError; leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly close: () => void;
};
export type TextResponse = Pick<OpenResponse, "ok" | "status" | "headers"> & { readonly text: string };
export type NoResponse = { readonly ok: false; readonly fault: HttpFault };

/** A wait longer than this cannot be expressed as a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Sends the request and reads the whole answer as text. Never rejects. */
export async function sendRequest(asked: HttpRequest): Promise<TextResponse | NoResponse> {
  const response = await openRequest(asked);
  if (!response.ok) return response;
  try {
    const { ok, status, headers } = response;
    return { ok, status, headers, text: await textOf(response.body) };
  } catch (error) {
    if (error instanceof HttpFaultError) return { ok: false, fault: error.fault };
    throw error;
  }
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Sends the request and leaves the answer's body to be read. Never rejects. */
export function openRequest(asked: HttpRequest): Promise<OpenResponse | NoResponse> {
  const { method, url, headers = {}, body = "", max_bytes } = asked;
  const limits = limitsOf(asked);
  let isSent = false;
  const faultOf = (error: unknown): HttpFault =>
    limits.end() === null ? networkFault(error, isSent) : limits.fault(isSent);
  const { promise, resolve } = Promise.withResolvers<OpenResponse | NoResponse>();
  const fail = (error: unknown) => {
    const fault = faultOf(error);
    limits.release();
    resolve({ ok: false, fault });
  };
  const length = method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  const all = { "accept-encoding": "identity", connection: "close", ...length, ...headers };
  try {
    const start = url.startsWith("https:") ? requestHttps : requestHttp;
    const verified = asked.verify && !url.startsWith("https:") && verifiedBy(asked.verify, limits.signal);
    const options = { method, headers: all, signal: limits.signal };
    const request = start(url, { ...options, ...(verified ? { createConnection: verified } : { agent: false }) });
    request.on("socket", (socket) => {
      // A runtime that does not say when it has connected is taken to have sent the request.
      if (!socket.connecting) isSent = true;
      else socket.once(url.startsWith("https:") ? "secureConnect" : "connect", () => (isSent = true));
    });
    request.on("error", fail);
    request.on("response", (response: IncomingMessage) => {
      const close = () => {
        limits.release();
        response.destroy();
      };
      const read = () => boundedBody(response, max_bytes, faultOf, close);
      const { statusCode: status = 0, headers } = response;
      resolve({ ok: true, status, headers, body: { [Symbol.asyncIterator]: read }, close });
    });
    request.end(body);
  } catch (error) {
    fail(error);
  }
  return promise;
}

type Give = (error: Error | null, socket: Socket) => void;

/** Makes the connection of a request, and gives it away once it is verified. */
const verifiedBy =
  (verify: NonNullable<HttpRequest["verify"]>, signal: AbortSignal) =>
  ({ host, port }: ClientRequestArgs, give: Give): undefined => {
    const socket = connect({ host: host ?? "", port: Number(port), signal });
    const fail = (error: Error) => give(error, socket);
    socket.once("error", fail);
    socket.once("connect", async () => {
      const fault = await verify(socket);
      socket.off("error", fail);
      if (fault === null && !socket.destroyed) return give(null, socket);
      socket.on("error", () => undefined);
      socket.destroy();
      fail(new Error(fault ?? "the connection was closed"));
    });
  };

async function* boundedBody(
  response: IncomingMessage,
  max_bytes: number,
  faultOf: (error: unknown) => HttpFault,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of response) {
      size += chunk.length;
      if (size > max_bytes) {
        const message = `the answer has more than ${max_bytes} bytes`;
        throw new HttpFaultError({ code: "too_large", message, system_code: "", sent: true });
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof HttpFaultError ? error : new HttpFaultError(faultOf(error));
  } finally {
    close();
  }
}

/** What ends a request early: its deadline or the caller's signal, whichever comes first. */
function limitsOf({ limit_ms = LONGEST_MS, signal }: HttpRequest) {
  const ending = new AbortController();
  let end: Extract<HttpFaultCode, "timed_out" | "aborted"> | null = null;
  const finish = (how: typeof end) => {
    end ??= how;
    ending.abort();
  };
  const stop = () => finish("aborted");
  const timer = setTimeout(() => finish("timed_out"), Math.min(limit_ms, LONGEST_MS));
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  return {
    signal: ending.signal,
    end: () => end,
    fault: (sent: boolean): HttpFault => {
      const message = end === "aborted" ? "it was stopped" : `there was no answer within ${limit_ms / 1000} s`;
      return { code: end ?? "aborted", message, system_code: "", sent };
    },
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}

/** `unreachable`: looking up, connecting or agreeing on keys failed. `lost`: the connection broke afterwards. */
type HttpFaultCode = "unreachable" | "lost" | "too_large" | "timed_out" | "aborted";

/**
 * Why a request over HTTP has no answer: a closed set of codes, a message that names the cause, and whether the request may have
 * arrived all the same.
 */
export type HttpFault = {
  readonly code: HttpFaultCode;
  readonly message: string;
  /** Of the operating system, TLS or the HTTP parser, for example ECONNREFUSED; empty where there is none. */
  readonly system_code: string;
  /** False when nothing of the request has left: it was certainly not executed. */
  readonly sent: boolean;
};

/** Thrown where an answer is read piece by piece. */
export class HttpFaultError extends Error {
  readonly fault: HttpFault;
  constructor(fault: HttpFault) {
    super(fault.message);
    this.name = "HttpFaultError";
    this.fault = fault;
  }
}

export const REDIRECTED = "the server answers with a redirect, which is not followed: it would carry the token away";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** Errors that come before the first byte of a request has left. */
const BEFORE_SENDING = /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|ERR_INVALID_\w+)$/;
const CONNECTING: readonly unknown[] = ["connect", "getaddrinfo"];

/** `error` is what node:http reports; `is_connected` is false when it has never reported a connection. */
function networkFault(error: unknown, is_connected: boolean): HttpFault {
  const { code: system_code = "", syscall, message } = rootOf(error);
  const sent = is_connected && !BEFORE_SENDING.test(system_code) && !CONNECTING.includes(syscall);
  const is_hung_up = system_code === "ECONNRESET" && syscall === undefined;
  const cause = is_hung_up ? "other side closed the connection" : message;
  return {
    code: sent ? "lost" : "unreachable",
    message: cause.includes(system_code) ? cause : `${system_code} ${cause}`,
    system_code,
    sent,
  };
}

/** A name with several addresses has one error for each of them: the first is enough. */
function rootOf(error: unknown): NodeJS.ErrnoException {
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}
