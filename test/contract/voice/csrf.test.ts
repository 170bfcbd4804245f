// Which csrf the server sends where the provider sets several, and what a preview is worth whose answer is not as expected.
import { expect, test } from "vitest";
import { COOKIE, type Fault, startVoiceProvider } from "../../simulators/voice-provider/voice-provider.ts";
import { html, text } from "../../support/request-recorder.ts";
import { startReady, startVoiceServer } from "../../support/voice/voice-server.ts";

const PAST = "Thu, 01 Jan 1970 00:00:00 GMT";
const FUTURE = "Fri, 01 Jan 2100 00:00:00 GMT";

test.each<[string, string[]]>([
  ["the later of two", ["csrf=1", "csrf=42"]],
  ["the later of two with others between", ["csrf=1; Path=/", "session-id=5; Path=/", "csrf=42; Path=/; Secure"]],
  ["one after another was deleted by its date", [`csrf=1; Expires=${PAST}`, "csrf=42"]],
  ["one before another was deleted by its date", ["csrf=42", `csrf=1; Path=/; expires=${PAST}; Secure`]],
  ["one before another was deleted by its age", ["csrf=42", "csrf=1; Max-Age=0"]],
  ["one before another was deleted by a negative age", ["csrf=42", "csrf=1; max-age=-1"]],
  ["one that lasts", ["csrf=1", `csrf=42; Expires=${FUTURE}; Max-Age=3600`]],
  ["one whose age counts before its date", ["csrf=1", `csrf=42; Expires=${PAST}; Max-Age=3600`]],
  ["one before an empty one", ["csrf=42", "csrf="]],
  ["one that is not of another name", ["csrf=42", "xcsrf=1", "csrf2=1"]],
])("the csrf is %s (promises 4.6)", async (_which, cookies) => {
  await using upstream = await startVoiceProvider({ csrf: "42" });
  upstream.fault("/api/language", { ...text("ja-JP"), headers: { "set-cookie": cookies } });
  await using voice = await startVoiceServer(upstream);
  expect((await voice.speak("やあ")).status).toBe(200);
  expect(upstream.previews().map(({ headers }) => headers["csrf"])).toEqual(["42"]);
});

test("where all have expired the next place is asked (promises 4.6)", async () => {
  await using upstream = await startVoiceProvider({ csrf: "42" });
  upstream.state.csrf_path = "/spa/index.html";
  upstream.fault("/api/language", { ...text(""), headers: { "set-cookie": ["csrf=1; Max-Age=0"] } });
  await using voice = await startVoiceServer(upstream);
  expect((await voice.speak("やあ")).status).toBe(200);
});

test("the last csrf of the stored cookie is used (promises 4.6)", async () => {
  await using upstream = await startVoiceProvider({ csrf: "42" });
  upstream.state.csrf_path = undefined;
  await using voice = await startVoiceServer(upstream, { VOICE_COOKIE: `csrf=1; ${COOKIE}; csrf=42` });
  expect((await voice.speak("やあ")).status).toBe(200);
});

test.each<[string, Fault]>([
  ["a page", html("<html>Sorry</html>")],
  ["a page with 202", html("<html>Sorry</html>", 202)],
  ["a page with 203", html("<html>Sorry</html>", 203)],
  ["a sign-in page", html('<html><form action="/ap/signin"><input type="password"></form></html>')],
  ["a page of another type", { status: 200, type: "application/xhtml+xml", body: "<html></html>" }],
  ["a page without a type", { status: 200, body: "<!DOCTYPE html><html></html>" }],
  ["words of throttling", text("Rate exceeded: Too many requests.")],
])("a preview that is answered with %s and success may have been spoken (promises 4.6)", async (_what, fault) => {
  await using both = await startReady();
  both.upstream.fault("/api/behaviors/preview", fault);
  const { status, body } = await both.voice.speak("やあ");
  expect([status, body]).toEqual([502, expect.objectContaining({ error: "upstream_changed", perhaps_spoken: true })]);
  expect(both.upstream.previews()).toHaveLength(1);
});
