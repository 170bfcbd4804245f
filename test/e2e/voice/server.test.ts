// The voice server as a process: its configuration, start and end.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COOKIE, startVoiceProvider } from "../../simulators/voice-provider/voice-provider.ts";
import { startVoiceProcess } from "../../support/voice/voice-process.ts";
import { DEVICES, quick } from "../../support/voice/voice-server.ts";

const speak = (url: string, text: string, token: string) =>
  fetch(`${url}/speak`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ device: "居間", text }),
  });

test("the voice server reads token, devices and cookie from files, speaks, and ends at SIGTERM with 0 without speaking what waits", async () => {
  const place = await mkdtemp(join(tmpdir(), "voice-"));
  const file = async (name: string, content: string) => {
    await writeFile(join(place, name), content);
    return join(place, name);
  };
  await using upstream = await startVoiceProvider();
  const token = "a-token-for-callers-of-speak";
  await using voice = await startVoiceProcess({
    env: {
      ...quick(upstream),
      VOICE_TOKEN_FILE: await file("token", `${token}\n`),
      VOICE_DEVICES: "",
      VOICE_DEVICES_FILE: await file("devices.json", JSON.stringify(DEVICES)),
      VOICE_COOKIE: "",
      VOICE_COOKIE_FILE: await file("cookie", `${COOKIE}\n`),
      VOICE_SPEECH_MS: "60000",
      LOG_LEVEL: "trace",
    },
  });
  expect((await speak(voice.url, "一", token)).status).toBe(200);
  const waiting = speak(voice.url, "二", token);
  const health = async () => (await (await fetch(`${voice.url}/health`)).json()) as { waiting: number };
  await expect.poll(async () => (await health()).waiting).toBe(1);
  const ended = voice.end("SIGTERM");
  expect(await (await waiting).json()).toMatchObject({ ok: false, error: "stopping" });
  expect(await ended).toBe(0);
  expect(upstream.spoken.map(({ text }) => text)).toEqual(["一"]);
  expect(voice.output()).toContain('"msg":"ready to speak"');
  for (const secret of [token, "Atza", "tok==", "一", "二", "A1CUSTOMERX"])
    expect(voice.output()).not.toContain(secret);
  await rm(place, { recursive: true });
});

test("an invalid configuration is reported whole, by variable, without its values", async () => {
  const env = {
    VOICE_PORT: "35000000",
    VOICE_TOKEN: "not a token",
    VOICE_DEVICES: '[{"name":"居間","serial":"G0"}]',
    VOICE_UPSTREAM_URL: "https://user:secret@example.com",
    VOICE_LOCALE: "japanese",
    FLOWENGINE_URL: "http://engine:8000",
    FLOWENGINE_TOKEN_FILE: "/nowhere/token",
  };
  const error: unknown = await startVoiceProcess({ env }).catch((thrown: unknown) => thrown);
  const told = String(error);
  expect(told).toMatch(/exit 1: the voice server cannot start: the configuration is not valid:/);
  for (const name of [...Object.keys(env).filter((one) => one !== "FLOWENGINE_URL"), "FLOWENGINE_WORKSPACE"]) {
    expect(told).toContain(`  ${name} `);
  }
  expect(told).not.toMatch(/not a token|secret@|japanese/);
});

test("a port that is in use is reported, with the variable to set", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(startVoiceProcess({ env: { VOICE_PORT: String(port) } })).rejects.toThrow(
    /exit 1: the voice server cannot start: cannot listen .* set VOICE_PORT/,
  );
  other.close();
});

test("the voice server continues when its log is closed", async () => {
  await using upstream = await startVoiceProvider();
  await using voice = await startVoiceProcess({ env: { ...quick(upstream), VOICE_TOKEN: "t" } });
  voice.closeLog();
  for (const word of ["一", "二", "三"]) expect((await speak(voice.url, word, "t")).status).toBe(200);
});
