// Which steps run, as far as a reader has the journal: what a step writes comes after its start, and never after its end.
import { expect, test } from "vitest";
import { createRunningSteps } from "../../../../src/api/http/journal-stream.ts";

type Event = { readonly seq: number; readonly kind: string; readonly body: unknown };
const numbered = (...events: readonly [kind: string, index?: number, attempt?: number][]): Event[] =>
  events.map(([kind, index, attempt = 1], n) => ({ seq: n + 1, kind, body: { index, attempt } }));

/** The journal, of which the reader has the first events already. */
function reader(journal: readonly Event[], after: number, page = 500) {
  const asked: number[] = [];
  const read = async (from: number) => {
    asked.push(from);
    return journal.filter(({ seq }) => seq > from).slice(0, page);
  };
  const steps = createRunningSteps(after, page, read);
  const runs = (index: number, attempt = 1) => steps.runs({ index, attempt });
  return {
    asked,
    runs,
    upTo: (seq: number) => steps.follow(journal.filter((one) => one.seq > after && one.seq <= seq)),
  };
}

test("a step runs from its start to its end, and not before the reader has its start", async () => {
  const { runs, upTo, asked } = reader(numbered(["taken_up"], ["step_started", 0], ["step_finished", 0]), 0);
  upTo(1);
  expect(await runs(0)).toBe(false);
  upTo(2);
  expect([await runs(0), await runs(0, 2), await runs(1)]).toEqual([true, false, false]);
  upTo(3);
  expect(await runs(0)).toBe(false);
  expect(asked).toEqual([]);
});

test("a claim ends what ran under the one before, and the same attempt may run again", async () => {
  const { runs, upTo } = reader(numbered(["taken_up"], ["step_started", 0], ["taken_up"], ["step_started", 0]), 0);
  upTo(3);
  expect(await runs(0)).toBe(false);
  upTo(4);
  expect(await runs(0)).toBe(true);
});

test("what a reader had before is read back once, to the last claim", async () => {
  const journal = numbered(
    ...(Array.from({ length: 5 }, () => ["noted"]) as ["noted"][]),
    ["taken_up"],
    ["step_started", 0],
    ["step_finished", 0],
    ["step_started", 1],
    ["step_started", 2],
  );
  const { runs, upTo, asked } = reader(journal, 9, 2);
  expect([await runs(0), await runs(1), await runs(2)]).toEqual([false, true, false]);
  expect(asked).toEqual([7, 5]);
  upTo(10);
  expect(await runs(2)).toBe(true);
});

test("an end that comes meanwhile is known, also where its start is read back", async () => {
  const { runs, upTo } = reader(numbered(["taken_up"], ["step_started", 0], ["step_finished", 0]), 2);
  upTo(3);
  expect(await runs(0)).toBe(false);
});
