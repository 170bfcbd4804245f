// How the bridge on stdin listens to a server for changes of the list of tools, over connections that end.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { forwardToolChanges } from "../../../src/api/mcp/stdio.ts";

const LIST_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const EVENT = `data: ${JSON.stringify(LIST_CHANGED)}\n\n`;

async function listening(...answers: ((response: ServerResponse) => void)[]) {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization, request.headers["mcp-protocol-version"]]);
    answers[seen.length - 1]?.(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const heard: unknown[] = [];
  const hear = async (message: unknown) => void heard.push(message);
  const gone = new AbortController();
  const over = forwardToolChanges({ url, token: "t", version: "2025-11-25", signal: gone.signal, hear });
  return { seen, heard, over, gone, [Symbol.dispose]: () => server.closeAllConnections() ?? server.close() };
}

const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

test("a change is passed on, a connection that was lost counts as one, and a refusal ends it", async () => {
  using it = await listening(
    (response) => stream(response).end(`:\n\nretry: 1000\n\n${EVENT}${EVENT}`),
    (response) => response.writeHead(503).end(),
    (response) => stream(response).write(":\n\n", () => response.destroy()),
    (response) => response.writeHead(405).end(),
  );
  await it.over;
  expect(it.heard).toEqual([LIST_CHANGED, LIST_CHANGED, LIST_CHANGED]);
  expect(it.seen).toEqual(Array(4).fill(["GET", "/mcp", "Bearer t", "2025-11-25"]));
});

test("a client that ends is listened for no longer", async () => {
  using it = await listening((response) => stream(response).write(EVENT));
  await expect.poll(() => it.heard.length).toBe(1);
  it.gone.abort();
  await it.over;
  expect(it.seen).toHaveLength(1);
});
