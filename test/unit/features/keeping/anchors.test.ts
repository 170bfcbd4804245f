// The daily root over all journals, on the Store in memory, with the clock of the test.
import { describe, expect, test } from "vitest";
import { anchorFaults, anchorOf, provedBy, rootsIn } from "../../../../src/domain/anchor.ts";
import { leavesOf } from "../../../../src/domain/backup.ts";
import { keptRoots } from "../../../../src/engine/tasks/anchors-in.ts";
import { createAnchors } from "../../../../src/features/keeping/keeping.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const CLAIMED = { kind: "taken_up", body: { owner: "a", recovery: false } } as const;

const noted = (lines: string) => rootsIn(lines) ?? expect.fail("the lines are roots");

function house() {
  let now = "2026-03-06T10:00:00.000Z";
  const clock = () => new Date(now);
  const store = memoryStore(clock);
  const handed: string[][] = [];
  const handOn = async ({ anchors }: { readonly anchors: readonly { readonly day: string }[] }) =>
    void handed.push(anchors.map(({ day }) => day));
  const warnings: object[] = [];
  const log = { warn: (details: object) => warnings.push(details) };
  const { look } = createAnchors({ store, clock, handOn, log });
  return {
    store,
    look,
    handed,
    warnings,
    at: (time: string) => {
      now = time;
    },
    grow: (...threads: string[]) =>
      Promise.all(threads.map((thread_id) => store.commit({ thread_id, after: "last", events: [CLAIMED] }))),
    days: async () => (await keptRoots(store)).anchors.map(({ day, threads }) => [day, threads]),
  };
}

describe("an anchor", () => {
  test("is made once a day, a few minutes after the day, over what has grown since the one before", async () => {
    const { store, look, at, grow, days, handed } = house();
    await grow("a", "b", "a");
    at("2026-03-07T00:04:00.000Z");
    await look();
    expect(await days()).toEqual([]);
    at("2026-03-07T00:06:00.000Z");
    await grow("c");
    await look();
    await look();
    expect(await days()).toEqual([["2026-03-06", 2]]);
    at("2026-03-10T12:00:00.000Z");
    await grow("a");
    await look();
    expect(await days()).toEqual([
      ["2026-03-06", 2],
      ["2026-03-09", 1],
    ]);
    const [first, second] = (await keptRoots(store)).anchors;
    expect([first?.previous, second?.previous]).toEqual([null, first?.root]);
    expect(handed.at(-1)).toEqual(["2026-03-06", "2026-03-09"]);
  });

  test("begins in a restored database with the day of the restore, because days before it may be anchored elsewhere", async () => {
    const { store, look, at, grow, days } = house();
    await grow("a");
    at("2026-03-09T10:00:00.000Z");
    const events = [{ kind: "restored", body: { taken_at: "2026-03-06T11:00:00.000Z" } } as const];
    await store.commit({ thread_id: "anchor/days", after: "last", events });
    await grow("b");
    await look();
    expect(await days()).toEqual([]);
    at("2026-03-10T10:00:00.000Z");
    await look();
    expect(await days()).toEqual([["2026-03-09", 2]]);
  });

  test("is made past an event of a clock that was ahead, and the log says so", async () => {
    const { look, at, grow, days, warnings } = house();
    at("2036-01-01T00:00:00.000Z");
    await grow("a");
    at("2026-03-06T10:00:00.000Z");
    await grow("b");
    at("2026-03-07T10:00:00.000Z");
    await grow("c");
    await look();
    expect(await days()).toEqual([["2026-03-06", 2]]);
    expect(warnings).toEqual([{ day: "2026-03-06", events: 1 }]);
  });

  test("proves the entries of a journal up to its day, and none of a journal that was changed", async () => {
    const { store, look, at, grow } = house();
    await grow("a", "b", "c", "a", "d");
    at("2026-03-07T10:00:00.000Z");
    await look();
    await grow("a");
    const journal = await store.readJournal("a");
    const [kept] = await store.listAnchored("a", 1);
    if (kept === undefined) throw new Error("the journal is anchored");
    const { day, ...end } = kept;
    const anchor = anchorOf(day, leavesOf(await store.readLeaves(day)), { thread_id: "a", ...end });
    if (anchor === null) throw new Error("it is among the leaves");
    const [{ root } = { root: "" }] = (await keptRoots(store)).anchors;
    expect(anchor).toMatchObject({ day: "2026-03-06", seq: 2, root });
    expect(anchorFaults([anchor], journal)).toEqual([]);
    expect(anchorFaults([anchor], journal.slice(0, 1))).toEqual([expect.stringContaining("is not over an entry")]);
    expect(anchorFaults([{ ...anchor, path: [] }], journal)).toEqual([expect.stringContaining("does not lead")]);
    const proof = (lines: string, anchors = [anchor]) => provedBy(noted(lines), { anchors, restores: [] });
    expect(proof(`${day} ${root}`)).toEqual({ proved: anchor });
    expect(proof(`${day} ${"0".repeat(64)}`)).toMatchObject({ fault: expect.stringContaining("noted") });
    expect(proof("")).toEqual({ fault: "no root is noted for 2026-03-06", between: null });
    expect(proof("", [])).toMatchObject({ fault: expect.stringContaining("no anchor") });
  });
});
