// One tool server: which way of talking it understands is found out with the first request and kept until something goes
// wrong. A call goes out once; only what was refused before any tool could run is sent again, in another way.
import type { Endpoint } from "./endpoint.ts";
import { isForgottenSession } from "./forgotten-session.ts";
import { createLoneRequests } from "./lone-requests.ts";
import { type Bounds, type Dialect, type Method, type Reply, timedOut } from "./reply.ts";
import { rpcErrorIn } from "./rpc-error.ts";
import { openSession } from "./session.ts";
import { within } from "./within.ts";

type Params = Readonly<Record<string, unknown>>;
type Opening = { readonly dialect: Dialect } | { readonly fault: Reply };

export type ToolServer = {
  /** Never rejects. */
  request(method: Method, params: Params, bounds: Bounds): Promise<Reply>;
  close(): Promise<void>;
};

/** `until` is when all of it must be over: the handshake, what was refused, and the answer. */
type Asked = { readonly method: Method; readonly params: Params; readonly until: number; readonly bounds: Bounds };

const left = ({ until, bounds: { signal } }: Asked): Bounds => ({
  signal,
  limit_ms: Math.max(1, Math.round(until - performance.now())),
});

const HANDSHAKE_MS = 10_000;

export function createToolServer(endpoint: Endpoint): ToolServer {
  const closing = new AbortController();
  let known: Dialect | null = null;
  /** Whether something that does not speak the protocol stands before the server: then a call does not get to it. */
  let isShut = false;
  let opening: Promise<Opening> | null = null;

  const drop = (dialect: Dialect): void => {
    if (known !== dialect) return;
    known = null;
    void dialect.close();
  };

  const open = async (): Promise<Opening> => {
    const opened = await openSession(endpoint, { limit_ms: HANDSHAKE_MS, signal: closing.signal });
    opening = null;
    if ("fault" in opened && !mayUnderstandLess(opened.fault)) return { fault: uncalled(opened.fault) };
    isShut = "fault" in opened && opened.fault.is === "foreign";
    const dialect = "session" in opened ? opened.session : createLoneRequests(endpoint, "bare");
    known = dialect;
    return { dialect };
  };

  /** Callers at the same time share one handshake, each for as long as it wants to wait. */
  const opened = async (bounds: Bounds): Promise<Opening> => {
    if (known !== null) return { dialect: known };
    opening ??= open();
    const end = await within(opening, bounds);
    if (end.is === "done") return end.value;
    return { fault: uncalled(end.is === "stopped" ? { is: "stopped" } : timedOut(bounds.limit_ms)) };
  };

  const request = async (asked: Asked, mayRenew: boolean): Promise<Reply> => {
    const found = await opened(left(asked));
    if ("fault" in found) return found.fault;
    const { dialect } = found;
    const reply = await dialect.request(asked.method, asked.params, left(asked));
    if (reply.is === "newer_revision" && dialect.kind === "bare") {
      if (known === dialect) known = createLoneRequests(endpoint, "modern");
      return request(asked, false);
    }
    if (reply.is === "result" || reply.is === "rpc_error") return reply;
    drop(dialect);
    if (reply.is === "foreign") return isShut ? reply : { is: "lost", message: reply.message };
    if (reply.is !== "http_error" || dialect.kind !== "session") return reply;
    if (isForgottenSession(reply.status, reply.body) && mayRenew) return request(asked, false);
    return asRpcError(reply);
  };

  return {
    request: async (method, params, bounds) => {
      if (bounds.signal.aborted) return uncalled({ is: "stopped" });
      const until = performance.now() + bounds.limit_ms;
      // Only a session that was there before can have been forgotten.
      const reply = await request({ method, params, until, bounds }, known !== null);
      return reply.is === "timed_out" ? timedOut(bounds.limit_ms) : reply;
    },
    close: async () => {
      closing.abort();
      await known?.close();
      known = null;
    },
  };
}

/** An error with our own id comes from behind the protocol, whatever the status says. */
function asRpcError(reply: Extract<Reply, { is: "http_error" }>): Reply {
  const error = rpcErrorIn(reply.body);
  return error?.has_id === true ? { is: "rpc_error", code: error.code, message: error.message } : reply;
}

/** A server that refuses the handshake, and not us, may be one that knows only the call itself. */
function mayUnderstandLess(fault: Reply): boolean {
  if (fault.is === "http_error") return ![401, 403, 429].includes(fault.status) && fault.status < 500;
  return fault.is === "rpc_error" || fault.is === "foreign";
}

/** Whatever was wrong with the handshake, nothing was called. */
function uncalled(fault: Reply): Reply {
  switch (fault.is) {
    case "http_error":
      return { is: "unreachable", message: `HTTP ${fault.status} ${fault.body}`.trimEnd() };
    case "stopped":
      return { is: "unreachable", message: "orch: stopped on request, before anything was called" };
    case "lost":
    case "timed_out":
      return { is: "unreachable", message: `no handshake: ${fault.message}` };
    default:
      return fault;
  }
}
