// The owner's projection of a thread equals a fold over all events: noted, committed or written by others.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { createThreadJournal } from "../../../../src/engine/worker/threads.ts";
import { AT, aResult } from "../../../support/builders.ts";
import { memoryJournal } from "../../../support/memory-journal.ts";

const INDEX = fc.integer({ min: 0, max: 3 });
const EVENT: fc.Arbitrary<NewEvent> = fc.oneof(
  INDEX.map((index): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } })),
  INDEX.map((index): NewEvent => ({ kind: "step_finished", body: aResult({ index }) })),
  INDEX.map((index): NewEvent => ({ kind: "retry_granted", body: { index } })),
  fc.constant<NewEvent>({ kind: "cancel_requested", body: { reason: null } }),
);
const ACT = fc.record({ by: fc.constantFrom("note", "commit", "another"), event: EVENT });

test("the projection is kept up to date through notes, commits and what others write", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ACT, { maxLength: 30 }), async (acts) => {
      const { store } = memoryJournal();
      const journal = createThreadJournal({ store, clock: () => new Date(AT), owner: "me" }, "t-1", []);
      for (const { by, event } of acts) {
        if (by === "note") journal.note(event);
        else if (by === "commit") await journal.commit([event]);
        else await store.commit({ thread_id: "t-1", after: "last", events: [event] });
        expect(journal.projection).toEqual(projection(journal.events));
      }
      await journal.commit([{ kind: "cancel_requested", body: { reason: null } }]);
      expect(journal.events).toEqual(await store.readJournal("t-1"));
      expect(journal.projection).toEqual(projection(journal.events));
    }),
  );
});

test("the projection holds what is noted while a commit is under way", async () => {
  const { store } = memoryJournal();
  const journal = createThreadJournal({ store, clock: () => new Date(AT), owner: "me" }, "t-1", []);
  const commit = journal.commit([{ kind: "step_started", body: { index: 0, attempt: 1 } }]);
  journal.note({ kind: "step_finished", body: aResult({ index: 0 }) });
  await commit;
  expect(journal.projection.steps.passed).toBe(1);
  await journal.flush();
  expect((await store.readJournal("t-1")).map(({ kind }) => kind)).toEqual(["step_started", "step_finished"]);
});
