// `npm run voice -- doctor`: walks the way of a speech up to where it would be spoken, and says how far it gets: the cookie, the
// csrf, the customer id, and the devices of the account beside those of the table. It makes no device speak.

import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import { createCookieSource } from "../cookie-source/cookie-source.ts";
import { readSettings, type Settings, type VoiceEnvironment } from "../environment.ts";
import type { VoiceLog } from "../log.ts";
import { obtainCsrf } from "../upstream/csrf.ts";
import { obtainCustomerId } from "../upstream/customer-id.ts";
import { createUpstream } from "../upstream/upstream.ts";
import { VoiceError } from "../voice-error.ts";
import { type AccountFinding, examineDevices } from "./account-devices.ts";

type Report = { readonly lines: string[]; readonly is_broken: boolean };

export async function doctor(environment: VoiceEnvironment): Promise<Report> {
  const findings: [string, AccountFinding][] = [];
  let is_broken = false;
  /** Null when it is broken, or something before it is. */
  const step = async <T>(name: string, look: () => Promise<[T, ...AccountFinding[]]>): Promise<T | null> => {
    const [value, ...found] = is_broken ? [null, NOT_TRIED] : await look().catch(broken);
    for (const one of found) findings.push([name, one]);
    is_broken ||= found.some(({ state }) => state === "broken");
    return value;
  };
  const settings = await step("configuration", async () => configured(environment));
  if (settings !== null) await walk(settings, step);
  return { lines: findings.map(([name, finding]) => lineOf(name, finding)), is_broken };
}

type Step = <T>(name: string, look: () => Promise<[T, ...AccountFinding[]]>) => Promise<T | null>;

async function walk(settings: Settings, step: Step): Promise<void> {
  const { ask } = createUpstream(settings.upstream);
  const cookie = await step("cookie", () => readCookie(settings));
  // A step after one that is broken is not tried, so it gets no empty cookie.
  const account = cookie ?? { pairs: "", csrf: null };
  await step("csrf", async () => [null, works(`sent by ${(await obtainCsrf(ask, account)).from}`)]);
  await step("customer id", async () => {
    const { from } = await obtainCustomerId(ask, account, settings.customer_id);
    return [null, works(`from ${from}`)];
  });
  await step("devices", async () => [null, ...(await examineDevices(ask, account, settings.speak.devices))]);
}

function configured(environment: VoiceEnvironment): [Settings, AccountFinding] {
  const settings = readSettings(environment);
  const { token, upstream, speak } = settings;
  const callers = token === null ? "programs of this machine only" : "callers with VOICE_TOKEN";
  return [settings, works(`${callers}; ${speak.devices.length} names; the provider is ${upstream.base_url}`)];
}

async function readCookie({ cookie }: Settings): Promise<[AccountCookie, AccountFinding]> {
  let from = "";
  const info: VoiceLog["info"] = (details) => {
    if ("from" in details) from = String(details.from);
  };
  const log: VoiceLog = { debug: info, info, warn: info, error: info };
  const read = await createCookieSource(cookie, log, () => undefined)();
  const found = `from ${from}, ${read.pairs.split("; ").length} values`;
  if (/(^|; )at-acbjp=/.test(read.pairs)) return [read, works(found)];
  return [read, { state: "warns", found: `${found}; at-acbjp is missing, which a login at the Japanese site sets` }];
}

const works = (found: string): AccountFinding => ({ state: "works", found });
const NOT_TRIED: AccountFinding = { state: "off", found: "not tried" };

const broken = (error: unknown): [null, AccountFinding] => {
  const found = error instanceof Error ? error.message : String(error);
  return [null, { state: "broken", found: error instanceof VoiceError ? `${error.code}: ${found}` : found }];
};

const lineOf = (name: string, { state, found }: AccountFinding): string =>
  `${name.padEnd(14)}${state.padEnd(8)}${found.replaceAll("\n", `\n${" ".repeat(22)}`)}`;
