// Speeches run in the order of their arrival, without overlap, and within the provider's rate limit.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startReady, type Told } from "../../support/voice/voice-server.ts";

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `言葉${index}`);

test("50 concurrent speeches on one device are spoken in order, without overlap", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "20", VOICE_CHARACTER_MS: "2" });
  both.upstream.state.slow_ms = 3;
  const sent = words(50);
  const told: Promise<Told>[] = [];
  let waited = 0;
  for (const word of sent) {
    told.push(both.voice.speak(word));
    // The server has read the speech once it has answered a later request.
    waited = Math.max(waited, Number((await both.voice.call("/health")).body["waiting"]));
  }
  expect((await Promise.all(told)).map(({ status }) => status)).toEqual(sent.map(() => 200));
  expect(waited).toBeGreaterThan(20);
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(sent);
  const previews = both.upstream.previews();
  for (const [index, { began_at }] of previews.slice(1).entries()) {
    const spoken_until = (previews[index]?.ended_at ?? 0) + 20 + (sent[index]?.length ?? 0) * 2;
    // Timers may be early by a fraction of a millisecond.
    expect(began_at).toBeGreaterThan(spoken_until - 2);
  }
});

test("a speaking device does not delay another one", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "60000" });
  expect((await both.voice.speak("一")).status).toBe(200);
  expect((await both.voice.speak("二", { device: "Kitchen" })).status).toBe(200);
  expect(both.upstream.spoken.map(({ serial }) => serial)).toEqual(["G0LIVING", "G0KITCHEN"]);
});

test("requests to the provider keep the gap, also for different devices", async () => {
  await using both = await startReady({ VOICE_GAP_MS: "300" });
  await Promise.all(["居間", "Kitchen", "居間", "Kitchen"].map((device) => both.voice.post({ device, text: "やあ" })));
  const times = both.upstream.asked.map(({ began_at }) => began_at);
  expect(times).toHaveLength(6);
  // Five gaps, but for what a request may need to arrive. A gap of each device alone would be two.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(4 * 300);
});

test("a speech whose caller disconnects while it waits is not spoken", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "300" });
  await both.voice.speak("一");
  const leaving = new AbortController();
  const gone = both.voice.post({ device: "居間", text: "二" }, { signal: leaving.signal }).catch(() => "gone");
  await expect.poll(async () => (await both.voice.call("/health")).body["waiting"]).toBe(1);
  leaving.abort();
  expect(await gone).toBe("gone");
  expect((await both.voice.speak("三")).status).toBe(200);
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(["一", "三"]);
  await expect.poll(() => both.voice.log()).toContain("caller_gone");
});

test("a full queue is queue_full, with Retry-After", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "60000", VOICE_QUEUE_LIMIT: "1" });
  await both.voice.speak("一");
  const waiting = both.voice.speak("二");
  await expect.poll(async () => (await both.voice.call("/health")).body["waiting"]).toBe(1);
  const told = await both.voice.speak("三");
  expect([told.status, told.body["error"]]).toEqual([429, "queue_full"]);
  expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(30);
  await both.voice.stop();
  expect((await waiting).body["error"]).toBe("stopping");
});

test("a speech that may have been spoken keeps its device busy, one that was not does not", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "60000", VOICE_QUEUE_LIMIT: "1" });
  both.upstream.fault("/api/behaviors/preview", { status: 400, body: "{}" }, 1);
  expect((await both.voice.speak("一")).status).toBe(502);
  both.upstream.fault("/api/behaviors/preview", "reset", 1);
  expect((await both.voice.speak("二")).status).toBe(502);
  const waiting = both.voice.speak("三");
  // Long enough for a speech that does not wait to reach the provider.
  await sleep(1_000);
  expect((await both.voice.call("/health")).body["waiting"]).toBe(1);
  expect(both.upstream.previews()).toHaveLength(2);
  await both.voice.stop();
  expect((await waiting).body["error"]).toBe("stopping");
});

test("a stop finishes the request in flight, and speaks none that waits", async () => {
  await using both = await startReady();
  both.upstream.state.slow_ms = 200;
  const first = both.voice.speak("一");
  await expect.poll(async () => (await both.voice.call("/health")).body["waiting"]).toBe(1);
  await expect.poll(() => both.upstream.previews().length).toBe(1);
  const second = both.voice.speak("二");
  await expect.poll(async () => (await both.voice.call("/health")).body["waiting"]).toBe(2);
  await both.voice.stop();
  expect((await first).status).toBe(200);
  expect((await second).body["error"]).toBe("stopping");
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(["一"]);
});
