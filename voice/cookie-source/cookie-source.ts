// Loads the cookie from the flow engine's secret variable, a file or the environment, in this order, and reads it into the form
// in which it is sent. It is loaded again after the provider refuses it, so that it can be replaced without a restart.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { exchange, jsonIn } from "../exchange.ts";
import type { VoiceLog } from "../log.ts";
import { VoiceError } from "../voice-error.ts";

export type CookieSources = {
  readonly variable: FlowEngineVariable | null;
  readonly file: string | null;
  readonly environment: string | null;
};

/** Rejects with `cookie_missing` or `cookie_unreadable`, which say for every source what is wrong with it. */
export type LoadCookie = () => Promise<AccountCookie>;

type Source = { readonly name: string; readonly read: () => Promise<VariableReading> };

const MAX_FILE_BYTES = 64 * 1024;

export function createCookieSource(
  sources: CookieSources,
  log: VoiceLog,
  keepSecret: (text: string) => void,
): LoadCookie {
  const all = sourcesOf(sources);
  let last_logged = "";
  const logOnce = (from: string, passed_over: readonly string[]) => {
    const entry = JSON.stringify([from, passed_over]);
    if (entry !== last_logged) log.info({ from, passed_over }, "the cookie was read");
    last_logged = entry;
  };
  const known = new Map<string, AccountCookie>();
  return async () => {
    const reasons: string[] = [];
    let is_unreadable = false;
    for (const { name, read } of all) {
      const reading = await read();
      const parsed = reading.ok ? readAccountCookie(reading.value) : reading;
      if (!parsed.ok) reasons.push(`${name}: ${parsed.reason}`);
      is_unreadable ||= !reading.ok && reading.unreadable === true;
      const before = !reading.ok && reading.unanswered === true ? known.get(name) : undefined;
      const cookie = parsed.ok ? parsed.cookie : before;
      if (cookie === undefined) continue;
      known.set(name, cookie);
      for (const secret of secretsOf(cookie)) keepSecret(secret);
      logOnce(name, reasons);
      return cookie;
    }
    if (is_unreadable) throw new VoiceError("cookie_unreadable", unreadable(reasons));
    throw new VoiceError("cookie_missing", missing(reasons));
  };
}

const secretsOf = ({ pairs, csrf }: AccountCookie): string[] => [
  pairs,
  ...pairs.split("; ").map((pair) => pair.slice(pair.indexOf("=") + 1)),
  csrf ?? "",
];

function sourcesOf({ variable, file, environment }: CookieSources): Source[] {
  const all: Source[] = [];
  if (variable !== null) {
    const name = `variable ${variable.path} of the flow engine`;
    all.push({ name, read: () => readFlowEngineVariable(variable) });
  }
  if (file !== null) all.push({ name: "VOICE_COOKIE_FILE", read: () => readCookieFile(file) });
  if (environment !== null) {
    all.push({ name: "VOICE_COOKIE", read: async () => ({ ok: true, value: environment }) });
  }
  return all;
}

async function readCookieFile(file: string): Promise<VariableReading> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > MAX_FILE_BYTES) return { ok: false, reason: "the file is too large for a cookie" };
    return { ok: true, value: bytes.toString("utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return { ok: false, reason: `the file cannot be read (${code})`, unreadable: code !== "ENOENT" };
  }
}

/** A new cookie would not help. */
const unreadable = (reasons: readonly string[]): string =>
  `The account cookie cannot be read. ${reasons.join(". ")}. Correct this; the cookie itself may be right.`;

const missing = (reasons: readonly string[]): string =>
  reasons.length === 0
    ? "No source of the account cookie is configured; set FLOWENGINE_URL, VOICE_COOKIE_FILE or VOICE_COOKIE."
    : `There is no account cookie. ${reasons.join(". ")}. Obtain one with: npm run --silent cookie`;

type FlowEngineVariable = {
  readonly url: string;
  readonly workspace: string;
  readonly token: string;
  /** For example f/voice/account_cookie. */
  readonly path: string;
};

const TIMEOUT_MS = 5_000;

const REASONS: ReadonlyMap<number, string> = new Map([
  [401, "the engine does not accept FLOWENGINE_TOKEN"],
  [403, "FLOWENGINE_TOKEN may not read it"],
  [404, "the engine has no such variable, or FLOWENGINE_TOKEN may not see it"],
]);

type VariableReading =
  | { readonly ok: true; readonly value: string }
  /** `unanswered`: the value read before may still be right. `unreadable`: there may be a value, which cannot be read. */
  | { readonly ok: false; readonly reason: string; readonly unanswered?: boolean; readonly unreadable?: boolean };

/** Reads the cookie from a secret variable of the flow engine over its HTTP API [1.B.4]. */
async function readFlowEngineVariable(variable: FlowEngineVariable): Promise<VariableReading> {
  const { url, workspace, token, path } = variable;
  const answer = await exchange({
    method: "GET",
    url: `${url.replace(/\/+$/, "")}/api/w/${workspace}/variables/get_value/${path}`,
    headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
    timeout_ms: TIMEOUT_MS,
  });
  if ("fault" in answer) return { ok: false, reason: `the engine did not respond (${answer.cause})`, ...UNANSWERED };
  const { status, text } = answer;
  if (status !== 200) {
    const reason = REASONS.get(status) ?? `the engine answered ${status}`;
    if (status >= 500 || status === 429) return { ok: false, reason, ...UNANSWERED };
    return { ok: false, reason, unreadable: status !== 404 };
  }
  const value = z.string().safeParse(jsonIn(text)).data;
  if (value !== undefined) return { ok: true, value };
  return { ok: false, reason: "the engine's answer is not a JSON string", unreadable: true };
}

const UNANSWERED = { unanswered: true, unreadable: true };

export type AccountCookie = {
  /** Without csrf. */
  readonly pairs: string;
  /** The csrf with which the cookie was stored. */
  readonly csrf: string | null;
};

type CookieReading =
  | { readonly ok: true; readonly cookie: AccountCookie }
  | { readonly ok: false; readonly reason: string };

/**
 * An account cookie in the form in which it is sent: name=value pairs, and the csrf apart, because it is replaced. `reason` never
 * contains a part of the text.
 */
export function readAccountCookie(text: string): CookieReading {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (trimmed === "") return { ok: false, reason: "is empty" };
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(trimmed)) {
    return {
      ok: false,
      reason: "contains a line break or a character that a header cannot contain; store it again, on one line",
    };
  }
  const all = trimmed.split(";").map((pair) => pair.trim());
  const pairs = all.filter((pair) => pair !== "");
  if (!pairs.every((pair) => /^[^\s=]+=/.test(pair))) {
    return {
      ok: false,
      reason: "does not consist of name=value pairs; store only what the cookie tool printed",
    };
  }
  const account = pairs.filter((pair) => !pair.startsWith("csrf="));
  if (account.length === 0) return { ok: false, reason: "contains only a csrf" };
  const csrf = pairs.findLast((pair) => pair.startsWith("csrf="))?.slice("csrf=".length) ?? null;
  return { ok: true, cookie: { pairs: account.join("; "), csrf } };
}
