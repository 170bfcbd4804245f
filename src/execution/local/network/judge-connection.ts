// Judges one connection that a command of an agent asks for: whether the contract or the site names it, what its name
// resolves to, and whether it is one of orch's own servers (D-255). The caller connects to the addresses that were judged, so
// that a name cannot resolve to another one in between.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { hostNamed, hostSpelled, THIS_MACHINE, type WayOut, wayTaken } from "../../../domain/network-scope.ts";
import { type AddressKind, kindOf, plainAddress } from "./address-kind.ts";

/** A server that orch itself uses. `what` ends a sentence that begins with "it is". */
export type KeptServer = { readonly what: string; readonly host: string; readonly port: number };

export type NetworkRules = {
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
