// The journal of a task as server-sent events, and what its running step writes.
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createJournalStream } from "../../../src/api/http/journal-stream.ts";
import { journalStream } from "../../../src/api/operations/shapes/journal.ts";
import type { LivePiece } from "../../../src/domain/live-output.ts";
import { readEvents } from "../../../src/http-client/event-stream.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { bearer, startHttp, TOKEN } from "../../support/http-endpoint.ts";

let watched = 0;
const engine = held(await openEngine());
const watch: Engine["live"]["watch"] = (task_id, onMore) => {
  watched += 1;
  const reader = engine.live.watch(task_id, onMore);
  return {
    ...reader,
    close: () => {
      watched -= 1;
      reader.close();
    },
  };
};
const stream = createJournalStream({ operations: engine.operations, live: { watch } });
const endpoint = held(await startHttp({ operations: engine.operations, endpoints: [stream] }));
const open = new Set<AbortController>();
afterEach(() => {
  for (const one of open) one.abort();
});

const pathOf = (task_id: string, query = "") => `/v1/tasks/${task_id}/journal/stream${query}`;

/** Everything that has arrived so far; the connection stays open. */
async function follow(task_id: string, query = "", headers: Record<string, string> = {}) {
  const abort = new AbortController();
  open.add(abort);
  const response = await fetch(endpoint.url + pathOf(task_id, query), {
    headers: { ...bearer(), ...headers },
    signal: abort.signal,
  });
  const events: { id: string | undefined; event: string | undefined; data: ReturnType<typeof JSON.parse> }[] = [];
  const read = async () => {
    for await (const { id, event, data } of readEvents(response.body ?? new ReadableStream()))
      events.push({ id, event, data: JSON.parse(data) });
  };
  const ended = read().catch(() => undefined);
  const pieces = (): LivePiece[] => events.filter(({ event }) => event === "output").map(({ data }) => data);
  return { response, events, ended, pieces, close: () => abort.abort() };
}

const CHECK = { kind: "check", value: "test -d /" };

/** A task with a step that writes two lines and waits until it is let go. */
async function runningTask(name: string) {
  await engine.run(name);
  const written = { kind: "cmd", value: `echo first; echo second >&2; until test -e ${name}.go; do sleep 0.02; done` };
  await engine.call("teach", { task_id: name, steps: [written, CHECK] });
}

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000 });

test("it is the journal, each event under its sequence number, and the status when the task has ended", async () => {
  await runningTask("plain");
  engine.letGo("plain");
  const { response, events, ended } = await follow("plain");
  await ended;
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const { events: journal } = await engine.call("read_journal", { task_id: "plain", limit: 500 });
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set([undefined, "status"]));
  const unnamed = events.filter(({ event }) => event === undefined);
  expect(unnamed.map(({ data }) => data)).toEqual(journal);
  expect(unnamed.map(({ id }) => id)).toEqual(journal.map(({ seq }: { seq: number }) => String(seq)));
  expect(events.at(-1)).toMatchObject({ event: "status", data: { status: "ok" } });
  expect(watched).toBe(0);
});

test("it goes on after Last-Event-ID, and is 204 when an ended task has no more", async () => {
  const { events, ended } = await follow("plain", "?after=1", { "last-event-id": "5" });
  await ended;
  expect(events[0]?.id).toBe("6");
  const last = String(Math.max(...events.map(({ id }) => Number(id ?? 0))));
  const ahead = await endpoint.get(pathOf("plain"), { "last-event-id": String(Number(last) + 1) });
  expect(await ahead.json()).toMatchObject({
    status: 400,
    issues: [{ path: "Last-Event-ID", message: expect.stringContaining("is larger than that of any record") }],
  });
  expect((await endpoint.get(pathOf("plain"), { "last-event-id": last })).status).toBe(204);
  const wrong = await (await endpoint.get(pathOf("plain"), { "last-event-id": "abc" })).json();
  expect(wrong).toMatchObject({ issues: [{ path: "Last-Event-ID", message: "must be a number" }] });
});

test("it has each event as a line for people where that is asked for, before the event, also after Last-Event-ID", async () => {
  const { events, ended } = await follow("plain", "?shown=people");
  await ended;
  const journal = events.filter(({ event }) => event === undefined).map(({ data }) => data);
  const shown = events.filter(({ event }) => event === "shown");
  expect(shown.map(({ data }) => data.seq)).toEqual(journal.map(({ seq }) => seq));
  expect(new Set(shown.map(({ id }) => id))).toEqual(new Set([undefined]));
  for (const [at, { event, data }] of events.entries())
    if (event === "shown") expect(events[at + 1]).toMatchObject({ event: undefined, data: { seq: data.seq } });
  for (const { data } of shown) expect(journalStream.events.shown.parse(data)).toEqual(data);
  const of = (kind: string) => shown[journal.findLastIndex((event) => event.kind === kind)]?.data;
  expect(of("task_accepted")).toMatchObject({ about: "accepted", lanes: [{ mark: "begin", lane: "queue" }] });
  expect(of("step_started")).toMatchObject({ about: "step 1", text: "check  test -d /" });
  expect(of("step_finished")).toMatchObject({
    state: "passed",
    lanes: [{ mark: "end", lane: "steps", step: 1, attempt: 1, ended: "done" }],
  });
  expect(of("reported")).toMatchObject({ about: "DONE", state: "ok" });

  const started = journal.find(({ kind }) => kind === "step_started").seq;
  const later = await follow("plain", "?shown=people", { "last-event-id": String(started - 1) });
  await later.ended;
  expect(later.events).toEqual(events.slice(2 * (started - 1)));
});

