// Every known way in which the provider refuses a preview, and the error for the caller. A text that may have been
// spoken is never sent twice.
import { expect, test } from "vitest";
import {
  COOKIE,
  type Fault,
  NOT_FOUND_PAGE,
  startVoiceProvider,
  THROTTLED,
  TO_SIGN_IN,
} from "../../simulators/voice-provider/voice-provider.ts";
import { empty, html, json, text } from "../../support/request-recorder.ts";
import { startReady, startVoiceServer } from "../../support/voice/voice-server.ts";

const PREVIEW = "/api/behaviors/preview";

test("a stale csrf is renewed once, with the customer id, and the text is spoken once", async () => {
  await using both = await startReady();
  both.upstream.state.csrf = "555";
  expect((await both.voice.speak("やあ")).status).toBe(200);
  expect(both.upstream.paths().slice(2)).toEqual([
    `POST ${PREVIEW}`,
    "GET /api/language",
    "GET /api/bootstrap",
    `POST ${PREVIEW}`,
  ]);
  expect(both.upstream.spoken.map((spoken) => spoken.text)).toEqual(["やあ"]);
});

test.each<[string, Fault]>([
  ["an empty 401", empty(401)],
  ["a 403", text("Forbidden", 403)],
  ["a redirect to sign in", TO_SIGN_IN],
])("%s again after the renewal means that the cookie has expired", async (_name, fault) => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, fault);
  const told = await both.voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_expired"]);
  expect(both.upstream.previews()).toHaveLength(2);
});

test("an expired cookie is not sent to the provider again until it is replaced", async () => {
  await using both = await startReady();
  both.upstream.state.cookie = "at-acbjp=another";
  expect((await both.voice.speak("やあ")).body["error"]).toBe("cookie_expired");
  const asked = both.upstream.asked.length;
  for (const word of ["一", "二"]) expect((await both.voice.speak(word)).body["error"]).toBe("cookie_expired");
  expect(both.upstream.asked).toHaveLength(asked);
  expect((await both.voice.call("/ready")).status).toBe(503);
  expect((await both.voice.call("/health")).body).toEqual({ ok: true, upstream: "cookie_expired", waiting: 0 });
});

test.each(Object.entries(THROTTLED))(
  "throttling as %s is a 429 with Retry-After, and the provider gets no further request",
  async (_name, fault) => {
    await using both = await startReady();
    both.upstream.fault(PREVIEW, fault);
    const told = await both.voice.speak("やあ");
    expect([told.status, told.body["error"], told.headers.get("retry-after")]).toEqual([429, "throttled", "15"]);
    both.upstream.mend();
    const next = await both.voice.speak("やあ");
    expect([next.status, next.body["error"]]).toEqual([429, "throttled"]);
    expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(both.upstream.previews()).toHaveLength(1);
  },
);

test("throttling refuses a request that already waits, also one for another device", async () => {
  await using both = await startReady();
  both.upstream.state.slow_ms = 50;
  both.upstream.fault(PREVIEW, text("", 429), 1);
  const told = await Promise.all([both.voice.speak("一"), both.voice.speak("二", { device: "Kitchen" })]);
  expect(told.map(({ status }) => status)).toEqual([429, 429]);
  expect(both.upstream.previews()).toHaveLength(1);
});

test("throttling is recognized by its error type alone", async () => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, { ...json({}, 400), headers: { "x-amzn-ErrorType": "ThrottlingException:" } });
  expect((await both.voice.speak("やあ")).body["error"]).toBe("throttled");
});

test("two devices that are refused at the same time share one renewal", async () => {
  await using both = await startReady();
  both.upstream.state.csrf = "555";
  both.upstream.state.slow_ms = 20;
  const told = await Promise.all([both.voice.speak("一"), both.voice.speak("二", { device: "Kitchen" })]);
  expect(told.map(({ status }) => status)).toEqual([200, 200]);
  expect(both.upstream.paths().filter((path) => path === "GET /api/language")).toHaveLength(2);
  expect(both.upstream.spoken).toHaveLength(2);
});

test("a preview refused twice is reported as expiry although the account is signed in, also in the log", async () => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, text("Forbidden", 403), 2);
  expect((await both.voice.speak("やあ")).body["error"]).toBe("cookie_expired");
  expect(both.voice.log()).toContain("not ready to speak");
});

test("the provider's Retry-After is passed on, and speech works again after it", async () => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, { ...text("", 429), headers: { "retry-after": "1" } }, 1);
  expect((await both.voice.speak("やあ")).headers.get("retry-after")).toBe("1");
  await expect.poll(async () => (await both.voice.speak("やあ")).status, { timeout: 10_000 }).toBe(200);
  both.upstream.fault(PREVIEW, { ...text("", 429), headers: { "retry-after": "3600" } }, 1);
  expect((await both.voice.speak("やあ")).headers.get("retry-after")).toBe("3600");
});

