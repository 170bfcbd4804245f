// The voice server's composition root: listens on port 3500 until it receives a signal to stop [1.B.1]. With the argument
// `doctor` it examines the account instead.
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createCookieSource } from "./cookie-source/cookie-source.ts";
import { doctor } from "./doctor/doctor.ts";
import { readSettings, type Settings } from "./environment.ts";
import { createApp } from "./http/app.ts";
import { createHttpServer } from "./http/server.ts";
import { createLog, type VoiceLog } from "./log.ts";
import { createSpeeches, createSpeechQueue } from "./speech-queue.ts";
import { createSessions, type Sessions } from "./upstream/session.ts";
import { createSpeak } from "./upstream/speak.ts";
import { createUpstream } from "./upstream/upstream.ts";
import { VoiceError } from "./voice-error.ts";

type Voice = { readonly url: string; readonly stop: () => Promise<void> };

/** Serves at once. The cookie is loaded meanwhile, so that the log says when something is wrong with it. */
export async function startVoice(settings: Settings, write: (line: string) => void): Promise<Voice> {
  const { log, keepSecret } = createLog(settings.log_level, write);
  for (const secret of settings.secrets) keepSecret(secret);
  const { ask, throttled } = createUpstream(settings.upstream);
  const load = createCookieSource(settings.cookie, log, keepSecret);
  const sessions = createSessions({ ask, load, customer_id: settings.customer_id, keepSecret, log });
  const queue = createSpeechQueue(createSpeak(ask, sessions), settings.speak.pace);
  const stopping = new AbortController();
  const app = createApp({
    token: settings.token,
    settings: settings.speak,
    queue,
    speeches: createSpeeches(),
    upstreamState: () => throttled() ?? sessions.state(),
    log,
    stopping: stopping.signal,
  });
  const http = createHttpServer(app, settings);
  const { host, port } = await http.start();
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  log.info({ url }, "the voice server listens");
  warn(settings, log);
  const watch = keepReady(sessions, settings.recheck_ms, log);
  const stop = () => {
    clearInterval(watch);
    stopping.abort();
    return http.stop();
  };
  return { url, stop };
}

function warn({ token, speak, upstream }: Settings, log: VoiceLog): void {
  if (token === null)
    log.warn({}, "no VOICE_TOKEN: the server accepts only this machine, and any program of it may speak");
  else if (token.length < 16) log.warn({}, "VOICE_TOKEN is short; try: openssl rand -base64 32");
  if (/^http:\/\/(?!(127\.|localhost[:/]|\[::1\]))/.test(`${upstream.base_url}/`))
    log.warn({}, "VOICE_UPSTREAM_URL is not https: the cookie can be read on the network");
  if (speak.devices.length === 0) log.warn({}, "no VOICE_DEVICES: there is no device to speak");
}

/** At once, and while the cookie is missing or refused, so that a new one is found before the next speech. */
function keepReady(sessions: Sessions, recheck_ms: number, log: VoiceLog): NodeJS.Timeout {
  const prepare = () => {
    if (sessions.state() === "ready") return;
    sessions.current().catch((error: unknown) => {
      // Sessions log a VoiceError themselves.
      if (!(error instanceof VoiceError)) log.error({ err: error }, "the session could not be obtained");
    });
  };
  prepare();
  return setInterval(prepare, recheck_ms).unref();
}

async function serve(): Promise<void> {
  // The reader of the log may close the pipe; the server continues.
  process.stderr.on("error", () => undefined);
  const voice = await startVoice(readSettings(process.env), (line) => void process.stderr.write(line));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void voice.stop().then(() => process.exit(0)));
  }
}

/** Exits with 1 when something is broken. */
async function diagnose(): Promise<void> {
  const { lines, is_broken } = await doctor(process.env);
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = is_broken ? 1 : 0;
}

const [, startedAs, asked] = process.argv;
if (startedAs !== undefined && (await realpath(startedAs)) === fileURLToPath(import.meta.url)) {
  (asked === "doctor" ? diagnose() : serve()).catch((error: unknown) => {
    process.stderr.write(`the voice server cannot start: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  });
}
