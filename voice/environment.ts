// Parses the environment of the voice server once and reports all faults together, by variable. No message repeats a value,
// because it may be a secret. A value can also be in a file: VOICE_TOKEN_FILE names a file with the value of VOICE_TOKEN.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { CookieSources } from "./cookie-source/cookie-source.ts";
import { Devices } from "./devices.ts";
import { jsonIn } from "./exchange.ts";
import { Locale, type SpeakSettings } from "./http/speak-route.ts";
import type { UpstreamSettings } from "./upstream/upstream.ts";

const whole = (min: number, max: number, fallback: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .default(fallback);

const HttpUrl = z.string().refine((text) => URL.canParse(text) && /^https?:\/\/[^@?#]+$/.test(text), {
  error: "must be an http or https URL without account or parameters",
});

const Secret = z.string().regex(/^[\x21-\x7e]{1,4096}$/, "must be a token without blanks");

const DeviceTable = z.string().transform((text, context) => {
  const value = jsonIn(text);
  const { data, error } = Devices.safeParse(value);
  const issue = error?.issues[0];
  if (data !== undefined) return data;
  const at = issue?.path.join(".") ?? "";
  const wrong = value === undefined ? "it is not JSON" : `${at} ${issue?.message}`.trim();
  const message = `must be JSON such as [{"name":"居間","serial_number":"G0…","device_type":"A3…"}]; ${wrong}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

export const Environment = z.object({
  VOICE_HOST: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, "must be an IP address or a host name")
    .default("127.0.0.1"),
  VOICE_PORT: whole(0, 65_535, 3500),
  VOICE_TOKEN: Secret.optional(),
  VOICE_DEVICES: DeviceTable.default([]),
  VOICE_LOCALE: Locale.default("ja-JP"),
  VOICE_MAX_CHARACTERS: whole(1, 10_000, 2_000),
  VOICE_COOKIE: z.string().optional(),
  VOICE_COOKIE_FILE: z.string().optional(),
  VOICE_COOKIE_VARIABLE: z
    .string()
    .regex(/^[fu](\/[\w-]{1,255}){2,8}$/, "must be the path of a variable such as f/voice/account_cookie")
    .default("f/voice/account_cookie"),
  FLOWENGINE_URL: HttpUrl.optional(),
  FLOWENGINE_TOKEN: Secret.optional(),
  FLOWENGINE_WORKSPACE: z
    .string()
    .regex(/^[\w-]{1,50}$/, "must be the id of a workspace: letters, digits, _ and -")
    .optional(),
  VOICE_CUSTOMER_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/, "must be letters and digits, without quotes")
    .optional(),
  VOICE_UPSTREAM_URL: HttpUrl.default("https://alexa.amazon.co.jp"),
  VOICE_UPSTREAM_TIMEOUT_MS: whole(100, 120_000, 10_000),
  VOICE_GAP_MS: whole(0, 60_000, 1_000),
  VOICE_SPEECH_MS: whole(0, 60_000, 2_000),
  VOICE_CHARACTER_MS: whole(0, 10_000, 150),
  VOICE_QUEUE_LIMIT: whole(1, 10_000, 100),
  VOICE_WAITING_LIMIT: whole(1, 10_000, 400),
  VOICE_RECHECK_SECONDS: whole(1, 86_400, 60),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

type Parsed = z.output<typeof Environment>;

export type Settings = {
  readonly host: string;
  readonly port: number;
  /** Null: the server responds only to this machine (D-159). */
  readonly token: string | null;
  readonly speak: SpeakSettings;
  readonly cookie: CookieSources;
  readonly customer_id: string | null;
  readonly upstream: UpstreamSettings;
  /** The time between two attempts to load a cookie that is missing or refused. */
  readonly recheck_ms: number;
  readonly log_level: string;
  readonly secrets: readonly string[];
};

export type VoiceEnvironment = Readonly<Record<string, string | undefined>>;

/** Throws an Error that names every bad variable. An empty variable counts as unset. */
export function readSettings(environment: VoiceEnvironment): Settings {
  const { env, issues } = withFiles(environment);
  const { data, error } = Environment.safeParse(env);
  for (const { path, message } of error?.issues ?? []) issues.push(`${path.join(".")} ${message}`);
  for (const name of missingTogether(env)) issues.push(`${name} must be set, because another of the engine's is`);
  if (data === undefined || issues.length > 0)
    throw new Error(`the configuration is not valid:\n  ${issues.join("\n  ")}`);
  return settingsOf(data);
}

function settingsOf(env: Parsed): Settings {
  const { FLOWENGINE_URL: url, FLOWENGINE_TOKEN: token, FLOWENGINE_WORKSPACE: workspace } = env;
  const path = env.VOICE_COOKIE_VARIABLE;
  const known = url !== undefined && token !== undefined && workspace !== undefined;
  return {
    host: env.VOICE_TOKEN === undefined ? "127.0.0.1" : env.VOICE_HOST,
    port: env.VOICE_PORT,
    token: env.VOICE_TOKEN ?? null,
    speak: {
      devices: env.VOICE_DEVICES,
      locale: env.VOICE_LOCALE,
      max_characters: env.VOICE_MAX_CHARACTERS,
      pace: {
        speech_ms: env.VOICE_SPEECH_MS,
        character_ms: env.VOICE_CHARACTER_MS,
        limit: env.VOICE_QUEUE_LIMIT,
        total: env.VOICE_WAITING_LIMIT,
      },
    },
    cookie: {
      variable: known ? { url, token, workspace, path } : null,
      file: env.VOICE_COOKIE_FILE ?? null,
      environment: env.VOICE_COOKIE ?? null,
    },
    customer_id: env.VOICE_CUSTOMER_ID ?? null,
    upstream: {
      base_url: env.VOICE_UPSTREAM_URL.replace(/\/+$/, ""),
      timeout_ms: env.VOICE_UPSTREAM_TIMEOUT_MS,
      gap_ms: env.VOICE_GAP_MS,
    },
    recheck_ms: env.VOICE_RECHECK_SECONDS * 1_000,
    log_level: env.LOG_LEVEL,
    secrets: [env.VOICE_TOKEN, token, env.VOICE_CUSTOMER_ID].filter((secret) => secret !== undefined),
  };
}

/** The cookie's file is not listed: its source reads it repeatedly. */
const FROM_FILES = ["VOICE_TOKEN", "VOICE_DEVICES", "FLOWENGINE_TOKEN"];

function withFiles(environment: VoiceEnvironment): { env: Record<string, string>; issues: string[] } {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const env = Object.fromEntries(set);
  const issues: string[] = [];
  for (const name of FROM_FILES) {
    const file = env[`${name}_FILE`];
    if (file === undefined) continue;
    if (env[name] !== undefined) issues.push(`${name}_FILE must not be set, because ${name} is`);
    try {
      env[name] = readFileSync(file, "utf8").trim();
    } catch (error) {
      issues.push(`${name}_FILE cannot be read (${error instanceof Error && "code" in error ? error.code : error})`);
    }
  }
  return { env, issues };
}

const ENGINE = ["FLOWENGINE_URL", "FLOWENGINE_TOKEN", "FLOWENGINE_WORKSPACE"];

function missingTogether(env: Record<string, string>): string[] {
  const missing = ENGINE.filter((name) => env[name] === undefined);
  return missing.length === ENGINE.length ? [] : missing;
}
