// What several callers ask for at once is run once.
import { expect, test } from "vitest";
import { createJoined } from "../../../../src/features/approvals/operations.ts";

const NEVER = new AbortController().signal;

/** Each run ends when the test says so. */
function aRun() {
  const ended = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const run = (signal: AbortSignal) => {
    signals.push(signal);
    return ended.promise;
  };
  return { run, signals, end: ended.resolve, fail: ended.reject };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

test("callers of the same key share one run, and another key has its own", async () => {
  const joined = createJoined<string>();
  const [first, other] = [aRun(), aRun()];
  const answers = [joined("a", first.run, NEVER), joined("a", first.run, NEVER), joined("b", other.run, NEVER)];
  first.end("of a");
  other.end("of b");
  expect(await Promise.all(answers)).toEqual(["of a", "of a", "of b"]);
  expect([first.signals.length, other.signals.length]).toEqual([1, 1]);
  const again = aRun();
  again.fail(new Error("lost"));
  await expect(joined("a", again.run, NEVER)).rejects.toThrow("lost");
  const third = aRun();
  third.end("anew");
  expect(await joined("a", third.run, NEVER)).toBe("anew");
});

test("a run is aborted when the last of its callers leaves, and the next one waits for its end", async () => {
  const joined = createJoined<string>();
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [aRun(), aRun()];
  const left = [joined("a", first.run, one.signal), joined("a", first.run, two.signal)];
  await soon();
  one.abort();
  expect(first.signals[0]?.aborted).toBe(false);
  two.abort();
  expect(first.signals[0]?.aborted).toBe(true);
  const next = joined("a", second.run, NEVER);
  await soon();
  expect(second.signals).toEqual([]);
  first.end("cut short");
  second.end("whole");
  expect([await next, ...(await Promise.all(left))]).toEqual(["whole", "cut short", "cut short"]);
});
