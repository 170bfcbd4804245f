// Why a request over HTTP did not come through, in words that name the cause (never only "fetch failed"), and whether it
// may have arrived all the same.

export type NetworkFault = {
  readonly message: string;
  /** False when it certainly never left: looking up, connecting or agreeing on keys has failed. */
  readonly sent: boolean;
  readonly is_redirect: boolean;
};

/** Errors that come before the first byte of a request has left. */
const BEFORE_SENDING = /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;
const CONNECTING: readonly unknown[] = ["connect", "getaddrinfo"];

/** `error` is what fetch of undici rejects with. */
export function networkFault(error: TypeError): NetworkFault {
  const cause = rootOf(error);
  if (cause.message === "bad port") {
    const message = "its URL has a port that HTTP clients refuse, that of another protocol";
    return { message, sent: false, is_redirect: false };
  }
  if (/redirect/.test(cause.message)) {
    const message = "the server answers with a redirect, which is not followed: it would carry the token away";
    return { message, sent: true, is_redirect: true };
  }
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const message = cause.message.includes(code) ? cause.message : `${code} ${cause.message}`;
  const isBefore = BEFORE_SENDING.test(code) || ("syscall" in cause && CONNECTING.includes(cause.syscall));
  return { message, sent: !isBefore, is_redirect: false };
}

/** A name with several addresses has one error for each of them: the first tells enough. */
function rootOf(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0]);
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
