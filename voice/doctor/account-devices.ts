// Compares the table of devices with those of the account. The provider's list is asked for here only: speaking needs no list (D-151).
import { z } from "zod";
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import type { Device, SpeakTarget } from "../devices.ts";
import { accountRefusal, jsonOf, refuseFailure } from "../upstream/answers.ts";
import type { AskUpstream } from "../upstream/upstream.ts";

export type AccountFinding = { readonly state: "works" | "warns" | "broken" | "off"; readonly found: string };

const Listed = z.object({
  accountName: z.string(),
  serialNumber: z.string(),
  deviceType: z.string(),
  deviceFamily: z.string().optional(),
  online: z.boolean().optional(),
});
type Listed = z.infer<typeof Listed>;
const List = z.object({ devices: z.array(Listed) });

/** One finding for each device of the table, and one for each that the account has besides. */
export async function examineDevices(
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
