// What keeps a device busy after a speech that failed: only one that may have been spoken.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSpeechQueue, type Order } from "../../../voice/speech-queue.ts";
import type { Speech } from "../../../voice/upstream/speak.ts";
import { VoiceError } from "../../../voice/voice-error.ts";

const KITCHEN = { name: "Kitchen", serial_number: "G0", device_type: "A3" };
const HALL = { name: "Hall", serial_number: "G1", device_type: "A3" };
const speechOf = (text: string, ...devices: (typeof KITCHEN)[]): Speech => ({
  target: { name: "it", devices },
  parts: [text],
  locale: "ja-JP",
  volume: null,
});
const ORDER = { speech: speechOf("x", KITCHEN), priority: "normal", max_wait_ms: null } as const;
const PACE = { speech_ms: 60_000, character_ms: 0, limit: 5, total: 8 };

/** Adds a speech after one that failed so; `spoken` counts the speeches that reached the provider. */
async function after(error: Error) {
  const failures = [error];
  let spoken = 0;
  const queue = createSpeechQueue(async () => {
    spoken += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  }, PACE);
  const leaving = new AbortController();
  await expect(queue.add({ ...ORDER, signal: leaving.signal })).rejects.toBe(error);
  const next = queue.add({ ...ORDER, signal: leaving.signal }).then(
    () => "spoken",
    () => "gone",
  );
  const first = await Promise.race([next, sleep(50, "waits")]);
  leaving.abort();
  await next;
  return { first, spoken };
}

test("a device is busy after a speech that may have been spoken: the next one does not cut it off", async () => {
  const lost = new VoiceError("upstream_timeout", "The provider did not respond.", { perhaps_spoken: true });
  expect(await after(lost)).toEqual({ first: "waits", spoken: 1 });
});

test.each([
  new VoiceError("upstream_error", "The provider refused it."),
  new VoiceError("upstream_unreachable", "The provider cannot be reached.", { perhaps_spoken: false }),
  new Error("a bug"),
])("a device is free at once after a speech that certainly was not spoken: %s", async (error) => {
  expect(await after(error)).toEqual({ first: "spoken", spoken: 2 });
});

/** A queue whose speeches end when they are let go, in the order in which they began. */
function held(pace = { ...PACE, speech_ms: 0 }) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = createSpeechQueue(({ parts }) => {
    begun.push(parts.join(""));
    return new Promise((resolve) => void ends.push(resolve));
  }, pace);
  const { signal } = new AbortController();
  const add = (text: string, devices: (typeof KITCHEN)[], over: Partial<Order> = {}) =>
    queue.add({ ...ORDER, speech: speechOf(text, ...devices), signal, ...over });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await sleep(5);
  };
  return { queue, begun, add, end };
}

describe("a queue", () => {
  test("lets announcements go before all that waits, and what is low after it", async () => {
    const { begun, add, end } = held();
    const texts = ["first", "second", "low", "third", "alarm", "alarm 2"];
    const priority = { low: "low", alarm: "announcement", "alarm 2": "announcement" } as const;
    const all = texts.map((text) => add(text, [KITCHEN], { priority: priority[text as "low"] ?? "normal" }));
    await sleep(5);
    for (const _ of texts) await end();
    await Promise.all(all);
    expect(begun).toEqual(["first", "alarm", "alarm 2", "second", "third", "low"]);
  });

  test("begins a speech of a group when all its devices are free, and lets no later one before it", async () => {
    const { begun, add, end } = held();
    const all = [add("kitchen", [KITCHEN]), add("both", [HALL, KITCHEN]), add("hall", [HALL])];
    await sleep(5);
    expect(begun).toEqual(["kitchen"]);
    await end();
    expect(begun).toEqual(["kitchen", "both"]);
    await end();
    expect(begun).toEqual(["kitchen", "both", "hall"]);
    await end();
    await Promise.all(all);
  });

  test("begins one of two speeches that arrive in the same moment", async () => {
    const { begun, add, end } = held();
    const all = [add("one", [KITCHEN]), add("two", [KITCHEN])];
    expect(begun.length).toBeLessThan(2);
    await sleep(5);
    expect(begun).toEqual(["one"]);
    await end();
    await end();
    await Promise.all(all);
  });

  test("loses none of many short speeches, each of which waits for the end of the last", async () => {
    const spoken: string[] = [];
    const speak = async ({ parts }: Speech) => void spoken.push(parts.join(""));
    const queue = createSpeechQueue(speak, { ...PACE, speech_ms: 0.3, limit: 400, total: 400 });
    const { signal } = new AbortController();
    const texts = Array.from({ length: 300 }, (_, n) => `${n}`);
    await Promise.all(texts.map((text) => queue.add({ ...ORDER, speech: speechOf(text, KITCHEN), signal })));
    expect(spoken).toEqual(texts);
  });

  test("refuses at once what it cannot begin within the caller's patience", async () => {
    const { queue, add, end, begun } = held({ ...PACE, speech_ms: 30_000 });
    const first = add("one", [KITCHEN]);
    await sleep(5);
    await end();
    await first;
    await expect(add("two", [KITCHEN], { max_wait_ms: 10_000 })).rejects.toMatchObject({
      code: "queue_full",
      details: { retry_after: 20 },
    });
    expect([queue.waiting(), begun]).toEqual([0, ["one"]]);
  });

  test("does not speak what has waited for longer than its caller wanted", async () => {
    const { queue, add, end, begun } = held();
    const first = add("one", [KITCHEN]);
    await expect(add("two", [KITCHEN], { max_wait_ms: 20 })).rejects.toMatchObject({ code: "expired" });
    expect(queue.waiting()).toBe(1);
    await end();
    await first;
    expect(begun).toEqual(["one"]);
  });

  test("is full for one device, and full altogether", async () => {
    const { add } = held();
    const { signal, ...leaving } = new AbortController();
    void leaving;
    const waits = [0, 1, 2, 3, 4, 5].map((n) => add(`${n}`, [KITCHEN], { signal }));
    await expect(add("6", [KITCHEN])).rejects.toMatchObject({
      code: "queue_full",
      message: expect.stringContaining("Kitchen"),
    });
    const more = [add("a", [HALL]), add("b", [HALL])];
    await expect(add("c", [HALL])).rejects.toMatchObject({ code: "queue_full" });
    for (const one of [...waits, ...more]) one.catch(() => undefined);
  });
});
