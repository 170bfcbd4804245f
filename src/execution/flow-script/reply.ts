// What came of one request to a tool server (spec section 4, Outbound: tool server call).
type Fault = "foreign" | "newer_revision" | "unreachable" | "garbled" | "lost" | "timed_out" | "stopped";

/** `code` is that of the JSON-RPC error, or the status of an answer over HTTP, whose body is `message`. */
export type Reply = {
  readonly is: "result" | "rpc_error" | "http_error" | Fault;
  readonly message: string;
  readonly code: number;
  readonly result?: unknown;
};
export const reply = (is: Reply["is"], message: string, code = 0): Reply => ({ is, message, code });
export const timedOut = (limit_ms: number): Reply =>
  reply("timed_out", `there was no answer within ${limit_ms / 1000} s`);

export type Bounds = { readonly limit_ms: number; readonly abort: AbortSignal };

type First<T> = { readonly is: "done"; readonly value: T } | { readonly is: "timed_out" | "stopped" };

/** What comes first: the end of the work, the time limit, or the word to stop. */
export function within<T>(work: Promise<T>, { limit_ms, abort }: Bounds): Promise<First<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<First<T>>();
  const timer = setTimeout(resolve, limit_ms, { is: "timed_out" });
  const stop = () => resolve({ is: "stopped" });
  abort.addEventListener("abort", stop);
  if (abort.aborted) stop();
  work.then((value) => resolve({ is: "done", value }), reject);
  return promise.finally(() => {
    clearTimeout(timer);
    abort.removeEventListener("abort", stop);
  });
}
