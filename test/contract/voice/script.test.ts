// The flow engine's script under the engine's runtime, against the real voice server.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { getVariable } from "windmill-client";
import { BUN } from "../../simulators/flow-engine/flow-job.ts";
import { startVariables } from "../../simulators/flow-engine/variables.ts";
import { pointOfficialClientAt } from "../../support/flow-engine-client.ts";
import { freePort } from "../../support/free-port.ts";
import { startReady } from "../../support/voice/voice-server.ts";

const SCRIPT = join(import.meta.dirname, "../../../voice/flow/f/voice/speak.ts");
const PROCESS = join(import.meta.dirname, "../../support/voice/speak-process.ts");
const TOKEN = "a-token-for-callers-of-speak";

type Surroundings = Readonly<Record<string, string>>;

async function runScript(args: unknown[], env: Surroundings): Promise<unknown> {
  const run = promisify(execFile)(BUN, ["run", PROCESS, SCRIPT, JSON.stringify(args)], {
    env: { PATH: process.env["PATH"], HOME: "/tmp", ...env },
    timeout: 30_000,
  });
  return JSON.parse((await run).stdout);
}

/** The environment that a worker gives a job. */
const worker = (engine: { url: string; token: string; workspace: string }, voice: { url: string }): Surroundings => ({
  BASE_INTERNAL_URL: engine.url,
  WM_TOKEN: engine.token,
  WM_WORKSPACE: engine.workspace,
  VOICE_URL: voice.url,
});

test("the script reads the token, speaks, and returns the server's response [1.B.3.script]", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  await using both = await startReady({ VOICE_TOKEN: TOKEN });
  const said = await runScript(["居間", "お風呂が沸きました 🛁", 40], worker(engine, both.voice));
  expect(said).toEqual({ result: { ok: true, device: "居間", chunks: 1, estimated_ms: 0 } });
  expect(both.upstream.spoken.map(({ text, nodes }) => [text, nodes.length])).toEqual([["お風呂が沸きました 🛁", 2]]);
});

test("the script fails with the server's message, which does not contain the token", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  await using both = await startReady({ VOICE_TOKEN: TOKEN });
  const { error } = (await runScript(["台所", "やあ"], worker(engine, both.voice))) as { error: string };
  expect(error).toMatch(/^speak failed: HTTP 404 .*unknown_device.*居間/);
  await using stranger = await startVariables(new Map([["f/voice/speak_token", "another"]]));
  const refused = (await runScript(["居間", "やあ"], worker(stranger, both.voice))) as { error: string };
  expect(refused.error).toMatch(/^speak failed: HTTP 401 .*unauthorized/);
  expect(error + refused.error).not.toContain(TOKEN);
});

test("a device that is busy for longer than the script waits is refused at once, by name", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  await using both = await startReady({ VOICE_TOKEN: TOKEN, VOICE_SPEECH_MS: "60000", VOICE_CHARACTER_MS: "10000" });
  await runScript(["居間", "一二三四五"], worker(engine, both.voice));
  const { error } = (await runScript(["居間", "二"], worker(engine, both.voice))) as { error: string };
  expect(error).toMatch(/^speak failed: HTTP 429 .*queue_full.*居間 is busy.*retry_after/);
  expect(error).not.toContain("network");
});

test("an announcement of the script goes out with its priority", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  await using both = await startReady({ VOICE_TOKEN: TOKEN });
  expect(await runScript(["居間", "火事です", null, "announcement"], worker(engine, both.voice))).toMatchObject({
    result: { ok: true },
  });
});

test("an unreachable server is an error that says what to check", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  const nowhere = { url: `http://127.0.0.1:${await freePort()}` };
  const { error } = (await runScript(["居間", "やあ"], worker(engine, nowhere))) as { error: string };
  expect(error).toMatch(/^speak failed: http:.* gave no answer .*on its network/);
});

test("a missing variable is an error that names its path", async () => {
  await using engine = await startVariables(new Map());
  await using both = await startReady({ VOICE_TOKEN: TOKEN });
  expect(await runScript(["居間", "やあ"], worker(engine, both.voice))).toEqual({
    error: "variable f/voice/speak_token cannot be read: HTTP 404; it holds the server's VOICE_TOKEN",
  });
});

test("the engine's official client reads the same variables with the same request", async () => {
  await using engine = await startVariables(new Map([["f/voice/speak_token", TOKEN]]));
  await using both = await startReady({ VOICE_TOKEN: TOKEN });
  await runScript(["居間", "やあ"], worker(engine, both.voice));
  using _client = pointOfficialClientAt(engine, engine);
  expect(await getVariable("f/voice/speak_token")).toBe(TOKEN);
  await expect(getVariable("f/voice/none")).rejects.toThrow("not found");
  const [ours, theirs] = engine.received;
  expect([theirs?.method, theirs?.url, theirs?.headers.authorization]).toEqual([
    ours?.method,
    ours?.url,
    ours?.headers.authorization,
  ]);
});
