import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLine } from "../../../../capabilities/notes/one-at-a-time.ts";

const { signal } = new AbortController();

test("changes are made one after the other, in the order in which they came, and give what they give", async () => {
  const inTurn = createLine();
  const seen: string[] = [];
  const change = (name: string, ms: number) =>
    inTurn(signal, async () => {
      seen.push(`${name} begins`);
      await sleep(ms);
      seen.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([change("a", 20), change("b", 0), change("c", 5)])).toEqual(["a", "b", "c"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("one that fails lets the next one go on", async () => {
  const inTurn = createLine();
  const failing = inTurn(signal, () => Promise.reject(new Error("no route")));
  const next = inTurn(signal, async () => "done");
  await expect(failing).rejects.toThrow("no route");
  expect(await next).toBe("done");
});

test("one that was stopped while it waited is not made, and the next one goes on", async () => {
  const inTurn = createLine();
  const stop = new AbortController();
  let made = 0;
  const first = inTurn(signal, () => sleep(10));
  const stopped = inTurn(stop.signal, async () => {
    made += 1;
  });
  const next = inTurn(signal, async () => "done");
  stop.abort(new Error("cancelled"));
  await expect(stopped).rejects.toThrow("cancelled");
  expect([await first, await next, made]).toEqual([undefined, "done", 0]);
});
