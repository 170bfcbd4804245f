// Names that do not exist in the place of the target's values: of the same shape, and refused at once where one connects.

export type Decoys = ReadonlyMap<string, string>;

type Given = {
  readonly target: Readonly<Record<string, string>>;
  /** A directory of something else, in the place of `compose_dir`. */
  readonly directory: string;
};

const HOST_KEY = /(^|_)(host|hostname|fqdn|domain|server|node|machine|address|addr|ip|ipv4|ipv6|gateway|dns)(_|$)/;
const PORT_KEY = /(^|_)port(_|$)/;
const NUMBER_KEY = /(^|_)(id|vmid|ctid|pid|uid|gid|vlan|number|no|index)$|^(vm|ct|id)$/;
const WORD_VALUE = /^(true|false|yes|no|on|off|none|null|all|any|\*)$/i;

const IPV4 = /^(\d{1,3}\.){3}\d{1,3}$/;
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*$/i;
const URL = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/@]*@)?(\[[^\]]*\]|[^:/?#]*)(:\d+)?(.*)$/i;
const HOST_AND_PORT = /^([A-Za-z0-9.-]+):(\d{1,5})$/;
const DOMAIN = /^([a-z0-9-]+\.)+([a-z]{2,24})$/i;
/** The end of a file name or of a unit, and not of a domain. */
const EXTENSION =
  /\.(service|timer|socket|mount|target|path|slice|ya?ml|json|toml|conf|cfg|ini|env|sh|py|js|ts|log|db|sqlite|sql|git|tar|gz|tgz|zip|img|iso|txt|md|pem|crt|key)$/;

/** Attributes whose value names nothing, such as a switch or a number of replicas, have no decoy. */
export function decoysOf({ target, directory }: Given): Decoys {
  const decoys = new Map<string, string>();
  const byValue = new Map<string, string>();
  for (const [key, value] of Object.entries(target)) {
    const held = key === "compose_dir" ? undefined : byValue.get(value);
    const decoy = held ?? decoyOfValue(key, value, { directory, at: decoys.size, taken: new Set(byValue.values()) });
    if (decoy === null) continue;
    byValue.set(value, decoy);
    decoys.set(key, decoy);
  }
  return decoys;
}

/** `at` counts the attributes before this one; `taken`: the decoys of their values. */
type Place = { readonly directory: string; readonly at: number; readonly taken: ReadonlySet<string> };

const BROADCAST = "255.255.255.255";

function decoyOfValue(key: string, value: string, place: Place): string | null {
  if (value === "" || WORD_VALUE.test(value)) return null;
  if (key === "compose_dir") return place.directory;
  if (value.startsWith("/") || value.startsWith("~/"))
    return value === "/" ? null : `${place.directory}/${nothere(value)}${EXTENSION.exec(value)?.[0] ?? ""}`;
  if (PORT_KEY.test(key)) return /^\d{1,5}$/.test(value) ? unusedPort(place.at) : null;
  if (/^\d+$/.test(value)) return NUMBER_KEY.test(key) ? String(990_000_000 + (hash(value) % 9_000_000)) : null;
  if (IPV4.test(value)) return address(place, value);
  if (IPV6.test(value)) return "ff01::dead:1";
  const url = URL.exec(value);
  if (url !== null) return elsewhere(url, place);
  const service = HOST_AND_PORT.exec(value);
  if (service !== null && (HOST_KEY.test(key) || DOMAIN.test(service[1] ?? "")))
    return `${nothere(value)}.invalid:${unusedPort(place.at)}`;
  if (HOST_KEY.test(key) || (DOMAIN.test(value) && !EXTENSION.test(value))) return `${nothere(value)}.invalid`;
  return plain(value);
}

function elsewhere([, scheme = "", host = "", port, rest = ""]: readonly (string | undefined)[], place: Place): string {
  const name = IPV4.test(host) ? address(place, host) : `${nothere(host)}.invalid`;
  return `${scheme}${name}${port === undefined ? "" : `:${unusedPort(place.at)}`}${rest}`;
}

/** Above the ports that systems hand out by themselves, and not the start of another number. */
const unusedPort = (at: number): string => String(64_711 + at);

/** A connection to the broadcast address, or to a multicast one, is refused by the own kernel. Nothing is sent. */
const address = ({ at, taken }: Place, value: string): string =>
  taken.has(BROADCAST) ? `239.255.${hash(value) % 250}.${(at % 250) + 1}` : BROADCAST;

/** `org/name:tag` keeps its shape. */
function plain(value: string): string {
  const extension = EXTENSION.exec(value)?.[0] ?? "";
  if (!/^[\w.+-]+([/:@][\w.+-]+)+$/.test(value)) return nothere(value) + extension;
  return value.replace(/[\w.+-]+/g, (segment) => nothere(segment));
}

const nothere = (value: string): string => `nothere-${(hash(value) % 36 ** 4).toString(36).padStart(4, "0")}`;

/** FNV-1a: the same value has the same decoy in every run. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
