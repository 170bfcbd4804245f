// The voice server within the test's process, pointed at a simulated provider, and a caller of it.
import { readSettings, type VoiceEnvironment } from "../../../voice/environment.ts";
import { startVoice } from "../../../voice/main.ts";
import {
  COOKIE,
  KITCHEN,
  LIVING_ROOM,
  startVoiceProvider,
  type VoiceProvider,
} from "../../simulators/voice-provider/voice-provider.ts";

export const DEVICES = [
  { name: "居間", ...LIVING_ROOM },
  { name: "Kitchen", ...KITCHEN, volume: 30 },
];

/** A server that neither paces nor pauses, unless `env` says otherwise. */
export const quick = (upstream: { readonly url: string }, env: VoiceEnvironment = {}): VoiceEnvironment => ({
  VOICE_PORT: "0",
  VOICE_UPSTREAM_URL: upstream.url,
  VOICE_DEVICES: JSON.stringify(DEVICES),
  VOICE_COOKIE: COOKIE,
  VOICE_GAP_MS: "0",
  VOICE_SPEECH_MS: "0",
  VOICE_CHARACTER_MS: "0",
  ...env,
});

export type Told = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers };

export async function startVoiceServer(upstream: Pick<VoiceProvider, "url">, env: VoiceEnvironment = {}) {
  const lines: string[] = [];
  const settings = readSettings(quick(upstream, env));
  const voice = await startVoice(settings, (line) => void lines.push(line));
  const call = async (path: string, init: RequestInit = {}): Promise<Told> => {
    const response = await fetch(voice.url + path, init);
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    };
  };
  const post = (body: unknown, { path = "/speak", headers = {}, ...init }: RequestInit & { path?: string } = {}) =>
    call(path, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      body: JSON.stringify(body),
      ...init,
    });
  return {
    url: voice.url,
    stop: voice.stop,
    call,
    post,
    /** To the living room, unless `more` names another device. */
    speak: (text: string, more: object = {}) => post({ device: "居間", text, ...more }),
    log: () => lines.join(""),
    [Symbol.asyncDispose]: voice.stop,
  };
}

/** Both, and the server has obtained what it needs. */
export async function startReady(env: VoiceEnvironment = {}, options: { csrf?: string } = {}) {
  const upstream = await startVoiceProvider(options);
  const voice = await startVoiceServer(upstream, env);
  while ((await voice.call("/health")).body["upstream"] === "not_asked") {}
  return {
    upstream,
    voice,
    [Symbol.asyncDispose]: async () => {
      await voice.stop();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
