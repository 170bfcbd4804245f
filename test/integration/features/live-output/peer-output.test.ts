// What steps write on another server, read from a real endpoint, and from servers that misbehave.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { LivePiece, OutputRoute } from "../../../../src/domain/live-output.ts";
import { createOutputEndpoint } from "../../../../src/features/live-output/output-endpoint.ts";
import { createPeerOutput, readPieces } from "../../../../src/features/live-output/peer-output.ts";
import { startHttp } from "../../../support/http-endpoint.ts";
import { liveSource } from "../../../support/live-source.ts";

const SECRET = "s".repeat(43);
const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of stack.splice(0).toReversed()) await end();
});

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000, interval: 20 });

/** A server of orch that runs every task. */
async function owner(server_id: string) {
  const live = liveSource();
  let asked = 0;
  const runsHere = () => {
    asked += 1;
    return true;
  };
  const http = await startHttp({ peers: createOutputEndpoint({ live, secret: SECRET, host: "127.0.0.1", runsHere }) });
  stack.push(http.stop);
  const route: OutputRoute = { server_id, name: server_id, url: http.url, secret: SECRET };
  return { ...live, ...http, route, asked: () => asked };
}

async function listening(handle: RequestListener): Promise<OutputRoute> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  stack.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server_id: "bad", name: "bad", url: `http://127.0.0.1:${port}`, secret: SECRET };
}

function peer(first: OutputRoute | null) {
  let route = first;
  let looks = 0;
  const faults: string[] = [];
  const output = createPeerOutput({
    routeOf: async () => {
      looks += 1;
      return route;
    },
    onFault: ({ server, reason }) => faults.push(`${server}: ${reason}`),
    timing: { look_ms: 30, longest_ms: 200 },
  });
  const watch = () => {
    const pieces: LivePiece[] = [];
    const reader = output.watch("t-1", () => pieces.push(...reader.read()));
    stack.push(reader.close);
    return { ...reader, pieces, text: () => pieces.map(({ text }) => text).join("") };
  };
  const moveTo = (next: OutputRoute | null) => {
    route = next;
  };
  return { output, watch, moveTo, faults, looks: () => looks };
}

test("two watchers of a task share one connection, which ends with the last of them", async () => {
  const a = await owner("a");
  const { watch, faults, looks } = peer(a.route);
  const [first, second] = [watch(), watch()];
  await until(a.watching).toBe(1);
  a.write("one\n");
  await until(() => [first.text(), second.text()]).toEqual(["one\n", "one\n"]);
  const late = watch();
  expect(late.read().map(({ text }) => text)).toEqual(["one\n"]);
  expect(a.watching()).toBe(1);
  for (const { close } of [first, second, late]) close();
  await until(a.watching).toBe(0);
  const after = looks();
  await sleep(100);
  expect([looks(), faults]).toEqual([after, []]);
});

test("a task that goes to another server is read on there, and not while no server has it", async () => {
  const [a, b] = [await owner("a"), await owner("b")];
  const { watch, moveTo } = peer(null);
  const { text } = watch();
  a.write("one\n");
  b.write("two\n");
  await sleep(80);
  expect([a.watching(), text()]).toEqual([0, ""]);
  moveTo(a.route);
  await until(text).toBe("one\n");
  moveTo(b.route);
  await until(text).toBe("one\ntwo\n");
  expect(a.watching()).toBe(0);
});

test("what is known is not shown again after a connection was lost, and what was missed is counted", async () => {
  const a = await owner("a");
  const { watch, moveTo } = peer(a.route);
  const { text, pieces } = watch();
  a.write("aé");
  await until(text).toBe("aé");
  moveTo(null);
  await until(a.watching).toBe(0);
  a.write("b");
  a.write("c", { missed_bytes: 7 });
  moveTo(a.route);
  await until(text).toBe("aébc");
  expect(pieces.map(({ missed_bytes }) => missed_bytes)).toEqual([0, 0, 7]);
});

test("a watcher that is late gets the last part, and hears how much it missed", async () => {
  const a = await owner("a");
  const { watch, output } = peer(a.route);
  const slow = output.watch("t-1", () => undefined);
  stack.push(slow.close);
  const quick = watch();
  await until(a.watching).toBe(1);
  for (let n = 0; n < 40; n += 1) {
    a.write("x".repeat(10_000));
    await until(() => quick.text().length).toBe((n + 1) * 10_000);
  }
  const late = slow.read();
  const bytes = late.reduce((sum, { text }) => sum + text.length, 0);
  expect(bytes).toBeLessThanOrEqual(64 * 1024);
  expect(bytes + (late[0]?.missed_bytes ?? 0)).toBe(400_000);
});

test("a server that cannot be read from is one fault, however many watch, and is tried again", async () => {
  let asked = 0;
  const refusing = await listening((_request, response) => {
    asked += 1;
    response.writeHead(401).end();
  });
  const { watch, faults, moveTo } = peer(refusing);
  const { text } = watch();
  watch();
  await until(() => asked).toBeGreaterThan(2);
  expect(faults).toEqual(["bad: it refuses the secret: another server answers at its address"]);
  const a = await owner("a");
  moveTo(a.route);
  a.write("one\n");
  await until(text).toBe("one\n");
});

const EVENTS = { "content-type": "text/event-stream" };
const piece = (over: object) =>
  `data: ${JSON.stringify({ index: 0, attempt: 1, stream: "stdout", missed_bytes: 0, text: "x", ...over })}\n\n`;

test.each<[string, RequestListener, RegExp]>([
  [
    "a redirect, which is not followed",
    (_request, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
    /redirect, which is not followed/,
  ],
  ["another type", (_request, response) => void response.end("hello"), /no stream of events/],
  [
    "a piece with a wrong field",
    (_request, response) => void response.writeHead(200, EVENTS).end(piece({ index: -1 })),
    /no output of a step/,
  ],
  [
    "a piece with more fields",
    (_request, response) => void response.writeHead(200, EVENTS).end(piece({ x: 1 })),
    /no output of a step/,
  ],
  ["no JSON", (_request, response) => void response.writeHead(200, EVENTS).end("data: {\n\n"), /no output of a step/],
  [
    "an event without an end",
    (_request, response) => {
      response.writeHead(200, EVENTS);
      for (let n = 0; n < 60; n += 1) response.write(`data: ${"x".repeat(10_000)}\n`);
    },
    /an event without an end/,
  ],
  ["a silence", (_request, response) => void response.writeHead(200, EVENTS).flushHeaders(), /it is silent/],
  ["a broken connection", (request) => void request.socket.destroy(), /closed the connection/],
])("%s is a fault, and ends the reading", async (_what, handle, reason) => {
  const route = await listening(handle);
  const read: LivePiece[] = [];
  const { signal } = new AbortController();
  const reading = { task_id: "t-1", onOpen: () => undefined, onPiece: (one: LivePiece) => void read.push(one) };
  const end = await readPieces(route, { ...reading, signal, silence_ms: 300 });
  expect(end?.fault).toMatch(reason);
  expect(end?.fault).not.toContain(SECRET);
  expect(read).toEqual([]);
});
