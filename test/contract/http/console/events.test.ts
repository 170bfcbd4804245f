// The events of the console: what a page hears of the changes of a real engine, and that it misses no message (D-339).
import { afterEach, describe, expect, test } from "vitest";
import { createConsoleEvents } from "../../../../src/api/http/console/events.ts";
import { readEvents } from "../../../../src/http-client/event-stream.ts";
import { logIn, postJson } from "../../../support/console.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { bearer, startHttp } from "../../../support/http-endpoint.ts";

const server = { name: "nas", version: "0.0.0" };
const engine = held(await openEngine());
const endpoint = held(
  await startHttp({
    operations: engine.operations,
    endpoints: [createConsoleEvents({ ...engine, server })],
    console: { name: "nas", directory: "/nonexistent", trusted_proxies: [] },
  }),
);
const open = new Set<AbortController>();
afterEach(() => {
  for (const one of open) one.abort();
});

type Heard = { readonly event: string; readonly id: string | undefined; readonly data: ReturnType<typeof JSON.parse> };

/** Everything that has arrived so far; the connection stays open. */
async function listen(headers: Record<string, string> = bearer()) {
  const abort = new AbortController();
  open.add(abort);
  const response = await fetch(`${endpoint.url}/console/events`, { headers, signal: abort.signal });
  const events: Heard[] = [];
  const read = async () => {
    for await (const { event = "message", id, data } of readEvents(response.body ?? new ReadableStream()))
      events.push({ event, id, data: JSON.parse(data) });
  };
  let isOver = false;
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  const named = (name: string) => events.filter(({ event }) => event === name);
  return { response, events, named, ended, isOver: () => isOver, close: () => abort.abort() };
}

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000 });
const lastCursor = async () => (await engine.call("list_messages", { limit: 500 })).messages.at(-1)?.cursor ?? 0;

describe("a page that listens", () => {
  test("begins at the last message, and hears each change of a task with the message that follows", async () => {
    await engine.run("before");
    const from = await lastCursor();
    const { events, named } = await listen();
    await until(() => events.length).toBe(1);
    expect(events[0]).toEqual({ event: "ready", id: String(from), data: { server } });
    await engine.run("first");
    await until(() => named("report").length).toBe(1);
    const statuses = named("task").map(({ data }) => data);
    expect(statuses.every(({ task_id }) => task_id === "first")).toBe(true);
    expect(statuses.map(({ status }) => status)).toEqual(["accepted", "running", "need_input"]);
    const [message] = (await engine.call("list_messages", { after: from })).messages;
    expect(named("report")).toEqual([{ event: "report", id: String(message.cursor), data: message }]);
  });

  test("hears of versions, their approvals, schedules and freezes by their names only", async () => {
    const { events, named } = await listen();
    await until(() => events.length).toBe(1);
    const { sop, approval_id } = await engine.call("teach", {
      intent: "deploy",
      target: { service: "feed" },
      steps: [{ kind: "check", value: "test -e done" }],
    });
    await until(() => named("approval").length).toBeGreaterThan(0);
    expect(named("sop").map(({ data }) => data)).toContainEqual({ sop_id: sop.sop_id });
    await engine.call("approve", { approval_id, decision: "reject" });
    await until(() => named("approval").at(-1)?.data).toEqual({ approval_id, status: "rejected" });
    await engine.call("freeze", { intent: "restart", reason: "a look" });
    await engine.call("thaw", { all: true });
    await until(() => named("freeze").length).toBe(2);
    expect(JSON.stringify(events.filter(({ event }) => event !== "report"))).not.toContain("a look");
  });

  test("comes back with the id of its last message, and gets those between once, in their order", async () => {
    const first = await listen();
    await until(() => first.events.length).toBe(1);
    const from = first.events[0]?.id ?? "";
    await engine.run("missed-1");
    await until(() => first.named("report").length).toBe(1);
    first.close();
    await first.ended;
    await engine.run("missed-2");
    const second = await listen({ ...bearer(), "last-event-id": from });
    const running = engine.run("missed-3");
    await running;
    await until(() => second.named("report").length).toBe(3);
    const { messages } = await engine.call("list_messages", { after: Number(from) });
    expect(second.named("report").map(({ data }) => data)).toEqual(messages);
    expect(second.named("report").map(({ id }) => Number(id))).toEqual(messages.map(({ cursor }: never) => cursor));
    expect(second.events[0]).toMatchObject({ event: "ready", id: from });
  });

  test("that knows another database hears that everything is to be read anew", async () => {
    const { events } = await listen({ ...bearer(), "last-event-id": "999999999" });
    await until(() => events.length).toBe(2);
    expect(events[1]).toEqual({ event: "reset", id: String(await lastCursor()), data: {} });
  });

  test("with a session stops with it", async () => {
    const { headers } = await logIn(endpoint.url);
    const page = await listen(headers);
    await until(() => page.events.length).toBe(1);
    await postJson(`${endpoint.url}/console/logout`, {}, headers);
    await until(page.isOver).toBe(true);
    expect((await listen(headers)).response.status).toBe(401);
  });
});

test("a position that is none is named where it was given", async () => {
  const { response } = await listen({ ...bearer(), "last-event-id": "x" });
  expect(response.status).toBe(400);
});
