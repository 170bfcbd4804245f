// Finds an address in a text, in any spelling that reaches it: `localhost:3400`, `127.1`, `[::1]`,
// `/dev/tcp/127.0.0.1/3400`, two words of `nc`.
import { hostNamed } from "../domain/network-scope.ts";

const HOST = String.raw`\[[\da-f:.]+\]|[\w.-]+`;
/** After a host: `:3400`, `", 3400` in the code of another language, ` 3400`. */
const ENDPOINT = new RegExp(String.raw`(?<![\w.-])(${HOST})(?::|["']?\s*,\s*|\s+)(\d{1,5})(?![\w.])`, "gi");
const DEVICE = /\/dev\/(?:tcp|udp)\/([^\s/"']+)\/(\d{1,5})/g;
const URLS = new RegExp(String.raw`(https?):\/\/(?:[^\s/@"']*@)?(${HOST})(?::(\d{1,5}))?`, "gi");
const PORTS = { http: "80", https: "443" } as const;

/** A smaller number before another number is not a host. */
const MIN_NUMERIC = 2 ** 24;

/** `addresses` are `host:port`. Returns the first that the text names, as it is given; null when it names none. */
export function addressIn(text: string, addresses: readonly string[]): string | null {
  const wanted = new Map(addresses.map((address) => [keyOf(address), address]));
  const endpoints = [...text.matchAll(ENDPOINT), ...text.matchAll(DEVICE)]
    .filter(([, host = ""]) => !/^\d+$/.test(host) || Number(host) >= MIN_NUMERIC)
    .map(([, host = "", port]) => `${hostOf(host)}:${port}`);
  const linked = [...text.matchAll(URLS)].map(
    ([, scheme, host = "", port]) =>
      `${hostOf(host)}:${port ?? PORTS[scheme?.toLowerCase() === "https" ? "https" : "http"]}`,
  );
  const first = [...endpoints, ...linked].find((key) => wanted.has(key));
  return first === undefined ? null : (wanted.get(first) ?? null);
}

function keyOf(address: string): string {
  const colon = address.lastIndexOf(":");
  return `${hostOf(address.slice(0, colon))}:${address.slice(colon + 1)}`;
}

/** All addresses of this machine to itself count as one. */
const hostOf = (given: string): string => hostNamed(given) ?? given.toLowerCase();
