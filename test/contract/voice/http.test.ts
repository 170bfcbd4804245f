// The requests that the voice server accepts, and the errors for all others.
import { request } from "node:http";
import { expect, test } from "vitest";
import { startVoiceProvider } from "../../simulators/voice-provider/voice-provider.ts";
import { startReady, startVoiceServer } from "../../support/voice/voice-server.ts";

const TOKEN = "a-token-for-callers-of-speak";
const SPEECH = { device: "居間", text: "やあ" };

test("/speak finds the device by name, by another spelling of it, and by serial number [4.voice.speak]", async () => {
  await using both = await startReady();
  for (const device of ["居間", "G0LIVING", "ｋｉｔｃｈｅｎ", " KITCHEN "]) {
    expect(await both.voice.post({ device, text: "やあ" })).toMatchObject({
      status: 200,
      body: { ok: true, chunks: 1 },
    });
  }
  expect(both.upstream.spoken.map(({ serial }) => serial)).toEqual(["G0LIVING", "G0LIVING", "G0KITCHEN", "G0KITCHEN"]);
});

test("volume is set before the speech, and restored where the device has a default one", async () => {
  await using both = await startReady();
  await both.voice.speak("やあ", { volume: 0 });
  await both.voice.speak("やあ", { device: "Kitchen", volume: 80, locale: "en-US" });
  const sent = both.upstream.spoken.map(({ nodes }) =>
    nodes.map(({ type, operationPayload }) => ("value" in operationPayload ? operationPayload.value : type)),
  );
  expect(sent).toEqual([
    [0, "Alexa.Speak"],
    [80, "Alexa.Speak", 30],
  ]);
  expect(both.upstream.spoken.map(({ nodes }) => nodes[0]?.operationPayload.locale)).toEqual(["ja-JP", "en-US"]);
});

test("a long text is one sequence of parts", async () => {
  await using both = await startReady();
  const text = "これは長い文です。".repeat(100);
  const told = await both.voice.speak(text);
  expect(told.body).toMatchObject({ ok: true, device: "居間", chunks: 4 });
  expect(both.upstream.previews()).toHaveLength(1);
  expect(both.upstream.spoken[0]?.nodes).toHaveLength(4);
  expect(both.upstream.spoken[0]?.text).toBe(text);
});

test("a dry run returns what would be spoken, and does not call the provider", async () => {
  await using both = await startReady();
  const asked = both.upstream.asked.length;
  const told = await both.voice.post({ ...SPEECH, text: " 一。\n二。 ", volume: 10 }, { path: "/speak?dry_run=true" });
  expect(told).toMatchObject({
    status: 200,
    body: { ok: true, dry_run: true, device: "居間", chunks: 1, texts: ["一。二。"], locale: "ja-JP", volume: 10 },
  });
  expect(both.upstream.asked).toHaveLength(asked);
  expect((await both.voice.post(SPEECH, { path: "/speak?dry_run=false" })).body).not.toHaveProperty("dry_run");
  expect(both.upstream.spoken.map((spoken) => spoken.text)).toEqual(["やあ"]);
});

test("the estimate counts every part, and a volume as a speech of its own", async () => {
  await using both = await startReady({ VOICE_SPEECH_MS: "1000", VOICE_CHARACTER_MS: "10" });
  const estimated = async (text: string, more: object) =>
    (await both.voice.post({ device: "居間", text, ...more }, { path: "/speak?dry_run=true" })).body["estimated_ms"];
  expect(await estimated("あ".repeat(10), {})).toBe(1_100);
  expect(await estimated("あ".repeat(10), { volume: 5 })).toBe(2_100);
  expect(await estimated("これは長い文です。".repeat(100), {})).toBe(10_000);
});

test.each<[string, unknown, string]>([
  ["no text", { device: "居間" }, "text"],
  ["an empty text", { device: "居間", text: "" }, "text"],
  ["a text of white space and control characters", { device: "居間", text: " \n\u0007\u3000" }, "text"],
  ["half of a character", { device: "居間", text: "a\ud83d" }, "text"],
  ["a text that is too long", { device: "居間", text: "あ".repeat(2001) }, "text"],
  ["a text that is a number", { device: "居間", text: 1 }, "text"],
  ["no device", { text: "やあ" }, "device"],
  ["an empty device", { device: "", text: "やあ" }, "device"],
  ["a volume beyond 100", { ...SPEECH, volume: 101 }, "volume"],
  ["a volume that is text", { ...SPEECH, volume: "5" }, "volume"],
  ["a locale that is none", { ...SPEECH, locale: "japanese" }, "locale"],
  ["a field that is not known", { ...SPEECH, volumne: 5 }, "volumne"],
  ["a body that is a list", [], ""],
])("%s is invalid_request, which names the field", async (_name, body, field) => {
  await using both = await startReady();
  const told = await both.voice.post(body);
  expect(told).toMatchObject({ status: 400, body: { ok: false, error: "invalid_request", field } });
  expect(both.upstream.spoken).toEqual([]);
});

test("an unknown device is a 404 with the known names and no serial number", async () => {
  await using both = await startReady();
  const told = await both.voice.speak("やあ", { device: "__proto__" });
  expect(told).toMatchObject({ status: 404, body: { error: "unknown_device", field: "device" } });
  expect(told.body["message"]).toContain("居間, Kitchen");
  expect(JSON.stringify(told.body)).not.toMatch(/G0/);
});

