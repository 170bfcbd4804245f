// Whether a token may be typed into the console: on this machine, or where a listed proxy has received the request over TLS (D-338).
import { BlockList, isIPv6 } from "node:net";
import type { Call } from "../context.ts";
import { addressOf, isLocalHost } from "../guards.ts";

export type IsPrivate = (request: Call) => boolean;

/** `proxies` are addresses, or networks such as 10.0.0.0/8. */
export function createTransport(proxies: readonly string[]): {
  readonly isPrivate: IsPrivate;
  readonly isTls: IsPrivate;
} {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  // A proxy appends what it has seen to what the client claims.
  const isTls: IsPrivate = (request) => {
    const address = addressOf(request);
    const [claimed = ""] = (request.headersDistinct["x-forwarded-proto"] ?? []).slice(-1);
    return trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4") && /(^|,)\s*https\s*$/i.test(claimed);
  };
  return { isTls, isPrivate: (request) => isLocalHost(request) || isTls(request) };
}
