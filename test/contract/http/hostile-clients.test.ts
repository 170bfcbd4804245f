// The server disconnects clients that send slowly, send without end, do not read or stay idle, and serves others.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HttpEndpoint } from "../../../src/api/http/app.ts";
import { type RunningHttp, startHttp } from "../../support/http-endpoint.ts";
import { CLOSE, dial, expectProblem, expectServed, HEAD, posting, readAll } from "./attacker.ts";

const large: HttpEndpoint = {
  path: "/large",
  methods: ["GET"],
  handle: async (_request, response) => void response.end("x".repeat(20_000_000)),
};

let endpoint: RunningHttp;
const start = async (...options: Parameters<typeof startHttp>) => {
  endpoint = await startHttp(...options);
};
afterEach(() => endpoint.stop());

describe("a client", () => {
  beforeEach(() => start({ limits: { headers_ms: 600, request_ms: 900, silence_ms: 1_500 }, endpoints: [large] }));
  test.each([
    ["headers", `GET /v1/things/x HTTP/1.1\r\n${HEAD}X-Slow: `],
    ["body", `POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":"`],
    [
      "chunks",
      `POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
  ])("that sends its %s byte by byte is disconnected with 408", async (what, bytes) => {
    const socket = await dial(endpoint, bytes);
    const drip = setInterval(() => socket.writable && socket.write(what === "chunks" ? "1\r\n \r\n" : "x"), 50);
    const [answer] = await Promise.all([readAll(socket), expectServed(endpoint)]);
    clearInterval(drip);
    expectProblem(answer, 408);
  });

  test("that sends without end is answered 413 while it still sends", async () => {
    const socket = await dial(endpoint, posting("Transfer-Encoding: chunked\r\n", ""));
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const flood = setInterval(() => socket.writable && socket.writableLength < 1_000_000 && socket.write(chunk), 1);
    const [answer] = await Promise.all([once(socket, "data").then(String), expectServed(endpoint)]);
    clearInterval(flood);
    socket.destroy();
    expectProblem(answer, 413);
  });

  test("that does not read its response is disconnected", async () => {
    const socket = await dial(endpoint, `GET /large HTTP/1.1\r\n${HEAD}\r\n`);
    socket.pause();
    await sleep(3_500);
    await expectServed(endpoint);
    let received = 0;
    socket.on("data", (bytes: Buffer) => {
      received += bytes.length;
    });
    socket.resume();
    await once(socket, "close");
    expect(received).toBeLessThan(20_000_000);
  });

  test("that reads its response slowly gets all of it", async () => {
    const socket = await dial(endpoint, `GET /large HTTP/1.1\r\n${HEAD}${CLOSE}`);
    let received = 0;
    for await (const bytes of socket) {
      received += bytes.length;
      if (received < 5_000_000) await sleep(20);
    }
    expect(received).toBeGreaterThan(20_000_000);
  });

  test.each(["destroy", "resetAndDestroy"] as const)(
    "that disconnects (%s) in the middle of its response does not affect others",
    async (leave) => {
      for (let n = 0; n < 8; n++) {
        const socket = await dial(endpoint, `GET /large HTTP/1.1\r\n${HEAD}\r\n`);
        await once(socket, "data");
        socket[leave]();
      }
      await expectServed(endpoint);
      expect(endpoint.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
    },
  );

  test("that closes its side early in its body gets a 400 or no response, and its connection ends", async () => {
    const cut = await dial(endpoint);
    cut.end(`POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    expect(await readAll(cut)).toMatch(/^(HTTP\/1.1 400 .*)?$/s);
    await expectServed(endpoint);
  });
});

describe("a thousand connections", () => {
  test("do not keep others from being served, and those without a request get a 408", async () => {
    await start({ limits: { headers_ms: 2_000 } });
    const silent = await Promise.all(Array.from({ length: 500 }, () => dial(endpoint)));
    const talkative = await Promise.all(
      Array.from({ length: 500 }, () => dial(endpoint, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")),
    );
    await Promise.all(talkative.map((socket) => once(socket, "data")));
    await expectServed(endpoint);
    for (const answer of await Promise.all(silent.map(readAll))) expectProblem(answer, 408);
    for (const socket of talkative) socket.destroy();
    await expectServed(endpoint);
  });
});
