// Makes a judged connection for a command of an agent, or says in a sentence why there is none. The sentence is the command's
// output, so a model reads it.
import { connect, type Socket } from "node:net";
import type { JudgeConnection } from "./judge-connection.ts";

/** A connection that was refused, for the log. */
export type RefusedConnection = { readonly host: string; readonly port: number; readonly sentence: string };

type Connected = { readonly socket: Socket } | { readonly status: 403 | 502; readonly sentence: string };

export type ConnectOut = (host: string, port: number) => Promise<Connected>;

const CONNECT_MS = 10_000;
/** As a name may be long. */
const MAX_HOST = 253;

export function createConnectOut(judge: JudgeConnection, onRefused: (refused: RefusedConnection) => void): ConnectOut {
  return async (host, port) => {
    const judged = await judge(host, port);
    if (!judged.ok) {
      const sentence = `orch refuses the connection to ${host.slice(0, MAX_HOST)}:${port}: ${judged.reason}.`;
      onRefused({ host: host.slice(0, MAX_HOST), port, sentence });
      return { status: 403, sentence };
    }
    let cause = "";
    for (const address of judged.addresses) {
      const made = await connectTo(address, port);
      if (typeof made !== "string") return { socket: made };
      cause = made;
    }
    return { status: 502, sentence: `orch could not connect to ${host}:${port} for this command: ${cause}.` };
  };
}

/** The message of the error, where there is no connection. */
function connectTo(address: string, port: number): Promise<Socket | string> {
  const { promise, resolve } = Promise.withResolvers<Socket | string>();
  const socket = connect({ host: address, port, timeout: CONNECT_MS, allowHalfOpen: true });
  const fail = (message: string) => {
    socket.destroy();
    resolve(message);
  };
  const onTimeout = () => fail(`there was no answer within ${CONNECT_MS / 1000} s`);
  const onError = (error: Error) => fail(error.message);
  socket.once("timeout", onTimeout);
  socket.once("error", onError);
  socket.once("connect", () => {
    socket.setTimeout(0);
    socket.off("timeout", onTimeout);
    socket.off("error", onError);
    resolve(socket);
  });
  return promise;
}

/** Both directions; the end of either side is passed on, and an error of either ends both. */
export function join(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}
