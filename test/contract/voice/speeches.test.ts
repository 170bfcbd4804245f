// Speeches that their callers do not wait for, groups of devices, priorities, and the limits of the server.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { KITCHEN, LIVING_ROOM } from "../../simulators/voice-provider/voice-provider.ts";
import { startReady } from "../../support/voice/voice-server.ts";

const GROUPED = JSON.stringify([
  { name: "居間", ...LIVING_ROOM },
  { name: "Kitchen", ...KITCHEN, volume: 30 },
  { name: "家中", members: ["居間", "Kitchen"] },
]);

test("wait=false answers 202 with an id, whose state can be asked until the provider has accepted it", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "400" });
  await both.voice.speak("一");
  const told = await both.voice.post({ device: "居間", text: "二" }, { path: "/speak?wait=false" });
  expect(told).toMatchObject({ status: 202, body: { ok: true, state: "waiting", device: "居間", chunks: 1 } });
  expect(Number(told.body["estimated_wait_ms"])).toBeGreaterThan(0);
  const path = told.headers.get("location") ?? "";
  expect(path).toBe(`/speeches/${told.body["id"]}`);
  expect((await both.voice.call(path)).body).toMatchObject({ ok: true, id: told.body["id"], state: "waiting" });
  await expect.poll(async () => (await both.voice.call(path)).body["state"], { timeout: 10_000 }).toBe("accepted");
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(["一", "二"]);
});

test("a speech that failed after its caller had left says how, and one that is refused has no id", async () => {
  await using both = await startReady();
  both.upstream.fault("/api/behaviors/preview", { status: 500, body: "oops" }, 1);
  const { headers } = await both.voice.post({ device: "居間", text: "一" }, { path: "/speak?wait=false" });
  const path = headers.get("location") ?? "";
  await expect.poll(async () => (await both.voice.call(path)).body["state"], { timeout: 10_000 }).toBe("failed");
  expect((await both.voice.call(path)).body).toMatchObject({ error: "upstream_error", perhaps_spoken: true });
  const refused = await both.voice.post({ device: "attic", text: "一" }, { path: "/speak?wait=false" });
  expect([refused.status, refused.body["id"]]).toEqual([404, undefined]);
  expect(await both.voice.call("/speeches/none")).toMatchObject({ status: 404, body: { error: "unknown_speech" } });
});

test("a group speaks on all its devices by one request, each with its own volume after it", async () => {
  await using both = await startReady({ VOICE_DEVICES: GROUPED });
  expect(await both.voice.post({ device: "家中", text: "ご飯です", volume: 60 })).toMatchObject({
    status: 200,
    body: { device: "家中" },
  });
  expect(both.upstream.previews()).toHaveLength(1);
  expect(both.upstream.spoken.map(({ serial, text, nodes }) => [serial, text, nodes.length])).toEqual([
    ["G0LIVING", "ご飯です", 2],
    ["G0KITCHEN", "ご飯です", 3],
  ]);
  expect((await both.voice.call("/devices")).body["devices"]).toContainEqual({
    name: "家中",
    members: ["居間", "Kitchen"],
  });
});

test("an announcement goes before what waits", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "300" });
  await both.voice.speak("一");
  const all = [both.voice.speak("二")];
  await expect.poll(async () => (await both.voice.call("/health")).body["waiting"]).toBe(1);
  all.push(both.voice.speak("火事です", { priority: "announcement" }));
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200]);
  expect(both.upstream.spoken.map(({ text }) => text)).toEqual(["一", "火事です", "二"]);
});

test("what cannot begin within max_wait_s is refused at once, with the time to come back", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "60000" });
  await both.voice.speak("一");
  const told = await both.voice.speak("二", { max_wait_s: 20 });
  expect([told.status, told.body["error"]]).toEqual([429, "queue_full"]);
  expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(30);
  expect((await both.voice.speak("三", { max_wait_s: -1 })).body).toMatchObject({ field: "max_wait_s" });
});

test("600 callers at once get a 200 or a 429, and none a reset", async () => {
  await using both = await startReady({
    VOICE_SPEECH_MS: "60000",
    VOICE_QUEUE_LIMIT: "1000",
    VOICE_WAITING_LIMIT: "50",
  });
  await both.voice.speak("一");
  const leaving = new AbortController();
  const told = Array.from({ length: 600 }, () =>
    both.voice.post({ device: "居間", text: "二" }, { signal: leaving.signal }).then(
      ({ status }) => status,
      () => (leaving.signal.aborted ? "left" : "reset"),
    ),
  );
  const first = await Promise.all(
    told.map((one) => Promise.race([one, new Promise((resolve) => setTimeout(resolve, 8_000, "waits"))])),
  );
  expect(first.filter((one) => one === 429)).toHaveLength(550);
  expect(first.filter((one) => one === "waits")).toHaveLength(50);
  leaving.abort();
  await Promise.all(told);
});

test("700 idle connections do not keep a health check out", async () => {
  await using both = await startReady();
  const { port } = new URL(both.voice.url);
  const idle: Socket[] = Array.from({ length: 700 }, () =>
    connect(Number(port), "127.0.0.1").on("error", () => undefined),
  );
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  const asked = performance.now();
  expect((await both.voice.call("/health")).status).toBe(200);
  expect(performance.now() - asked).toBeLessThan(5_000);
  for (const socket of idle) socket.destroy();
});
