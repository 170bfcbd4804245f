// Follows what lies elsewhere: where links and mounts lead, and what a command in a container, a guest or on another machine sees of
// the host.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { deeper, elsewhere, entered, homesOf, type Mount, type State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { has, optionTable, optionValue, parseOptions, words } from "../../words/options.ts";
import { hasGlob, isOpen, UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule } from "../record.ts";

/** Where the volumes with a name are kept. */
const VOLUMES = "/var/lib/docker/volumes";

/** A path of the host, or the name of a volume that is bound to one. */
export function bound(given: string, inside: string, state: State, from = state.location.cwd): readonly Mount[] {
  const host = state.io.volumes.get(given) ?? given;
  if (!/^[./~\uFDD0\uFDD8\uFDDA]/.test(host)) return [{ host: `${VOLUMES}/${host}`, inside: trimmed(inside) }];
  return from.map((cwd) => ({ host: absolute(host, cwd), inside: trimmed(inside) }));
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/** A container whose name the text does not give. */
export const NAMELESS = "";

/**
 * What a command in a container sees: the host through mounts, the files that were written inside, nothing of this shell. Inside:
 * the files that were written there, the host only through mounts, nothing of this shell.
 */
export const containerState = (
  state: State,
  mounts: readonly Mount[],
  directory: string | null = null,
  name = NAMELESS,
): State => {
  const inner = elsewhere(state, [directory ?? UNKNOWN], state.io.others.get(`container ${name}`));
  Object.assign(inner.location, { mounts, contained: true });
  return inner;
};

export function runThere(text: string, state: State, machine: Machine): Output {
  return machine.runText(text, deeper(elsewhere(state, homesOf(state)), { io: { stdin: null } }));
}

/** `own`: options with a value. What comes after them, or after the verb, is the command. */
export function onMachine(own: string, verb = ""): { readonly runs: Program; readonly effect: EffectRule } {
  const table = optionTable(own);
  const textOf = (args: readonly string[]): string => {
    const { operands } = parseOptions(args, table, false);
    if (verb === "") return operands.join(" ");
    return operands[0] === verb ? parseOptions(operands.slice(1), table, false).operands.join(" ") : "";
  };
  return {
    runs: ([, ...args], state, machine) => {
      const text = textOf(args);
      return text === "" ? [UNKNOWN] : runThere(text, state, machine);
    },
    effect: ([, ...args]) => (textOf(args) === "" ? "unknown" : "reads"),
  };
}

/** What the container sees of the host. A name that is not known may be that of any container. */
export function mountsIn(name: string, { io: { containers } }: State): readonly Mount[] {
  const known = containers.get(name);
  if (known !== undefined) return known;
  if (isOpen(name) || hasGlob(name)) return [...containers.values()].flat();
  return /^[0-9a-f]{8,64}$/.test(name) ? (containers.get(NAMELESS) ?? []) : [];
}

export function remember(name: string | null, mounts: readonly Mount[], state: State): void {
  const key = name ?? NAMELESS;
  const before = key === NAMELESS ? (state.io.containers.get(key) ?? []) : [];
  const isHeld = ({ host, inside }: Mount) => before.some((one) => one.host === host && one.inside === inside);
  const added = mounts.filter((mount) => !isHeld(mount));
  if (added.length > 0) state.io.containers = entered(state.io.containers, key, [...before, ...added]);
}

/** `mount --bind /usr m`: what is deleted below the one is deleted below the other. */
export const bindMount: Program = ([, ...args], state) => {
  const parsed = parseOptions(args, { short: "toLUO", long: words("types options source target") });
  const isBind =
    has(parsed, "bind", "rbind", "B", "R") || /(^|,)r?bind(,|$)/.test(optionValue(parsed, "o", "options") ?? "");
  const [from, to] = parsed.operands;
  if (!isBind || from === undefined || to === undefined) return [UNKNOWN];
  for (const cwd of state.location.cwd) {
    const [host, inside] = [absolute(from, cwd), absolute(to, cwd)];
    if (!isOpen(host) && !isOpen(inside)) state.io.links = [{ host, inside }, ...state.io.links].slice(0, MAX_LINKS);
  }
  return [UNKNOWN];
};

const MAX_LINKS = 64;

export function lead(inside: string, given: string, state: State): void {
  const host = originOf(given, state);
  const others = state.io.links.filter((one) => one.inside !== inside).slice(0, MAX_LINKS);
  state.io.links = [{ host, inside, below: true }, ...others];
}

/** Where a path leads: through links, and to what it was copied from. */
export function originOf(path: string, { io: { copies, links } }: State): string {
  const copied = copies.get(path);
  if (copied?.startsWith("/") === true) return copied;
  for (const { host, inside } of links)
    if (path.startsWith(`${inside}/`))
      return host === "/" ? path.slice(inside.length) : host + path.slice(inside.length);
  for (const [target, source] of copies)
    if (path.startsWith(`${target}/`) && source.startsWith("/")) return source + path.slice(target.length);
  return path;
}
