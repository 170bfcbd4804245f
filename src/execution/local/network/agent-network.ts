// Makes a network for the commands of one agent's run, with nothing in it but its loopback. orch listens there, on the port of
// its proxy and on those ports of this machine that the contract names; so the way out has no file, no port and no process that
// anything else could reach (D-255).
import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";
import { Server, type Socket } from "node:net";
import { z } from "zod";
import { BASH, entering, filesOf, programIn, unsharing } from "../../sandbox/programs.ts";
import type { NetworkEntry } from "../../sandbox/sandbox.ts";
import type { ProxyServer } from "./proxy.ts";

const PREPARE = programIn(import.meta.dirname, "network.sh");
const LISTEN = programIn(import.meta.dirname, "listen.cjs");

const START_MS = 10_000;

type Namespace = { readonly enter: readonly string[]; readonly leave: () => Promise<void> };

async function makeNetworkNamespace(): Promise<Namespace | { readonly fault: string }> {
  const [program = "", ...args] = [...unsharing(["net"], "itself"), ...BASH, PREPARE];
  const child = spawn(program, args, { cwd: "/", env: {}, stdio: ["pipe", "pipe", "pipe"], detached: true });
  const said = keepBeginning(child.stderr);
  child.stdin.on("error", () => undefined);
  const files: FileHandle[] = [];
  const leave = async () => void (await Promise.all(files.map((file) => file.close())));
  try {
    const fault = await faultBefore(child);
    if (fault !== null) return { fault: `no network of its own can be made: ${said() || fault}` };
    const namespaces = filesOf(child.pid ?? 0, "net");
    for (const { file } of namespaces) files.push(await open(file));
    const kept = namespaces.map(({ kind }, at) => ({ kind, file: `/proc/${process.pid}/fd/${files[at]?.fd}` }));
    return { enter: entering(kept), leave };
  } catch (error) {
    await leave();
    throw error;
  } finally {
    child.stdin.end();
  }
}

type Listening = {
  readonly servers: readonly { readonly server: Server; readonly port: number }[];
  readonly fault: string | null;
};

const Handed = z.union([
  z.object({ port: z.int() }),
  z.object({ error: z.string() }),
  z.object({ done: z.literal(true) }),
]);

function listenIn([program = "", ...enter]: readonly string[], ports: readonly number[]): Promise<Listening> {
  const { promise, resolve } = Promise.withResolvers<Listening>();
  const argv = [...enter, process.execPath, "-e", LISTEN, ...ports.map(String)];
  const child = spawn(program, argv, { cwd: "/", env: {}, stdio: ["ignore", "ignore", "pipe", "ipc"], detached: true });
  const said = keepBeginning(child.stderr);
  const servers: { server: Server; port: number }[] = [];
  let fault: string | null = null;
  child.on("message", (message, server) => {
    const handed = Handed.parse(message);
    if ("done" in handed) child.disconnect();
    else if ("error" in handed) fault = handed.error;
    else if (server instanceof Server) servers.push({ server, port: handed.port });
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  child.once("error", (error) => (fault = error.message));
  child.once("close", (code) => {
    clearTimeout(timer);
    const failed = servers.length === 0 ? `it ended with ${code}` : null;
    resolve({ servers, fault: fault === null && failed === null ? null : ((said() || fault) ?? failed) });
  });
  return promise;
}

/** Null once it has written something; otherwise why it ended before. */
function faultBefore(child: ChildProcess): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const timer = setTimeout(resolve, START_MS, "it did not begin in time");
  child.stdout?.once("data", () => resolve(null));
  child.once("error", ({ message }) => resolve(message));
  child.once("close", (code) => resolve(`it ended with ${code}`));
  return promise.finally(() => clearTimeout(timer));
}

const MAX_SAID = 2_000;

/** What it has written so far, up to a limit. */
function keepBeginning(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (chunk: Buffer) => (text = (text + chunk).slice(0, MAX_SAID)));
  return () => text.trim();
}

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

/**
 * Makes a network namespace, and sockets that listen in it and are accepted here. Open files of orch keep the namespace, and no
 * process does (D-255). `ports` of this machine are reached by the same port inside.
 */
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
