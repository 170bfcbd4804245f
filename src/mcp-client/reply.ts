// What came of one request to a tool server, whichever way it was sent (spec section 4, Outbound: tool server call).
export type Reply =
  | { readonly is: "result"; readonly result: unknown }
  /** The server understood the request and says no. */
  | { readonly is: "rpc_error"; readonly code: number; readonly message: string }
  | { readonly is: "http_error"; readonly status: number; readonly body: string }
  /** What answers does not speak the protocol. */
  | { readonly is: "foreign"; readonly message: string }
  /** A server of the newer revision alone refuses the form of the request. */
  | { readonly is: "newer_revision"; readonly message: string }
  /** The request did not get to the server. */
  | { readonly is: "unreachable"; readonly message: string }
  /** The request went out and no answer to it can be had. */
  | { readonly is: "lost"; readonly message: string }
  | { readonly is: "timed_out"; readonly message: string }
  | { readonly is: "stopped" };

export type Bounds = { readonly limit_ms: number; readonly signal: AbortSignal };

export type Method = "tools/call" | "tools/list";

/** One way of talking to a server: in a session, or with requests that stand alone. `request` never rejects. */
export type Dialect = {
  readonly kind: "session" | "bare" | "modern";
  request(method: Method, params: Readonly<Record<string, unknown>>, bounds: Bounds): Promise<Reply>;
  /** A session lets what is under way come to its end first. */
  close(): Promise<void>;
};

/** When the caller has stopped waiting. */
export const unheard = (is: "timed_out" | "stopped", { limit_ms }: Bounds): Reply =>
  is === "stopped" ? { is } : timedOut(limit_ms);

export const timedOut = (limit_ms: number): Reply => ({
  is: "timed_out",
  message: `there was no answer within ${limit_ms / 1000} s`,
});

/** As much of what a server says as is worth showing, in characters. */
export const HEAD = 2_000;
