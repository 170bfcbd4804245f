// Judges one connection that a command of an agent asks for: whether the contract or the site names it, what its name
// resolves to, and whether it is one of orch's own servers (D-255). The caller connects to the addresses that were judged, so
// that a name cannot resolve to another one in between.
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { hostNamed, hostSpelled, THIS_MACHINE, type WayOut, wayTaken } from "../../../domain/network-scope.ts";

/** A server that orch itself uses. `what` ends a sentence that begins with "it is". */
export type KeptServer = { readonly what: string; readonly host: string; readonly port: number };

type NetworkRules = {
  readonly ways: readonly WayOut[];
  /** No contract and no setting opens these. */
  readonly kept: readonly KeptServer[];
};

type Judged =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type JudgeConnection = (host: string, port: number) => Promise<Judged>;

/** Parts of the machine that a test replaces. */
type Surroundings = {
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  readonly kind?: (address: string) => AddressKind;
};

type Destination = { readonly name: string; readonly port: number; readonly way: WayOut };

export function createConnectionJudge(
  { ways, kept }: NetworkRules,
  { resolve = addressesOf, kind = kindOf }: Surroundings = {},
): JudgeConnection {
  const keptAt = async (address: string, port: number): Promise<KeptServer | null> => {
    const isHere = kind(address) === "this_machine";
    for (const server of kept.filter((one) => one.port === port)) {
      const addresses = await addressesNamed(server.host, resolve);
      if (addresses.some((one) => one === address || (isHere && kind(one) === "this_machine"))) return server;
    }
    return null;
  };
  const reasonAgainst = async (address: string, { name, port, way }: Destination): Promise<string | null> => {
    const server = await keptAt(address, port);
    if (server !== null) return keptReason(server);
    const found = bareOf(name) === address || name === THIS_MACHINE ? "it is" : `${name} resolves to ${address},`;
    switch (kind(address)) {
      case "elsewhere":
        return null;
      case "nowhere":
        return `${found} an address of no single host`;
      case "link_local":
        return `${found} a link-local address, which no contract and no setting opens`;
      case "this_machine":
        if (way.port === null) return `${found} this machine, and ${way.from} names no port. ${opens(name, port)}`;
        return way.host === name && isKnownHere(name)
          ? null
          : `${found} an address of this machine. ${opens(address, port)}`;
    }
  };
  return async (host, port) => {
    const name = hostNamed(host);
    if (name === null) return refused("it is no name of a host");
    const ofKept = kept.find((server) => server.port === port && hostNamed(server.host) === name);
    if (ofKept !== undefined) return refused(keptReason(ofKept));
    const way = wayTaken(ways, name, port);
    if (way === null) return refused(`the contract does not name it. ${opens(name, port)}`);
    const addresses = await addressesNamed(host, resolve);
    const reasons = await Promise.all(addresses.map((address) => reasonAgainst(address, { name, port, way })));
    const open = addresses.filter((_, at) => reasons[at] === null);
    if (open.length > 0) return { ok: true, addresses: open };
    return refused(reasons[0] ?? `the name ${name} cannot be resolved`);
  };
}

const bareOf = (name: string): string => name.replace(/^\[|\]$/g, "");

const refused = (reason: string): Judged => ({ ok: false, reason });

const opens = (host: string, port: number): string =>
  `"${isIP(host) === 6 ? `[${host}]` : host}:${port}" in constraints.implicit_scope opens it, or in AGENT_NETWORK of the server`;

const keptReason = ({ what }: KeptServer): string => `it is ${what}, which no contract and no setting opens`;

/** Its own name, or an address as it is. Any other name could be made to lead here. */
const isKnownHere = (name: string): boolean =>
  name === THIS_MACHINE || isIP(bareOf(name)) !== 0 || name === hostname().toLowerCase();

/** Plain addresses. A name of this machine is not looked up. */
async function addressesNamed(
  host: string,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const spelled = hostSpelled(host) ?? host;
  const bare = plainAddress(spelled);
  if (bare === "0.0.0.0") return ["127.0.0.1"];
  if (bare === "::") return ["::1"];
  if (isIP(bare) !== 0) return [bare];
  if (hostNamed(host) === THIS_MACHINE) return ["127.0.0.1", "::1"];
  return [...new Set((await resolve(spelled)).map(plainAddress))];
}

/** None where the name cannot be resolved. */
const addressesOf = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true, verbatim: true }).catch(() => [])).map(({ address }) => address);

// Says what an IP address leads to, seen from this machine, in each of its spellings.

/** `link_local`: also where a cloud offers a machine its credentials. `nowhere`: no single host has it. */
type AddressKind = "this_machine" | "link_local" | "nowhere" | "elsewhere";

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