test("a Retry-After that is a date is counted from the provider's own date", async () => {
  await using both = await startReady();
  const headers = { date: "Fri, 06 Mar 2026 09:00:00 GMT", "retry-after": "Fri, 06 Mar 2026 09:02:00 GMT" };
  both.upstream.fault(PREVIEW, { ...text("", 429), headers }, 1);
  expect((await both.voice.speak("やあ")).headers.get("retry-after")).toBe("120");
});

test.each<[string, Fault, number, string]>([
  [
    "a redirect to a check of the account",
    empty(302, { location: "https://www.amazon.co.jp/ap/cvf/x" }),
    503,
    "account_challenge",
  ],
  [
    "a redirect to a second factor",
    empty(302, { location: "https://www.amazon.co.jp/ap/mfa?x" }),
    503,
    "account_challenge",
  ],
  ["a page with 403", html("<html>Request blocked</html>", 403), 502, "upstream_blocked"],
])("%s has a code of its own, and does not ask for a new cookie at once", async (_name, fault, status, error) => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, fault);
  const told = await both.voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([status, error]);
  expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(String(told.body["message"])).not.toMatch(/^The provider does not accept/);
});

test.each<[string, Fault, number, string, number | undefined]>([
  ["a request that does not validate", json({ message: "Input failed to validate." }, 400), 502, "upstream_error", 400],
  ["a 500", text("oops", 500), 502, "upstream_error", 500],
  ["a 503", text("later", 503), 502, "upstream_error", 503],
  ["a 404 page", NOT_FOUND_PAGE, 502, "upstream_changed", 404],
  ["a page with 200", html("<html>robot?</html>"), 502, "upstream_changed", 200],
  ["a redirect elsewhere", empty(302, { location: "https://example.com/" }), 502, "upstream_changed", 302],
])("%s is reported with its status, and is not retried", async (_name, fault, status, error, upstream_status) => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, fault);
  const told = await both.voice.speak("やあ");
  expect(told).toMatchObject({ status, body: { ok: false, error, upstream_status } });
  expect(told.body["perhaps_spoken"]).toBe(upstream_status === 200 || (upstream_status ?? 0) >= 500 ? true : undefined);
  expect(both.upstream.previews()).toHaveLength(1);
});

test("a time-out is upstream_timeout, and is not retried, because the device may have spoken", async () => {
  await using both = await startReady({ VOICE_UPSTREAM_TIMEOUT_MS: "300" });
  both.upstream.fault(PREVIEW, "silent");
  const told = await both.voice.speak("やあ");
  expect(told).toMatchObject({ status: 504, body: { error: "upstream_timeout", perhaps_spoken: true } });
  expect(both.upstream.previews()).toHaveLength(1);
});

test("a connection that breaks is upstream_unreachable, and is not retried", async () => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, "reset");
  const told = await both.voice.speak("やあ");
  expect(told).toMatchObject({ status: 502, body: { error: "upstream_unreachable", perhaps_spoken: true } });
  expect(both.upstream.previews()).toHaveLength(1);
});

test("an unreachable provider is upstream_unreachable, and nothing was spoken", async () => {
  const gone = await startVoiceProvider();
  await gone[Symbol.asyncDispose]();
  await using voice = await startVoiceServer(gone);
  const told = await voice.speak("やあ");
  expect(told).toMatchObject({ status: 502, body: { error: "upstream_unreachable" } });
  expect(told.body["message"]).toContain("ECONNREFUSED");
  expect(told.body).not.toHaveProperty("perhaps_spoken");
});

test("an empty 200 of the provider is a success", async () => {
  await using both = await startReady();
  both.upstream.fault(PREVIEW, empty(200));
  expect(await both.voice.speak("やあ")).toMatchObject({ status: 200, body: { ok: true, device: "居間", chunks: 1 } });
});

test("neither responses nor the log contain a secret, for every fault of the provider [2.cookie]", async () => {
  const secrets = ["Atza|LOCAL", "tok==", "111-222", "A1CUSTOMERX", "-1168781950", "やあ", "caller-token-caller"];
  await using both = await startReady({ VOICE_TOKEN: "caller-token-caller", LOG_LEVEL: "trace" });
  const told: string[] = [];
  const echo = `${COOKIE} csrf=-1168781950 A1CUSTOMERX`;
  const faults: Fault[] = [
    empty(401),
    text(echo, 500),
    html(echo, 404),
    json({ message: echo }, 400),
    "reset",
    text("", 429),
  ];
  for (const fault of faults) {
    both.upstream.fault(PREVIEW, fault, 1);
    const headers = { authorization: "Bearer caller-token-caller" };
    const { body } = await both.voice.post({ device: "居間", text: "やあ" }, { headers });
    told.push(JSON.stringify(body));
  }
  const all = told.join("") + both.voice.log();
  expect(told).toHaveLength(faults.length);
  for (const secret of secrets) expect(all).not.toContain(secret);
});
