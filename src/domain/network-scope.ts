// What a contract lets the commands of an agent connect to: the hosts and ports that its scope and its target name (D-255).
// Only names are compared here. What a name resolves to is judged where the connection is made.
import type { TaskContract } from "./contract.ts";

/** `port` is null for every port. `from` is the field or setting that names it. */
export type WayOut = { readonly host: string; readonly port: number | null; readonly from: string };

type Endpoint = Pick<WayOut, "host" | "port">;

/** This machine, under each name that it has for itself. */
export const THIS_MACHINE = "localhost";

const LOOPBACK = /^(localhost|.*\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|127\..*|0\.0\.0\.0)$/;
const LOOPBACK_6 = /^\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)?\]$/;

/**
 * The host as a URL spells it, without the dot that may end a name: `127.1` is 127.0.0.1, and an address of version 6 is in
 * brackets. Null when it is none.
 */
export function hostSpelled(given: string): string | null {
  const bare = given.replace(/^\[|\]$/g, "");
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}/`;
  if (!/^[\w.:-]{1,253}$/.test(bare) || !URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/\.$/, "") || null;
}

/** The same, and THIS_MACHINE for each spelling of it. */
export function hostNamed(given: string): string | null {
  const host = hostSpelled(given);
  return host !== null && (LOOPBACK.test(host) || LOOPBACK_6.test(host)) ? THIS_MACHINE : host;
}

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443, ssh: 22, git: 9418, ftp: 21 };
const URL_LIKE = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@\s]*@)?(\[[\da-f:.]+\]|[^/?#:@\s]+)(?::(\d{1,5}))?(?:[/?#]\S*)?$/i;
/** `git@host:path`, the form of git and scp. */
const REMOTE_PATH = /^[\w.-]+@([\w.-]+):(?!\d+$)\S+$/;
const ENDPOINT = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]*:[\da-f:.]*\]|[\da-f]*:[\da-f:.]*:[\da-f:.]*)$/i;
/** A word without a dot is the name of a scope or a service. */
const DOTTED_NAME = /^[\w-]+(\.[\w-]+)*\.[a-z][a-z-]+\.?$/i;

/** Null when the text names no host. */
export function endpointNamed(text: string): Endpoint | null {
  const [, scheme, ofUrl, url_port] = URL_LIKE.exec(text) ?? [];
  if (scheme !== undefined && ofUrl !== undefined) {
    const port = url_port === undefined ? PORTS[scheme.toLowerCase()] : Number(url_port);
    return port === undefined ? null : at(ofUrl, port);
  }
  const [, remote] = REMOTE_PATH.exec(text) ?? [];
  if (remote !== undefined) return at(remote, 22);
  const [, named, port] = ENDPOINT.exec(text) ?? [];
  if (named !== undefined) return at(named, Number(port));
  return ADDRESS.test(text) || DOTTED_NAME.test(text) ? at(text, null) : null;
}

function at(given: string, port: number | null): Endpoint | null {
  const host = hostNamed(given);
  return host === null || (port !== null && (port < 1 || port > 65_535)) ? null : { host, port };
}

/** Words of the scope that name no host, however they look: `cmd:8080` is a program. */
const SCOPE_WORD = /^(cmd|write):/i;
/** They hold a directory, a branch and a stage, which may look like a host. */
const NO_HOST: ReadonlySet<string> = new Set(["compose_dir", "branch", "environment"]);

/** In the order of the contract. The payload names none: it is input, and the specification counts no field of it as target. */
export function waysOutOf({ constraints, target }: Pick<TaskContract, "constraints" | "target">): WayOut[] {
  const scope = constraints.implicit_scope.filter((entry) => !SCOPE_WORD.test(entry));
  const attributes = Object.entries(target).filter(([name]) => name !== "host" && !NO_HOST.has(name));
  return [
    ...scope.flatMap((entry) => wayTo(endpointNamed(entry), "constraints.implicit_scope")),
    ...attributes.flatMap(([name, value]) => wayTo(endpointNamed(value), `target.${name}`)),
    ...wayTo(hostOfTarget(target), "target.host"),
  ];
}

/** The attribute `host` holds a host, also one without a dot. Beside it, `port` is the port of that host. */
function hostOfTarget({ host = "", port = "" }: TaskContract["target"]): Endpoint | null {
  const named = endpointNamed(host);
  return named?.port == null ? at(host, /^\d{1,5}$/.test(port) ? Number(port) : null) : named;
}

const wayTo = (endpoint: Endpoint | null, from: string): WayOut[] => (endpoint === null ? [] : [{ ...endpoint, from }]);

const PATTERN = /^(\*|(?:\*\.)?[\w.-]+|\[[\da-f:.]+\])(?::(\*|\d{1,5}))?$/i;

/** A pattern of a setting: `host`, `host:port`, `*.example.com:443`, `*:443`. Null when it is none. */
export function patternNamed(text: string): Endpoint | null {
  const [, named, digits = "*"] = PATTERN.exec(text) ?? [];
  if (named === undefined) return null;
  const port = digits === "*" ? null : Number(digits);
  if (named === "*") return at("any.invalid", port) === null ? null : { host: "*", port };
  const found = at(named.replace(/^\*\./, ""), port);
  return found === null || !named.startsWith("*.") ? found : { ...found, host: `*.${found.host}` };
}

/** The first way to this host and port, both as they were asked for; null when none is named. */
export function wayTaken(ways: readonly WayOut[], host: string, port: number): WayOut | null {
  return ways.find((way) => (way.port === null || way.port === port) && covers(way.host, host)) ?? null;
}

function covers(pattern: string, host: string): boolean {
  if (pattern === "*") return host !== THIS_MACHINE;
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}
