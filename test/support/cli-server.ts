// A small HTTP server that answers as a test says, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};
export type Reply = {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

export type LittleServer = { readonly url: string; readonly asked: Asked[] } & AsyncDisposable;

export async function littleServer(answer: (asked: Asked) => Reply | "hang up"): Promise<LittleServer> {
  const asked: Asked[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: await text(request) };
    asked.push(one);
    const reply = answer(one);
    if (reply === "hang up") return void request.socket.destroy();
    const { status = 200, type = "application/json", body = {}, headers: more = {} } = reply;
    response.writeHead(status, { "content-type": type, ...more });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: close };
}

/** A problem document as orch sends it. */
export const problem = (status: number, code: string, detail: string, more: object = {}): Reply => ({
  status,
  type: "application/problem+json",
  body: { type: `urn:orch:error:${code}`, title: "t", status, detail, code, request_id: "r-1", ...more },
});

/** An address on which something listened a moment ago. */
export async function deadUrl(): Promise<string> {
  await using server = await littleServer(() => ({}));
  return server.url;
}
