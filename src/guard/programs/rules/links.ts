// Follows links, mounts and copies to where a path leads.
import type { Program } from "../../interpreter/machine.ts";
import type { State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { has, optionValue, parseOptions, words } from "../../words/options.ts";
import { isOpen, UNKNOWN } from "../../words/symbols.ts";

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
