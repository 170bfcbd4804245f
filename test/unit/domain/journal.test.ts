import { describe, expect, test } from "vitest";
import { brokenLink, chain, FIRST_HASH } from "../../../src/domain/journal.ts";
import { AT, journalOf } from "../../support/builders.ts";

const events = journalOf(
  { kind: "step_started", body: { index: 0, attempt: 1 } },
  { kind: "cancel_requested", body: { reason: null } },
  { kind: "retry_granted", body: { index: 0 } },
);

describe("the journal's hash chain", () => {
  test("starts from zeros and numbers from one", () => {
    expect(events[0]).toMatchObject({ seq: 1, prev_hash: FIRST_HASH });
    expect(events[2]?.prev_hash).toBe(events[1]?.hash);
  });

  test("is intact as it was written", () => expect(brokenLink(events)).toBeNull());

  test("continues after the last event", () => {
    const [next] = chain("t-1", events[2] ?? null, [{ kind: "retry_granted", body: { index: 1 } }], AT);
    expect(next).toMatchObject({ seq: 4, prev_hash: events[2]?.hash });
  });

  test("goes on without an earlier time where the clock of its writer is slower", () => {
    const before = new Date(Date.parse(AT) - 600_000).toISOString();
    const [next] = chain("t-1", events[2] ?? null, [{ kind: "retry_granted", body: { index: 1 } }], before);
    expect(next?.at).toBe(events[2]?.at);
  });

  test("breaks at its first event when it does not begin with one, although its links are intact", () => {
    const late = chain("t-1", { seq: 1, hash: FIRST_HASH, at: AT }, events.slice(0, 2), AT);
    expect(late.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(brokenLink(late)).toBe(2);
  });

  test("breaks where an event of another chain continues it, although its own hash is right", () => {
    const [first] = events;
    const stranger = chain(
      "t-1",
      { seq: 1, hash: "f".repeat(64), at: AT },
      [{ kind: "retry_granted", body: { index: 0 } }],
      AT,
    );
    expect(brokenLink([first, ...stranger].filter((event) => event !== undefined))).toBe(2);
  });

  test.each([
    ["a changed body", events.map((e, n) => (n === 1 ? { ...e, body: { reason: "x" } } : e)), 2],
    ["a changed time", events.map((e, n) => (n === 0 ? { ...e, at: "2027-01-01T00:00:00.000Z" } : e)), 1],
    ["a removed event", events.filter((_e, n) => n !== 1), 3],
    ["a swapped pair", [events[1], events[0], events[2]], 2],
    ["another thread's event", events.map((e, n) => (n === 2 ? { ...e, thread_id: "t-2" } : e)), 3],
  ])("breaks on %s", (_what, changed, seq) => expect(brokenLink(changed as typeof events)).toBe(seq));
});