test("it has what a running step writes where that is asked for, without an id, after the start and before the end", async () => {
  await runningTask("live");
  const plain = await follow("live");
  await until(() => plain.events.at(-1)?.event).toBe("status");
  expect(watched).toBe(0);
  const { events, pieces, ended } = await follow("live", "?output=live");
  await until(() => pieces().length).toBe(2);
  expect(watched).toBe(1);
  expect(pieces()).toEqual([
    { index: 0, attempt: 1, stream: "stdout", missed_bytes: 0, text: "first\n" },
    { index: 0, attempt: 1, stream: "stderr", missed_bytes: 0, text: "second\n" },
  ]);
  engine.letGo("live");
  await ended;
  await plain.ended;
  const kinds = events.map(({ event, data }) => (event === undefined ? data.kind : event));
  const [started, first, last, finished] = [
    kinds.indexOf("step_started"),
    kinds.indexOf("output"),
    kinds.lastIndexOf("output"),
    kinds.indexOf("step_finished"),
  ];
  expect([started, first, last, finished]).toEqual([started, first, last, finished].toSorted((a, b) => a - b));
  expect(events.filter(({ event }) => event === "output").map(({ id }) => id)).toEqual([undefined, undefined]);
  expect(plain.pieces()).toEqual([]);
  const { journal } = await engine.call("get_evidence", { task_id: "live" });
  expect(JSON.stringify(journal)).not.toContain("missed_bytes");
  expect(watched).toBe(0);
});

test("it ends for a reader that leaves, and watches no longer", async () => {
  await runningTask("left");
  const { pieces, close } = await follow("left", "?output=live");
  await until(() => pieces().length).toBe(2);
  close();
  await until(() => watched).toBe(0);
  engine.letGo("left");
  await engine.outcomeOf("left");
});

test("a reader that reads nothing keeps no step waiting, and gets the last part when it reads on", async () => {
  await engine.run("slow");
  const flood =
    "for i in {1..8}; do yes 'a line of forty characters, more or less' | head -c 900000 || true; sleep 0.52; done";
  const hold = "echo last; until test -e slow.go; do sleep 0.02; done";
  await engine.call("teach", { task_id: "slow", steps: [{ kind: "cmd", value: `${flood}; ${hold}` }, CHECK] });
  const socket = connect({
    port: endpoint.port,
    host: "127.0.0.1",
    onread: { buffer: Buffer.alloc(1024), callback: () => false },
  });
  await once(socket, "connect");
  socket.write(
    `GET ${pathOf("slow", "?output=live")} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  const quick = await follow("slow", "?output=live");
  await until(() => quick.pieces().at(-1)?.text).toMatch(/last\n$/);
  const total = (pieces: readonly LivePiece[]) =>
    pieces.reduce((sum, { text, missed_bytes }) => sum + Buffer.byteLength(text) + missed_bytes, 0);
  expect(total(quick.pieces())).toBe(7_200_005);
  engine.letGo("slow");
  expect(await engine.outcomeOf("slow")).toMatchObject({ status: "ok" });
  socket.destroy();
  await until(() => watched).toBe(0);
});

test("an unknown task, a wrong field, a missing token and another method are problems", async () => {
  expect((await endpoint.get(pathOf("none"))).status).toBe(404);
  expect((await endpoint.get(pathOf("plain", "?output=all"))).status).toBe(400);
  expect((await endpoint.get(pathOf("plain", "?shown=all"))).status).toBe(400);
  expect((await endpoint.get(pathOf("plain"), { "last-event-id": "x" })).status).toBe(400);
  expect((await fetch(endpoint.url + pathOf("plain"))).status).toBe(401);
  expect((await endpoint.post(pathOf("plain"), {})).status).toBe(405);
  const head = await fetch(endpoint.url + pathOf("plain"), { method: "HEAD", headers: bearer() });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a stream ends when the server stops, and OpenAPI describes it", async () => {
  const stream = createJournalStream({ operations: engine.operations, live: engine.live });
  const other = await startHttp({ operations: engine.operations, endpoints: [stream] });
  const { paths } = (await (await other.get("/openapi.json")).json()) as { paths: Record<string, { get: object }> };
  expect(paths["/v1/tasks/{task_id}/journal/stream"]?.get).toMatchObject({
    operationId: "stream_journal",
    parameters: [
      { name: "task_id" },
      { name: "after" },
      { name: "output", required: false, schema: { enum: ["live"] } },
      { name: "shown", required: false, schema: { enum: ["people"] } },
      { name: "Last-Event-ID", in: "header", required: false },
    ],
    responses: {
      "200": { content: { "text/event-stream": { schema: { "x-events": { output: { type: "object" } } } } } },
    },
  });
  await runningTask("stopped");
  const response = await other.get(pathOf("stopped", "?output=live"));
  const text = response.text();
  await other.stop();
  expect(await text).toMatch(/^retry: 1000\n\nid: 1\ndata: /);
  engine.letGo("stopped");
  await engine.outcomeOf("stopped");
});
