// Runs `npm run voice -- doctor`: walks the way of a speech up to where it would be spoken, and says how far it gets: the cookie,
// the csrf, the customer id, and the devices of the account beside those of the table. It makes no device speak.
import { z } from "zod";
import { type AccountCookie, createCookieSource } from "../cookie-source/cookie-source.ts";
import type { Device, SpeakTarget } from "../devices.ts";
import { readSettings, type Settings, type VoiceEnvironment } from "../environment.ts";
import type { VoiceLog } from "../log.ts";
import { accountRefusal, jsonOf, refuseFailure } from "../upstream/refusals.ts";
import { obtainCsrf, obtainCustomerId } from "../upstream/session.ts";
import { type AskUpstream, createUpstream } from "../upstream/upstream.ts";
import { VoiceError } from "../voice-error.ts";

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

type AccountFinding = { readonly state: "works" | "warns" | "broken" | "off"; readonly found: string };

const Listed = z.object({
  accountName: z.string(),
  serialNumber: z.string(),
  deviceType: z.string(),
  deviceFamily: z.string().optional(),
  online: z.boolean().optional(),
});
type Listed = z.infer<typeof Listed>;
const List = z.object({ devices: z.array(Listed) });

/**
 * Compares the table of devices with those of the account. The provider's list is asked for here only: speaking needs no list
 * (D-151). One finding for each device of the table, and one for each that the account has besides.
 */
async function examineDevices(
  ask: AskUpstream,
  cookie: AccountCookie,
  targets: readonly SpeakTarget[],
): Promise<AccountFinding[]> {
  const answer = await ask({ method: "GET", path: "/api/devices-v2/device?cached=false", cookie: cookie.pairs });
  const refusal = accountRefusal(answer);
  if (refusal !== null) throw refusal;
  refuseFailure(answer);
  const listed = List.safeParse(jsonOf(answer)).data?.devices;
  if (listed === undefined)
    return [{ state: "warns", found: `the provider sends no list of devices (${answer.status}); speaking needs none` }];
  const table = targets.flatMap(({ devices }) => (devices.length === 1 ? devices : []));
  const known = new Set(table.map(({ serial_number }) => serial_number));
  const others = listed.filter(({ serialNumber }) => !known.has(serialNumber));
  return [...table.map((device) => compared(device, listed)), ...others.map(besides)];
}

function compared({ name, serial_number, device_type }: Device, listed: readonly Listed[]): AccountFinding {
  const found = listed.find(({ serialNumber }) => serialNumber === serial_number);
  if (found === undefined)
    return { state: "broken", found: `${name}: the account has no device with this serial_number` };
  if (found.deviceType !== device_type)
    return { state: "broken", found: `${name}: device_type must be ${found.deviceType}` };
  if (found.deviceFamily === "WHA")
    return { state: "broken", found: `${name}: a group of the provider does not speak; name its members in "members"` };
  if (found.online === false) return { state: "warns", found: `${name}: the device is offline` };
  return { state: "works", found: `${name}: ${found.accountName}` };
}

const besides = ({
  accountName: name,
  serialNumber: serial_number,
  deviceType: device_type,
}: Listed): AccountFinding => ({
  state: "off",
  found: `not in the table: ${JSON.stringify({ name, serial_number, device_type })}`,
});
