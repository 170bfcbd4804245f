// The outcome of one request to a tool server, in whichever dialect it was sent.
export type ToolServerReply =
  | { readonly is: "result"; readonly result: unknown }
  /** The server understood the request and refuses it. */
  | { readonly is: "rpc_error"; readonly code: number; readonly message: string }
  | {
      readonly is: "http_error";
      readonly status: number;
      readonly body: string;
      /** The server does not know the session of the request, so it called no tool. */
      readonly is_session_gone?: boolean;
    }
  /** What answers does not speak the protocol. */
  | { readonly is: "foreign"; readonly message: string }
  /** A server that knows only the newer revision refuses the form of the request. */
  | { readonly is: "newer_revision"; readonly message: string }
  /** The request did not get to the server. */
  | { readonly is: "unreachable"; readonly message: string; readonly fix?: string }
  /** The tool has answered, and the answer is over the limit. */
  | { readonly is: "too_large"; readonly message: string }
  /** The request was sent, and there is no response to it. `is_garbled`: there is one, and it cannot be read. */
  | { readonly is: "lost"; readonly message: string; readonly is_garbled?: boolean }
  | { readonly is: "timed_out"; readonly message: string }
  | { readonly is: "stopped"; readonly message: string };

export type CallLimits = { readonly limit_ms: number; readonly signal: AbortSignal };

export type ToolMethod = "tools/call" | "tools/list";

/** One way to talk to a server: in a session, or with stateless requests. `request` never rejects. */
export type Dialect = {
  readonly kind: "session" | "bare" | "modern";
  request(method: ToolMethod, params: Readonly<Record<string, unknown>>, limits: CallLimits): Promise<ToolServerReply>;
  /** A session waits for the requests that are under way. */
  close(): Promise<void>;
};

/** As much of a refusal as is worth showing, in characters. */
const HEAD = 2_000;
export const httpErrorText = ({ status, body }: Extract<ToolServerReply, { is: "http_error" }>): string =>
  `HTTP ${status} ${body.slice(0, HEAD)}`.trimEnd();

const STOPPED = "orch: stopped on request";
export const stopped = (): ToolServerReply => ({ is: "stopped", message: STOPPED });
export const stoppedBefore = (): ToolServerReply => ({
  is: "unreachable",
  message: `${STOPPED}, before anything was called`,
});

export const timedOut = (limit_ms: number): ToolServerReply => ({
  is: "timed_out",
  message: `there was no answer within ${limit_ms / 1000} s`,
});
