// The messages to the supervisor as server-sent events.
import { afterEach, expect, test } from "vitest";
import { createMessageStream } from "../../../src/api/http/journal-stream.ts";
import { readEvents } from "../../../src/http-client/event-stream.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp } from "../../support/http-endpoint.ts";

const engine = held(await openEngine());
const start = () => startHttp({ operations: engine.operations, endpoints: [createMessageStream(engine)] });
const endpoint = held(await start());
const open = new Set<AbortController>();
afterEach(() => {
  for (const one of open) one.abort();
});

const allMessages = async () => (await engine.call("list_messages", { limit: 500 })).messages;

/** Everything that has arrived so far; the connection stays open. */
async function follow(query = "", headers: Record<string, string> = {}) {
  const abort = new AbortController();
  open.add(abort);
  const init = { headers: { ...bearer(), ...headers }, signal: abort.signal };
  const response = await fetch(`${endpoint.url}/v1/events${query}`, init);
  const events: { id: string | undefined; data: ReturnType<typeof JSON.parse> }[] = [];
  const read = async () => {
    for await (const { id, data } of readEvents(response.body ?? new ReadableStream()))
      events.push({ id, data: JSON.parse(data) });
  };
  const ended = read().catch(() => undefined);
  return { response, events, ended, close: () => abort.abort() };
}

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000 });

test("it has the records of list_messages, each under its cursor: those there are, and each new one", async () => {
  await engine.run("first");
  const { response, events } = await follow();
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await until(() => events.length).toBe(1);
  await engine.call("cancel_task", { task_id: "first" });
  await engine.run("second");
  await until(() => events.length).toBe(3);
  const messages = await allMessages();
  expect(events.map(({ data }) => data)).toEqual(messages);
  expect(events.map(({ id }) => id)).toEqual(messages.map(({ cursor }: { cursor: number }) => String(cursor)));
});

test("a reader that comes back with Last-Event-ID misses nothing and gets nothing twice", async () => {
  const first = await follow();
  await until(() => first.events.length).toBe(3);
  first.close();
  await first.ended;
  await engine.run("meanwhile");
  const last = first.events.at(-1)?.id ?? "";
  const second = await follow("?after=0", { "last-event-id": last });
  await until(() => second.events.length).toBe(1);
  expect([...first.events, ...second.events].map(({ data }) => data)).toEqual(await allMessages());
  const third = await follow(`?after=${last}`);
  await until(() => third.events).toEqual(second.events);
});

test("a wrong field, a missing token and another method are problems", async () => {
  expect((await endpoint.get("/v1/events?after=x")).status).toBe(400);
  expect((await endpoint.get("/v1/events", { "last-event-id": "-1" })).status).toBe(400);
  expect((await fetch(`${endpoint.url}/v1/events`)).status).toBe(401);
  expect((await endpoint.post("/v1/events", {})).status).toBe(405);
});

test("a position after the last record is refused by name: its records would have other numbers", async () => {
  const last = (await allMessages()).at(-1).cursor;
  const [at, ahead] = [
    await endpoint.get(`/v1/events?after=${last}`),
    await endpoint.get(`/v1/events?after=${last + 1}`),
  ];
  expect([at.status, ahead.status]).toEqual([200, 400]);
  await at.body?.cancel();
  expect(await ahead.json()).toMatchObject({
    code: "input_invalid",
    issues: [{ path: "after", message: expect.stringContaining("is larger than that of any record") }],
  });
  const resumed = await endpoint.get("/v1/events", { "last-event-id": "999999" });
  expect(await resumed.json()).toMatchObject({ status: 400, issues: [{ path: "Last-Event-ID" }] });
  expect((await endpoint.get(`/v1/messages?after=${last + 1}&wait_seconds=20`)).status).toBe(400);
});

test("it ends when the server stops, and OpenAPI describes it", async () => {
  const other = await start();
  const { paths } = (await (await other.get("/openapi.json")).json()) as { paths: Record<string, { get: object }> };
  expect(paths["/v1/events"]?.get).toMatchObject({
    operationId: "stream_messages",
    parameters: [
      { name: "after", required: false },
      { name: "Last-Event-ID", in: "header", required: false },
    ],
    responses: {
      "200": {
        content: {
          "text/event-stream": { schema: { "x-events": { message: { $ref: "#/components/schemas/Message" } } } },
        },
      },
    },
  });
  const text = (await other.get("/v1/events")).text();
  await other.stop();
  expect(await text).toMatch(/^retry: 1000\n\nid: \d+\ndata: /);
});
