// The HTTP endpoint on a free port of loopback, over a small table of operations, with its log lines kept.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createHttpServer, type HttpServerDeps } from "../../src/api/http/app.ts";
import { readTokens } from "../../src/api/http/caller.ts";
import { createLog } from "../../src/log/log.ts";
import { createRedactor } from "../../src/redact/find-secrets.ts";
import { someOperations } from "./some-operations.ts";

export const TOKEN = "supervisor-token-0123456789-abcdefghij";
export const APPROVER_TOKEN = "approver-token-0123456789-abcdefghijkl";

export type RunningHttp = Awaited<ReturnType<typeof startHttp>>;

export async function startHttp(options: Partial<HttpServerDeps> & { approver?: boolean } = {}) {
  const lines: string[] = [];
  const { approver = false, ...overrides } = options;
  const approver_token = approver ? APPROVER_TOKEN : null;
  const { tokens, secrets } = await readTokens({ token: TOKEN, approver_token, data_dir: "/nonexistent" });
  const destination = { write: (line: string) => void lines.push(line) };
  const server = createHttpServer({
    operations: someOperations(),
    tokens,
    host: "127.0.0.1",
    port: 0,
    public_host: null,
    allowed_origins: [],
    version: "0.0.0",
    ready: async () => null,
    log: createLog({ level: "debug", redact: createRedactor(secrets), destination }),
    clock: () => new Date(),
    new_id: randomUUID,
    ...overrides,
  });
  const { port } = await server.start();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    lines,
    stop: server.stop,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { headers: { ...bearer(), ...headers } }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...bearer(), "content-type": "application/json", ...headers },
        body: bytesOf(body),
      }),
    /** Sends bytes as they are and returns everything that came back until the server closed the connection. */
    raw: (bytes: string) => exchange(port, bytes),
  };
}

const bytesOf = (body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
};

export const bearer = (token = TOKEN) => ({ authorization: `Bearer ${token}` });

async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  // A reset is one of the ways in which a server may hang up.
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "ECONNRESET" && error.code !== "EPIPE") throw error;
  });
  await once(socket, "connect");
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}
