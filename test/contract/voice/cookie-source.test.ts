// The sources of the cookie, and its replacement without a restart.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startVariables } from "../../simulators/flow-engine/variables.ts";
import { COOKIE, startVoiceProvider } from "../../simulators/voice-provider/voice-provider.ts";
import { startVoiceServer } from "../../support/voice/voice-server.ts";

const NEW_COOKIE = "session-id=9; at-acbjp=Atza|NEW";

async function cookieFile(content: string) {
  const directory = await mkdtemp(join(tmpdir(), "voice-"));
  const path = join(directory, "cookie");
  await writeFile(path, content);
  return { path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

test("the engine's variable is preferred to the file, the file to the environment [1.B.4.variable]", async () => {
  await using upstream = await startVoiceProvider();
  await using engine = await startVariables(new Map([["f/voice/account_cookie", COOKIE]]));
  await using file = await cookieFile(COOKIE);
  const places = { ...engine.env, VOICE_COOKIE_FILE: file.path, VOICE_COOKIE: "at-acbjp=environment" };
  await using all = await startVoiceServer(upstream, places);
  expect((await all.speak("やあ")).status).toBe(200);
  expect(all.log()).toContain("variable f/voice/account_cookie of the flow engine");
  await using two = await startVoiceServer(upstream, {
    VOICE_COOKIE_FILE: file.path,
    VOICE_COOKIE: "at-acbjp=environment",
  });
  expect((await two.speak("やあ")).status).toBe(200);
  await using one = await startVoiceServer(upstream);
  expect((await one.speak("やあ")).status).toBe(200);
});

test("a new value of the variable is used after the old one is refused, without a restart", async () => {
  const variables = new Map([["f/voice/other", COOKIE]]);
  await using upstream = await startVoiceProvider();
  await using engine = await startVariables(variables);
  await using voice = await startVoiceServer(upstream, {
    ...engine.env,
    VOICE_COOKIE_VARIABLE: "f/voice/other",
  });
  expect((await voice.speak("一")).status).toBe(200);
  expect(engine.received).toHaveLength(1);
  upstream.state.cookie = NEW_COOKIE;
  expect((await voice.speak("二")).body["error"]).toBe("cookie_expired");
  variables.set("f/voice/other", `\ufeff${NEW_COOKIE}; csrf=0\r\n`);
  expect((await voice.speak("三")).status).toBe(200);
  expect(upstream.spoken.map((spoken) => spoken.text)).toEqual(["一", "三"]);
});

test("a cookie that was replaced before the old one was refused is used within the same request", async () => {
  await using upstream = await startVoiceProvider();
  await using file = await cookieFile(`${COOKIE}\n`);
  await using voice = await startVoiceServer(upstream, { VOICE_COOKIE_FILE: file.path });
  expect((await voice.speak("一")).status).toBe(200);
  upstream.state.cookie = NEW_COOKIE;
  await writeFile(file.path, NEW_COOKIE);
  expect((await voice.speak("二")).status).toBe(200);
});

test("while the engine does not answer, the cookie that was read last is used", async () => {
  await using upstream = await startVoiceProvider();
  const engine = await startVariables(new Map([["f/voice/account_cookie", COOKIE]]));
  await using voice = await startVoiceServer(upstream, { ...engine.env, VOICE_COOKIE: "" });
  expect((await voice.speak("一")).status).toBe(200);
  await engine[Symbol.asyncDispose]();
  upstream.state.csrf = "7";
  expect((await voice.speak("二")).status).toBe(200);
});

test("an engine that does not answer is skipped, and the log says so", async () => {
  await using upstream = await startVoiceProvider();
  const engine = await startVariables(new Map());
  await engine[Symbol.asyncDispose]();
  await using voice = await startVoiceServer(upstream, engine.env);
  expect((await voice.speak("やあ")).status).toBe(200);
  expect(voice.log()).toContain("the engine did not respond (ECONNREFUSED)");
});

test.each([
  ["a variable that does not exist", new Map<string, string>(), "engine-token", "no such variable"],
  ["a variable with a line break", new Map([["f/voice/account_cookie", "a=1\nb=2"]]), "engine-token", "line break"],
  ["a variable with something else", new Map([["f/voice/account_cookie", "hello"]]), "engine-token", "name=value"],
  ["an empty variable", new Map([["f/voice/account_cookie", " "]]), "engine-token", "is empty"],
])("%s is cookie_missing with the reason", async (_name, variables, token, reason) => {
  await using upstream = await startVoiceProvider();
  await using engine = await startVariables(variables);
  await using voice = await startVoiceServer(upstream, {
    ...engine.env,
    FLOWENGINE_TOKEN: token,
    VOICE_COOKIE: "",
  });
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_missing"]);
  expect(told.body["message"]).toContain(reason);
  expect(upstream.asked).toEqual([]);
  variables.set("f/voice/account_cookie", COOKIE);
  if (token === "engine-token") expect((await voice.speak("やあ")).status).toBe(200);
});

test.each([
  ["refuses the token", "another-token", "does not accept FLOWENGINE_TOKEN"],
  ["is down", null, "the engine did not respond (ECONNREFUSED)"],
])("an engine that %s is cookie_unreadable, which asks for no new cookie", async (_name, token, reason) => {
  await using upstream = await startVoiceProvider();
  const engine = await startVariables(new Map([["f/voice/account_cookie", COOKIE]]));
  if (token === null) await engine[Symbol.asyncDispose]();
  const env = { ...engine.env, VOICE_COOKIE: "", ...(token !== null && { FLOWENGINE_TOKEN: token }) };
  await using voice = await startVoiceServer(upstream, env);
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_unreadable"]);
  expect(told.body["message"]).toContain(reason);
  expect(told.body["message"]).not.toContain("npm run");
  if (token !== null) await engine[Symbol.asyncDispose]();
});

test("the server starts without a source of a cookie, and says what to set", async () => {
  await using upstream = await startVoiceProvider();
  await using voice = await startVoiceServer(upstream, { VOICE_COOKIE: "" });
  const told = await voice.speak("やあ");
  expect([told.status, told.body["error"]]).toEqual([503, "cookie_missing"]);
  expect(told.body["message"]).toContain("VOICE_COOKIE_FILE");
  await expect.poll(() => voice.log()).toContain("not ready to speak");
});

test("a missing file is reported by its error code and not by its path", async () => {
  await using upstream = await startVoiceProvider();
  await using voice = await startVoiceServer(upstream, { VOICE_COOKIE: "", VOICE_COOKIE_FILE: "/nowhere/cookie" });
  const told = await voice.speak("やあ");
  expect(told.body["message"]).toContain("VOICE_COOKIE_FILE: the file cannot be read (ENOENT)");
});

test("a cookie that is stored later is found without a request to speak", async () => {
  await using upstream = await startVoiceProvider();
  await using file = await cookieFile("");
  await using voice = await startVoiceServer(upstream, {
    VOICE_COOKIE: "",
    VOICE_COOKIE_FILE: file.path,
    VOICE_RECHECK_SECONDS: "1",
  });
  await expect.poll(async () => (await voice.call("/ready")).status).toBe(503);
  await writeFile(file.path, COOKIE);
  await expect.poll(async () => (await voice.call("/ready")).status, { timeout: 10_000 }).toBe(200);
  expect(upstream.paths()).toEqual(["GET /api/language", "GET /api/bootstrap"]);
});
