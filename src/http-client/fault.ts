// Why a request over HTTP has no answer: a closed set of codes, a message that names the cause, and whether the request may
// have arrived all the same.

/** `unreachable`: looking up, connecting or agreeing on keys failed. `lost`: the connection broke afterwards. */
export type HttpFaultCode = "unreachable" | "lost" | "too_large" | "timed_out" | "aborted";

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
export function networkFault(error: unknown, is_connected: boolean): HttpFault {
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
