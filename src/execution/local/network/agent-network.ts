// A network of its own for the commands of one agent's run, with nothing in it but its loopback. orch listens there, on the port of
// its proxy and on those ports of this machine that the contract names; so the way out has no file, no port and no process that
// anything else could reach (D-255).
import type { Socket } from "node:net";
import type { NetworkEntry } from "../containment/containment.ts";
import { listenIn, makeNetworkNamespace } from "./network-namespace.ts";
import type { ProxyServer } from "./proxy.ts";

/** As in the world outside, a port that the programs which know proxies know. */
const PROXY_PORT = 3128;
/** So that no command uses up what orch needs for itself. */
const MAX_CONNECTIONS = 128;

export type AgentNetwork = {
  readonly entry: NetworkEntry;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => void;
};

let networks = 0;

/** `ports` of this machine are reached by the same port inside. */
export async function openAgentNetwork(
  proxy: ProxyServer,
  ports: readonly number[],
): Promise<AgentNetwork | { readonly fault: string }> {
  const space = await makeNetworkNamespace();
  if ("fault" in space) return space;
  const { enter, leave } = space;
  const listening = await listenIn(enter, [...new Set([PROXY_PORT, ...ports])]);
  const sockets = new Set<Socket>();
  const close = () => {
    for (const { server } of listening.servers) server.close();
    for (const socket of sockets) socket.destroy();
    void leave();
  };
  if (listening.fault !== null) {
    close();
    return { fault: `nothing can listen in a network of its own: ${listening.fault}` };
  }
  for (const { server, port } of listening.servers) {
    // A program that has sent its request may close its side, and reads on.
    Object.assign(server, { maxConnections: MAX_CONNECTIONS, allowHalfOpen: true });
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      if (port === PROXY_PORT) proxy.serve(socket);
      else proxy.forward(socket, port);
    });
    server.unref();
  }
  return { entry: { id: ++networks, enter }, env: ENV, close };
}

const VIA = `http://127.0.0.1:${PROXY_PORT}`;
const HERE = "localhost,127.0.0.1,::1";

/** Programs differ in the case that they read. */
const inBothCases = (names: readonly string[], value: string): [string, string][] =>
  names.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, value]);

const ENV: AgentNetwork["env"] = Object.fromEntries([
  ...inBothCases(["http_proxy", "https_proxy", "all_proxy"], VIA),
  ...inBothCases(["no_proxy"], HERE),
  // Without it Node reads none of them.
  ["NODE_USE_ENV_PROXY", "1"],
]);