test("/devices returns the names, /health and /ready return the state, and none calls the provider", async () => {
  await using both = await startReady();
  const asked = both.upstream.asked.length;
  expect((await both.voice.call("/devices")).body).toEqual({
    ok: true,
    devices: [{ name: "居間" }, { name: "Kitchen" }],
  });
  expect((await both.voice.call("/health")).body).toEqual({ ok: true, upstream: "ready", waiting: 0 });
  expect((await both.voice.call("/ready")).body).toEqual({ ok: true, upstream: "ready" });
  expect(both.upstream.asked).toHaveLength(asked);
});

test("/ready is 503 before the cookie has been tried, and 429 while the provider throttles", async () => {
  await using upstream = await startVoiceProvider();
  upstream.fault("/api/language", "silent", 1);
  await using starting = await startVoiceServer(upstream, { VOICE_UPSTREAM_TIMEOUT_MS: "1000" });
  expect(await starting.call("/ready")).toMatchObject({ status: 503, body: { error: "starting" } });
  await using both = await startReady();
  both.upstream.fault("/api/behaviors/preview", { status: 429, body: "" }, 1);
  await both.voice.speak("やあ");
  expect(await both.voice.call("/ready")).toMatchObject({ status: 429, body: { error: "throttled" } });
});

test("a server with a token refuses callers without it, but answers /health [5.3.speak]", async () => {
  await using upstream = await startVoiceProvider();
  await using voice = await startVoiceServer(upstream, { VOICE_TOKEN: TOKEN });
  for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`]) {
    const told = await voice.post(SPEECH, { headers: { authorization } });
    expect([told.status, told.body["error"], told.headers.get("www-authenticate")]).toEqual([
      401,
      "unauthorized",
      "Bearer",
    ]);
    expect((await voice.call("/devices", { headers: { authorization } })).status).toBe(401);
  }
  expect((await voice.call("/health")).status).toBe(200);
  expect(upstream.spoken).toEqual([]);
  const headers = { authorization: `bearer ${TOKEN}` };
  expect((await voice.post(SPEECH, { headers })).status).toBe(200);
});

test("a server without a token listens on loopback for any VOICE_HOST, and the log says so", async () => {
  await using both = await startReady({ VOICE_HOST: "0.0.0.0" });
  expect(both.voice.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(both.voice.log()).toContain("no VOICE_TOKEN: the server accepts only this machine");
});

test("a page in a browser cannot make a server without a token speak", async () => {
  await using both = await startReady();
  const { port } = new URL(both.voice.url);
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = {
        method: "POST",
        port,
        path: "/speak",
        headers: { "content-type": "application/json", ...headers },
      };
      request(sent, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end(JSON.stringify(SPEECH));
    });
  expect(await status({ host: "evil.example" })).toBe(403);
  expect(await status({ host: `localhost:${port}`, origin: "https://evil.example" })).toBe(403);
  expect(await status({ host: `localhost:${port}` })).toBe(200);
  expect(both.upstream.spoken).toHaveLength(1);
});

test.each<[string, RequestInit & { path?: string }, number, string]>([
  ["text/plain", { headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type"],
  ["no content type", { headers: { "content-type": "" } }, 415, "unsupported_media_type"],
  [
    "another charset",
    { headers: { "content-type": "application/json; charset=shift_jis" } },
    415,
    "unsupported_media_type",
  ],
  ["UTF-16", { headers: { "content-type": "application/json; charset=utf-16le" } }, 415, "unsupported_media_type"],
  ["a compressed body", { headers: { "content-encoding": "gzip" } }, 415, "unsupported_media_type"],
  ["no JSON", { body: "{" }, 400, "invalid_request"],
  ["Shift_JIS sent as UTF-8", { body: Buffer.from([0x7b, 0x22, 0x82, 0xb1, 0x22, 0x7d]) }, 400, "invalid_request"],
  ["no body", { body: "" }, 400, "invalid_request"],
  ["too much", { body: "x".repeat(65_537) }, 413, "body_too_large"],
  ["a parameter that is not known", { path: "/speak?dryrun=true" }, 400, "invalid_request"],
  ["a dry run that is neither", { path: "/speak?dry_run=1" }, 400, "invalid_request"],
  ["another path", { path: "/speek" }, 404, "not_found"],
  ["another method", { method: "PUT" }, 405, "method_not_allowed"],
])("%s is refused with a code", async (_name, init, status, error) => {
  await using both = await startReady();
  const told = await both.voice.post(SPEECH, init);
  expect([told.status, told.body["error"]]).toEqual([status, error]);
  expect(typeof told.body["message"]).toBe("string");
});

test("a GET of /speak is a 405 that names POST", async () => {
  await using both = await startReady();
  const told = await both.voice.call("/speak");
  expect([told.status, told.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a response has a request id, and no cache stores it", async () => {
  await using both = await startReady();
  const { headers } = await both.voice.speak("やあ");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(both.voice.log()).toContain(headers.get("x-request-id"));
});

test.each([
  ["http://provider.invalid", true],
  ["http://127.0.0.1:1", false],
  ["http://localhost:1", false],
  ["https://provider.invalid", false],
])("the log warns when the provider is neither https nor loopback: %s", async (url, told) => {
  await using voice = await startVoiceServer({ url });
  expect(voice.log().includes("is not https")).toBe(told);
});
