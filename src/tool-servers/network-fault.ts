// Why a request did not come through, in words that name the cause: never only "fetch failed".
import type { Reply } from "./reply.ts";

/** Errors that come before the first byte of a request has left: looking up, connecting, agreeing on keys. */
const BEFORE_SENDING = /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;
const CONNECTING: readonly unknown[] = ["connect", "getaddrinfo"];

export function networkFault(error: TypeError): Reply {
  const cause = rootOf(error);
  if (cause.message === "bad port") {
    return { is: "unreachable", message: "its URL has a port that HTTP clients refuse, that of another protocol" };
  }
  if (/redirect/.test(cause.message)) {
    return {
      is: "foreign",
      message: "the server answers with a redirect, which is not followed: it would carry the token away",
    };
  }
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const message = cause.message.includes(code) ? cause.message : `${code} ${cause.message}`;
  const isBefore = BEFORE_SENDING.test(code) || ("syscall" in cause && CONNECTING.includes(cause.syscall));
  return { is: isBefore ? "unreachable" : "lost", message };
}

/** A name with several addresses has one error for each of them: the first tells enough. */
function rootOf(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0]);
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
