// The streams of a page: when they come again, what they show then, and what a tab does that hears nothing of the one that reads.
import type { QueryClient } from "@tanstack/react-query";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Journal } from "../../live/use-journal.ts";

type Answer = Response | "hangs";

/** The answers of the server in their order; the last one is given again. */
const server = { answers: [] as Answer[], asked: [] as AbortSignal[] };

vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
/** Every tab hears what another one says, at once. */
const tabs = new Set<{ onmessage: ((message: { data: unknown }) => void) | null }>();
class Channel {
  onmessage: ((message: { data: unknown }) => void) | null = null;
  constructor() {
    tabs.add(this);
  }
  postMessage(data: unknown) {
    for (const tab of tabs) if (tab !== this) tab.onmessage?.({ data });
  }
  close() {
    tabs.delete(this);
  }
}
vi.stubGlobal("BroadcastChannel", Channel);
vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
vi.stubGlobal("navigator", { locks: { request: () => new Promise(() => {}) } });
vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit) => {
  if (signal instanceof AbortSignal) server.asked.push(signal);
  const answer = server.answers.length > 1 ? server.answers.shift() : server.answers[0];
  if (answer instanceof Response) return Promise.resolve(answer.clone());
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
});
const { followEvents } = await import("../../live/event-source.ts");
const { followJournal } = await import("../../live/use-journal.ts");
const { followUpdates } = await import("../../live/updates.ts");
const { shareStream } = await import("../../live/updates.ts");

beforeEach(() => {
  vi.useFakeTimers();
  server.asked = [];
});
afterEach(() => vi.useRealTimers());
afterAll(() => vi.unstubAllGlobals());

const problem = (status: number, fields: object) => new Response(JSON.stringify(fields), { status });
const stream = (text: string) => new Response(text, { status: 200 });
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each([
  ["a proxy says 404", new Response("<h1>not here</h1>", { status: 404 }), true],
  ["a proxy says 403", new Response("", { status: 403 }), true],
  ["the server is too busy", problem(429, { code: "rate_limited" }), true],
  ["the session has ended", problem(401, { code: "session_ended", detail: "Log in." }), false],
  ["the session may not read", problem(403, { code: "forbidden", needs_scope: "read" }), false],
  ["there is no such task", problem(404, { code: "task_not_found" }), false],
])("after %s, the stream comes again only where that may help", async (_what, answer, comes_again) => {
  server.answers = [answer, "hangs"];
  const stop = followEvents({ path: "/console/events", onEvent: () => {} });
  await later(5_000);
  expect(server.asked.length).toBe(comes_again ? 2 : 1);
  stop();
});

test("what a running step wrote is shown once after the stream has come again", async () => {
  const piece = { index: 0, attempt: 1, stream: "stdout", missed_bytes: 0, text: "line 1\n" };
  const sent = stream(`event: output\ndata: ${JSON.stringify(piece)}\n\n`);
  server.answers = [sent, sent, "hangs"];
  const shown: Journal[] = [];
  const stop = followJournal("t-1", (journal) => shown.push(journal));
  await later(3_000);
  stop();
  expect(server.asked.length).toBeGreaterThan(1);
  expect(shown.at(-1)?.live.get("0/1/stdout")?.text).toBe("line 1\n");
});

test("what a step wrote gives way to its end, and the status of an ended task ends the stream", async () => {
  const sent = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  const piece = (index: number) => ({ index, attempt: 1, stream: "stdout", missed_bytes: 0, text: "line 1\n" });
  const end = { mark: "end", lane: "steps", at: "2026-03-06T09:00:00.000Z", step: 0, attempt: 1, ended: "done" };
  const shown = { seq: 1, about: "moon", text: "full", lanes: [end] };
  const wire = [
    sent("output", piece(0)),
    sent("output", piece(1)),
    sent("shown", shown),
    `id: 1\ndata: ${JSON.stringify({ seq: 1, kind: "moon_phase_seen", body: {} })}\n\n`,
    sent("status", { status: "ok" }),
  ];
  server.answers = [stream(wire.join("")), "hangs"];
  const seen: Journal[] = [];
  followJournal("t-1", (journal) => seen.push(journal));
  await later(5_000);
  expect(server.asked).toHaveLength(1);
  expect([...(seen.at(-1)?.live.keys() ?? [])]).toEqual(["1/1/stdout"]);
  expect(seen.at(-1)?.shown.get(1)).toEqual(shown);
  expect(seen.at(-1)).toMatchObject({ is_whole: true, events: [{ kind: "moon_phase_seen" }] });
});

test("a tab that hears nothing of the tab that reads has a stream of its own until it hears of it again", async () => {
  server.answers = ["hangs"];
  const ended = new AbortController();
  const close = shareStream(ended.signal, { onEvent: () => {}, onState: () => {} });
  const reader = new Channel();
  for (let n = 0; n < 3; n++) {
    await later(30_000);
    reader.postMessage({ state: "live" });
  }
  expect(server.asked).toEqual([]);
  await later(41_000);
  expect(server.asked.map(({ aborted }) => aborted)).toEqual([false]);
  reader.postMessage({ event: "task" });
  expect(server.asked.map(({ aborted }) => aborted)).toEqual([true]);
  ended.abort();
  close();
  await later(100_000);
  expect(server.asked).toHaveLength(1);
});

test("procedures are read anew some seconds after a score, once for many, and at once when one has changed", async () => {
  const read: string[] = [];
  const names = ["list_sops", "get_sop"];
  const invalidateQueries = ({ predicate }: { predicate: (query: object) => boolean }) =>
    void read.push(...names.filter((name) => predicate({ queryKey: [name] })));
  const stop = followUpdates({ isFetching: () => 0, invalidateQueries } as unknown as QueryClient);
  const reader = new Channel();
  for (let n = 0; n < 4; n++) {
    reader.postMessage({ event: "score" });
    await later(1_000);
  }
  expect(read).toEqual(["get_sop", "get_sop", "get_sop", "get_sop"]);
  await later(1_100);
  expect(read.slice(4)).toEqual(["list_sops"]);
  reader.postMessage({ event: "score" });
  reader.postMessage({ event: "sop" });
  await later(100);
  expect(read.slice(5).sort()).toEqual(names.toSorted());
  stop();
});
