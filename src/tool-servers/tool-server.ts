// One tool server: which way of talking it understands is found out with the first request and kept until something goes
// wrong. A call goes out once; only what was refused before any tool ran is sent again, in another way.
import type { Endpoint } from "./endpoint.ts";
import { createLoneRequests } from "./lone-requests.ts";
import { type Bounds, type Dialect, type Method, type Reply, UNSUPPORTED_REVISION } from "./reply.ts";
import { openSession } from "./session.ts";

type Params = Readonly<Record<string, unknown>>;
type Opening = { readonly dialect: Dialect } | { readonly fault: Reply };

export type ToolServer = {
  /** Never rejects. */
  request(method: Method, params: Params, bounds: Bounds): Promise<Reply>;
  close(): Promise<void>;
};

export function createToolServer(endpoint: Endpoint): ToolServer {
  let known: Dialect | null = null;
  let opening: Promise<Opening> | null = null;

  const keep = (dialect: Dialect): Dialect => {
    known = dialect;
    return dialect;
  };

  const drop = (dialect: Dialect): void => {
    if (known !== dialect) return;
    known = null;
    void dialect.close();
  };

  /** Callers at the same time share one handshake; if it belongs to a caller that is stopped, the next one begins anew. */
  const open = async (bounds: Bounds): Promise<Opening> => {
    if (known !== null) return { dialect: known };
    opening ??= handshake(endpoint, bounds).finally(() => {
      opening = null;
    });
    const opened = await opening;
    if ("dialect" in opened) return { dialect: keep(opened.dialect) };
    return opened.fault.is === "stopped" && !bounds.signal.aborted ? open(bounds) : opened;
  };

  const request = async (method: Method, params: Params, bounds: Bounds, mayRenew = known !== null): Promise<Reply> => {
    const opened = await open(bounds);
    if ("fault" in opened) return opened.fault;
    const { dialect } = opened;
    const reply = await dialect.request(method, params, bounds);
    if (needsModern(reply) && known === dialect) {
      keep(createLoneRequests(endpoint, "modern"));
      return request(method, params, bounds, false);
    }
    if (isForgotten(dialect, reply)) {
      drop(dialect);
      return mayRenew ? request(method, params, bounds, false) : reply;
    }
    if (reply.is !== "result" && reply.is !== "rpc_error") drop(dialect);
    return reply;
  };

  return {
    request: (method, params, bounds) => request(method, params, bounds),
    close: async () => {
      await known?.close();
      known = null;
    },
  };
}

async function handshake(endpoint: Endpoint, bounds: Bounds): Promise<Opening> {
  const opened = await openSession(endpoint, bounds);
  if ("session" in opened) return { dialect: opened.session };
  if (!mayUnderstandLess(opened.fault)) return opened;
  return { dialect: createLoneRequests(endpoint, needsModern(opened.fault) ? "modern" : "bare") };
}

const needsModern = (reply: Reply): boolean => reply.is === "rpc_error" && reply.code === UNSUPPORTED_REVISION;

/** A server that refuses the handshake, and not us, may be one that knows only the call itself. */
function mayUnderstandLess(fault: Reply): boolean {
  if (fault.is === "http_error") return ![401, 403, 429].includes(fault.status) && fault.status < 500;
  return fault.is === "rpc_error" || fault.is === "foreign";
}

/** The server does not know the session any more, for example after it was started anew: it has run nothing. */
function isForgotten({ in_session }: Dialect, reply: Reply): boolean {
  if (!in_session || reply.is !== "http_error") return false;
  return reply.status === 404 || (reply.status === 400 && /session|initialized/i.test(reply.body));
}
