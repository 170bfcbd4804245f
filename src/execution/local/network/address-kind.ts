// Says what an IP address leads to, seen from this machine, in each of its spellings.
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** `link_local`: also where a cloud offers a machine its credentials. `nowhere`: no single host has it. */
export type AddressKind = "this_machine" | "link_local" | "nowhere" | "elsewhere";

type Range = readonly [string, number, "ipv4" | "ipv6"];

const listOf = (ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [net, prefix, family] of ranges) list.addSubnet(net, prefix, family);
  return list;
};

const LOOPBACK = listOf([
  ["127.0.0.0", 8, "ipv4"],
  ["::1", 128, "ipv6"],
]);

const LINK_LOCAL = listOf([
  ["169.254.0.0", 16, "ipv4"],
  ["fe80::", 10, "ipv6"],
  // Metadata services of clouds that are not link-local.
  ["100.100.100.200", 32, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["fd00:ec2::254", 128, "ipv6"],
]);

const NOWHERE = listOf([
  ["0.0.0.0", 8, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 128, "ipv6"],
  ["ff00::", 8, "ipv6"],
]);

/** An address of version 4 within one of version 6: mapped, or by the prefix of a translator. */
const WITHIN_6 = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/;

/** In one spelling, and of version 4 where that is what is reached. */
export function plainAddress(given: string): string {
  const bare = given.replace(/^\[|\]$|%.*$/g, "");
  if (isIP(bare) !== 6) return bare;
  const spelled = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = WITHIN_6.exec(spelled) ?? [];
  if (high === undefined || low === undefined) return spelled;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

/** `own` are the addresses of this machine; `address` is plain. */
export function kindOf(address: string, own: ReadonlySet<string> = ownAddresses()): AddressKind {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (LOOPBACK.check(address, family) || own.has(address)) return "this_machine";
  if (LINK_LOCAL.check(address, family)) return "link_local";
  return NOWHERE.check(address, family) ? "nowhere" : "elsewhere";
}

/** They may change while orch runs. */
const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => plainAddress(address))));
