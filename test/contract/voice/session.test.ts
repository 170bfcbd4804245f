// The sources of the csrf and the customer id, and their fallbacks.
import { expect, test } from "vitest";
import {
  COOKIE,
  CUSTOMER_ID,
  NOT_FOUND_PAGE,
  startVoiceProvider,
  TO_SIGN_IN,
} from "../../simulators/voice-provider/voice-provider.ts";
import { empty, html, json, text } from "../../support/request-recorder.ts";
import { startReady, startVoiceServer } from "../../support/voice/voice-server.ts";

const CSRF_PATHS = [
  "GET /api/language",
  "GET /spa/index.html",
  "GET /api/devices-v2/device?cached=false",
  "GET /templates/oobe/d-device-pick.handlebars",
  "GET /api/strings",
];
const ME = "GET /api/users/me?platform=ios&version=2.2.651540.0";

test("a negative csrf is sent unchanged", async () => {
  await using both = await startReady({}, { csrf: "-2147483648" });
  expect((await both.voice.speak("やあ")).status).toBe(200);
  expect(both.upstream.previews()[0]?.headers["csrf"]).toBe("-2147483648");
});

test("the csrf is looked up in every place that sets it", async () => {
  await using upstream = await startVoiceProvider();
  upstream.state.csrf_path = "/api/strings";
  await using voice = await startVoiceServer(upstream);
  expect((await voice.speak("やあ")).status).toBe(200);
  expect(upstream.paths().slice(0, 5)).toEqual(CSRF_PATHS);
});

test("a page of megabytes is not read to its end for a header", async () => {
  await using upstream = await startVoiceProvider();
  upstream.fault("/api/language", { ...html("x".repeat(20_000_000)), headers: { "set-cookie": "csrf=-1168781950" } });
  await using voice = await startVoiceServer(upstream);
  expect((await voice.speak("やあ")).status).toBe(200);
});

test("the csrf of the stored cookie is the last resort", async () => {
  await using upstream = await startVoiceProvider({ csrf: "42" });
  upstream.state.csrf_path = undefined;
  await using voice = await startVoiceServer(upstream, { VOICE_COOKIE: `${COOKIE}; csrf=42` });
  expect((await voice.speak("やあ")).status).toBe(200);
});

test("no csrf anywhere is csrf_missing, and nothing is spoken", async () => {
  await using upstream = await startVoiceProvider();
  upstream.state.csrf_path = undefined;
  await using voice = await startVoiceServer(upstream);
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "csrf_missing"]);
  expect(upstream.previews()).toEqual([]);
});

test.each([
  ["a 404 page", NOT_FOUND_PAGE],
  ["JSON of another shape", json({ hello: "world" })],
  ["half of its JSON", { ...text('{"authentication":{"authenticated":true,"cust'), type: "application/json" }],
  ["a page with 200", html("<html>sign in</html>")],
  ["a 500", text("oops", 500)],
  ["an id in quotes", json({ authentication: { authenticated: true, customerId: '"A1"' } })],
])("the customer id is that of users/me where bootstrap answers %s", async (_name, answer) => {
  await using upstream = await startVoiceProvider();
  upstream.fault("/api/bootstrap", answer);
  await using voice = await startVoiceServer(upstream);
  expect((await voice.speak("やあ")).status).toBe(200);
  expect(upstream.paths()).toContain(ME);
});

test.each(["/api/", "/api/bootstrap"])(
  "a provider that fails at %s is upstream_error, and not a fault of the account",
  async (path) => {
    await using upstream = await startVoiceProvider();
    upstream.fault(path, text("down", 503));
    await using voice = await startVoiceServer(upstream);
    upstream.fault("/api/users/me", text("down", 503));
    const told = await voice.speak("やあ");
    expect(told).toMatchObject({ status: 502, body: { error: "upstream_error", upstream_status: 503 } });
  },
);

test("the configured customer id is used when the provider returns none", async () => {
  await using upstream = await startVoiceProvider();
  upstream.fault("/api/bootstrap", NOT_FOUND_PAGE);
  upstream.fault("/api/users/me", NOT_FOUND_PAGE);
  await using without = await startVoiceServer(upstream);
  const told = await without.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([502, "upstream_changed"]);
  expect(told.body["message"]).toContain("VOICE_CUSTOMER_ID");
  await using voice = await startVoiceServer(upstream, { VOICE_CUSTOMER_ID: CUSTOMER_ID });
  expect((await voice.speak("やあ")).status).toBe(200);
});

test.each([
  ["/api/language", "a redirect to sign in", TO_SIGN_IN],
  ["/api/bootstrap", "authenticated: false in a 200", json({ authentication: { authenticated: false } })],
  ["/api/bootstrap", "an empty 401", empty(401, { loginUrl: "https://www.amazon.co.jp/ap/signin?x" })],
  ["/api/bootstrap", "a redirect to sign in", TO_SIGN_IN],
  ["/api/bootstrap", "a 403", text("no", 403)],
])("a response of %s, %s, means that the cookie has expired", async (path, _name, answer) => {
  await using upstream = await startVoiceProvider();
  upstream.fault(path, answer);
  await using voice = await startVoiceServer(upstream);
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_expired"]);
  expect(told.body["message"]).toContain("npm run --silent cookie");
});

test.each([
  ["/api/language", "a page with 403", html("<html>blocked</html>", 403), 502, "upstream_blocked"],
  ["/api/language", "an account challenge", empty(302, { location: "/ap/cvf/verify" }), 503, "account_challenge"],
  ["/api/bootstrap", "an account challenge", empty(302, { location: "/ap/mfa" }), 503, "account_challenge"],
])("a response of %s, %s, is not an expired cookie", async (path, _name, answer, status, error) => {
  await using upstream = await startVoiceProvider();
  upstream.fault(path, answer);
  await using voice = await startVoiceServer(upstream);
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([status, error]);
});

test("a page to sign in, in place of both sources of the customer id, is an expired cookie and no missing setting", async () => {
  await using upstream = await startVoiceProvider();
  const page = html('<form action="https://www.amazon.co.jp/ap/signin"><input type="password"></form>');
  upstream.fault("/api/bootstrap", page);
  upstream.fault("/api/users/me", page);
  await using voice = await startVoiceServer(upstream, { VOICE_CUSTOMER_ID: CUSTOMER_ID });
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_expired"]);
  expect(told.body["message"]).not.toContain("VOICE_CUSTOMER_ID");
});

test("the csrf and the customer id are obtained once, also for concurrent speeches", async () => {
  await using upstream = await startVoiceProvider();
  await using voice = await startVoiceServer(upstream);
  const all = await Promise.all(["一", "二", "三", "四"].map((word) => voice.speak(word)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(upstream.paths().filter((path) => path.startsWith("GET"))).toEqual([
    "GET /api/language",
    "GET /api/bootstrap",
  ]);
});
