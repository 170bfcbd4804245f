// The cost of a long task: each event is read a fixed number of times, however many came before it.
import { expect, test } from "vitest";
import type { Step } from "../../../../src/domain/step.ts";
import { progressOf } from "../../../../src/engine/tasks/progress.ts";
import { observeSteps } from "../../../../src/engine/tasks/thread.ts";
import { createThreadJournal } from "../../../../src/engine/worker/threads.ts";
import { aResult, check, cmd } from "../../../support/builders.ts";
import { memoryJournal } from "../../../support/memory-journal.ts";

/** How often the kind of an event is read while a plan of so many steps runs, with a look at the progress after each. */
async function looksFor(count: number): Promise<number> {
  const { store, looks } = memoryJournal();
  const journal = createThreadJournal({ store, clock: () => new Date(), owner: "me" }, "t-1", []);
  const { signal } = new AbortController();
  const observer = observeSteps({ journal, cancel: signal, draining: () => false, leaving: signal }, null);
  const plan: Step[] = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? cmd("true") : check("true")));
  for (const [index, { kind }] of plan.entries()) {
    expect(progressOf(journal.projection, plan)).toEqual({ is: "ready", index, attempt: 1 });
    await observer.started(index, 1);
    observer.finished(aResult({ index, kind }));
  }
  await journal.flush();
  expect(progressOf(journal.projection, plan)).toEqual({ is: "completed" });
  return looks();
}

test("a plan of twice as many steps takes twice as many looks at events, not four times", async () => {
  const [once, twice] = [await looksFor(500), await looksFor(1_000)];
  expect(once).toBeGreaterThan(0);
  expect(twice).toBeLessThanOrEqual(2 * once);
});
