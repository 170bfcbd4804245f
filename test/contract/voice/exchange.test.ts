// One request: its limits, and the faults that it reports.
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "../../../voice/exchange.ts";

const TIMEOUT_MS = 400;

async function listening(server: ReturnType<typeof createServer>) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const http = (listener: RequestListener) => listening(createHttpServer(listener));
const ask = (url: string) => exchange({ method: "POST", url, headers: {}, body: "x", timeout_ms: TIMEOUT_MS });

test("a failure before the connection exists is unreachable: nothing was sent", async () => {
  await using reset = await listening(createServer((socket) => socket.on("error", () => undefined).resetAndDestroy()));
  await using silent = await listening(createServer(() => undefined));
  for (const { port } of [reset, silent]) {
    expect(await ask(`https://127.0.0.1:${port}/`)).toMatchObject({ fault: "unreachable" });
  }
});

test("a failure after the request was sent is broken: the server may have received it", async () => {
  await using reset = await http((request) => request.socket.resetAndDestroy());
  await using garbage = await listening(createServer((socket) => void socket.write("garbage\r\n\r\n")));
  for (const { port } of [reset, garbage]) {
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({
      fault: "broken",
      cause: expect.stringMatching(/\w/),
    });
  }
});

test("the time limit is for the whole exchange", async () => {
  await using silent = await http(() => undefined);
  await using dripping = await http((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("."), 20);
    response.once("close", () => clearInterval(drip));
  });
  for (const { port } of [silent, dripping]) {
    expect(await ask(`http://127.0.0.1:${port}/`)).toEqual({ fault: "timeout", cause: "no answer in time" });
  }
});

test("at most 256 KiB of a response are read, and the connection is closed", async () => {
  await using endless = await http((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.writeHead(200).on("drain", more);
    more();
  });
  const answer = await ask(`http://127.0.0.1:${endless.port}/`);
  expect("text" in answer && answer.text.length).toBe(256 * 1024);
  await expect.poll(() => [...endless.sockets].every(({ destroyed }) => destroyed)).toBe(true);
});
