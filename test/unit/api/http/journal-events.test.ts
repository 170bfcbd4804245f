// The order of a journal and what steps write, where that comes late, as it may from another server.
import { expect, test } from "vitest";
import { writeJournal } from "../../../../src/api/http/journal-stream.ts";
import { liveSource } from "../../../support/live-source.ts";

const event = (seq: number, kind: string, index = 0) => ({
  thread_id: "t-1",
  seq,
  kind,
  body: { index, attempt: 1 },
  at: "2026-03-06T09:00:00.000Z",
  prev_hash: "",
  hash: "",
});

const NOTHING = () => undefined;

type Scene = {
  readonly journal: ReturnType<typeof event>[];
  /** What happens before each page is read, by the number of the page; the task ends after the last. */
  readonly before: readonly (() => void)[];
  readonly after?: number;
};

/** What is sent: the kinds of events and the texts of pieces. */
async function sent({ journal, before, after = 0 }: Scene, live = liveSource()): Promise<string[]> {
  const lines: string[] = [];
  let asked = 0;
  const page = (from: number) => {
    const events = journal.filter(({ seq }) => seq > from).slice(0, 500);
    const status = asked > before.length ? ("ok" as const) : ("running" as const);
    return { events, next_after: events.at(-1)?.seq ?? from, status };
  };
  const read = async (from: number) => {
    before[asked]?.();
    asked += 1;
    return page(from);
  };
  const send = async (text: string) => {
    const { kind, status, text: written } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
    lines.push(written ?? status ?? kind);
  };
  const watch = (onMore: () => void) => live.watch("t-1", onMore);
  await writeJournal({ read, watch, after, show: null }, send, new AbortController().signal, page(after));
  return lines;
}

test("what comes after the end of its step is not sent, also in a later page", async () => {
  const live = liveSource();
  const journal = [event(1, "taken_up"), event(2, "step_started")];
  const before = [
    () => live.write("in time"),
    NOTHING,
    () => journal.push(event(3, "step_finished")),
    () => live.write("late"),
    NOTHING,
  ];
  const seen = await sent({ journal, before }, live);
  expect(seen.filter((one) => one !== "running")).toEqual([
    "taken_up",
    "step_started",
    "in time",
    "step_finished",
    "ok",
  ]);
});

test("what comes before the start of its step is read waits for the page with the start", async () => {
  const live = liveSource();
  const journal = [event(1, "taken_up")];
  live.write("early");
  const seen = await sent({ journal, before: [() => journal.push(event(2, "step_started"))] }, live);
  expect(seen.filter((one) => one !== "running")).toEqual(["taken_up", "step_started", "early", "ok"]);
});

test("a reader of a long journal loses nothing of what its running step has written", async () => {
  const live = liveSource();
  const noted = Array.from({ length: 1_000 }, (_, n) => event(n + 3, "noted"));
  live.write("written before");
  const seen = await sent(
    { journal: [event(1, "taken_up"), event(2, "step_started"), ...noted], before: [NOTHING, NOTHING, NOTHING] },
    live,
  );
  expect(seen).toContain("written before");
});

test("a reader that comes again gets what a step writes whose start it has, and not of one whose end it has", async () => {
  const live = liveSource();
  const journal = [
    event(1, "taken_up"),
    event(2, "step_started"),
    event(3, "step_finished"),
    event(4, "step_started", 1),
  ];
  live.write("of the first");
  live.write("of the second", { index: 1 });
  expect(await sent({ journal, before: [], after: 4 }, live)).toEqual(["of the second", "ok"]);
});
