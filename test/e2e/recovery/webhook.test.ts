// A webhook over kills and restarts of the real server: every message arrives, under the id that it had before, in its order.
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { serve, submit } from "./begin.ts";

const SECRET = `whsec_${Buffer.from("thirty-two bytes of a secret key").toString("base64")}`;
const PRELOAD = join(import.meta.dirname, "../../support/kill-at.ts");

let received: { id: string; thread_id: string; type: string }[] = [];
let answer: (response: ServerResponse) => void;
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { type, data } = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as {
    type: string;
    data: { thread_id: string };
  };
  received.push({ id: String(request.headers["webhook-id"]), thread_id: data.thread_id, type });
  answer(response);
});
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
});
beforeEach(async () => {
  directory = await temporaryDirectory();
  received = [];
  answer = (response) => void response.writeHead(204).end();
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
});

const start = () =>
  serve({
    data_dir: directory.path,
    preload: PRELOAD,
    env: {
      KILL_DIR: directory.path,
      ORCH_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      ORCH_WEBHOOK_SECRET: SECRET,
    },
  });

const threads = () => received.map(({ thread_id }) => thread_id);
const until = (seen: () => unknown) => expect.poll(seen, { timeout: 20_000 });
const killed = async ({ child }: OrchProcess) => child.signalCode ?? (await once(child, "exit"))[1];

test.each([
  ["between a delivery and its record", "commit:before:delivered#1", ["one", "one", "two"]],
  ["after the record of a delivery", "commit:after:delivered#1", ["one", "two"]],
])("a server that is killed %s loses no message", async (_when, point, expected) => {
  await using folder = directory;
  await using first = await start();
  writeFileSync(orderIn(folder.path), point);
  void first.post("/v1/tasks", contractBody({ task_id: "one", target: { service: "one" } })).catch(() => undefined);
  expect(await killed(first)).toBe("SIGKILL");
  expect(existsSync(orderIn(folder.path))).toBe(false);
  await using second = await start();
  await submit(second, "two");
  await until(threads).toEqual(expected);
  const ids = new Map(received.map(({ id, thread_id }) => [thread_id, id]));
  expect(new Set(received.map(({ id }) => id)).size, "the same message has the same id").toBe(ids.size);
  const { messages } = (await second.get("/v1/messages?limit=500")).body;
  expect([...ids.keys()]).toEqual(messages.map(({ thread_id }: { thread_id: string }) => thread_id));
});

test("a receiver that never answers slows no task, and the server stops at once and cleanly", async () => {
  await using folder = directory;
  answer = () => undefined;
  await using orch = await start();
  expect((await submit(orch, "one")).body.status).toBe("need_input");
  await until(threads).toEqual(["one"]);
  const begun = performance.now();
  expect((await submit(orch, "two")).body.status).toBe("need_input");
  expect(await orch.kill("SIGTERM")).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(threads()).toEqual(["one"]);
  expect(orch.output()).not.toContain(SECRET.slice("whsec_".length));
  answer = (response) => void response.writeHead(500).end();
  await using next = await start();
  await until(() => threads().length).toBeGreaterThan(2);
  answer = (response) => void response.writeHead(200).end();
  await until(() => threads().at(-1)).toBe("two");
  expect(new Set(threads())).toEqual(new Set(["one", "two"]));
  expect(next.output()).toContain("it answers with HTTP 500");
  expect(folder.path).not.toBe("");
});
