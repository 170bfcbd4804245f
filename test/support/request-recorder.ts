// A server on loopback that keeps every request the way it came and answers as a test defines: two clients pointed at it can
// be compared request by request.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `url` is raw, path and query as they were sent; `body` is "" where there was none. */
export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** `type` is the content type; none is sent without it. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
};

export const json = (value: unknown, status = 200): Answer => ({
  status,
  type: "application/json",
  body: JSON.stringify(value),
});
export const text = (body: string, status = 200): Answer => ({ status, type: "text/plain", body });
export const html = (body: string, status = 200): Answer => ({ status, type: "text/html", body });
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: "",
  headers,
});

export type RequestRecorder = AsyncDisposable & {
  readonly url: string;
  readonly received: readonly Received[];
};

/** Disposing of it closes its connections. */
export async function startRequestRecorder(answer: (received: Received) => Answer): Promise<RequestRecorder> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = { ...envelopeOf(request), body: await readBody(request) };
    received.push(one);
    sendAnswer(response, answer(one));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export const envelopeOf = ({ method = "", url = "", headers }: IncomingMessage): Omit<Received, "body"> => ({
  method,
  url,
  headers,
});

/** "" when the client goes away in the middle: what is half a request is none. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part);
  } catch {
    return "";
  }
  return Buffer.concat(parts).toString("utf8");
}

export function sendAnswer(response: ServerResponse, { status, type, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, ...(type === undefined ? {} : { "content-type": type }) });
  response.end(body);
}
