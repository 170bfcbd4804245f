// What keeps a device busy after a speech that failed: only one that may have been spoken.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSpeechQueue } from "../../../voice/speech-queue.ts";
import type { Speech } from "../../../voice/upstream/sequence.ts";
import { VoiceError } from "../../../voice/voice-error.ts";

const SPEECH = { device: { name: "Kitchen", serial_number: "G0" }, parts: ["x"], volume: null } as unknown as Speech;
const PACE = { speech_ms: 60_000, character_ms: 0, limit: 5 };

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
  await expect(queue.add(SPEECH, leaving.signal)).rejects.toBe(error);
  const next = queue.add(SPEECH, leaving.signal).then(
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
