import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Environment, readSettings } from "../../../voice/environment.ts";

test("the defaults are port 3500 of this machine, the Japanese site, and a pause of a second [8.voice_port]", () => {
  expect(readSettings({})).toMatchObject({
    host: "127.0.0.1",
    port: 3500,
    token: null,
    speak: { devices: [], locale: "ja-JP", max_characters: 2_000 },
    cookie: { variable: null, file: null, environment: null },
    upstream: { base_url: "https://alexa.amazon.co.jp", timeout_ms: 10_000, gap_ms: 1_000 },
  });
});

test("an empty variable is not set", () => {
  expect(readSettings({ VOICE_TOKEN: "", VOICE_PORT: "", VOICE_HOST: "" })).toEqual(readSettings({}));
});

test("an address other than loopback needs a token", () => {
  expect(readSettings({ VOICE_HOST: "0.0.0.0" }).host).toBe("127.0.0.1");
  expect(readSettings({ VOICE_HOST: "0.0.0.0", VOICE_TOKEN: "t" }).host).toBe("0.0.0.0");
});

test("the engine's three variables must be set together", () => {
  expect(() => readSettings({ FLOWENGINE_URL: "http://engine:8000" })).toThrow(
    /FLOWENGINE_TOKEN must be set.*\n {2}FLOWENGINE_WORKSPACE must be set/,
  );
  const engine = { FLOWENGINE_URL: "http://engine:8000", FLOWENGINE_TOKEN: "t", FLOWENGINE_WORKSPACE: "lab" };
  expect(readSettings(engine).cookie.variable?.path).toBe("f/voice/account_cookie");
});

test.each([
  ["no JSON", "居間", "must be JSON such as"],
  ["half of its JSON", "{", "it is not JSON"],
  ["a field that is missing", '[{"name":"居間","serial_number":"G0"}]', "0.device_type"],
])("a device table with %s is refused with the reason", (_what, VOICE_DEVICES, words) => {
  expect(() => readSettings({ VOICE_DEVICES })).toThrow(words);
});

test("a variable and its file at once are refused", () => {
  expect(() => readSettings({ VOICE_TOKEN: "t", VOICE_TOKEN_FILE: "/x" })).toThrow("VOICE_TOKEN_FILE must not be set");
});

test("every variable is in the README", async () => {
  const readme = await readFile(join(import.meta.dirname, "../../../voice/README.md"), "utf8");
  const told = new Set(readme.match(/(?<=`)[A-Z_]+(?=`)/g));
  expect(Object.keys(Environment.shape).filter((name) => !told.has(name))).toEqual([]);
});
