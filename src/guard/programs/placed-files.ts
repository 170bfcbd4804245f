// Files that get another place: what was written, or is a program, stays so under its new name.
import type { Machine, Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten, record, scriptTexts } from "../interpreter/redirects.ts";
import { entered, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { accepted, patternOf } from "../words/glob.ts";
import { has, optionValue, parseOptions, words } from "../words/options.ts";
import { hasGlob, isOpen, UNKNOWN } from "../words/symbols.ts";

const VALUED = { short: "tSmgo", long: words("target-directory suffix mode owner group backup") };

type Placed = { readonly from: readonly string[]; readonly to: string; readonly into: boolean };

function placedBy(args: readonly string[], state: State): Placed | null {
  const parsed = parseOptions(args, VALUED);
  const directory = optionValue(parsed, "t", "target-directory");
  const from = directory === null ? parsed.operands.slice(0, -1) : parsed.operands;
  const to = directory ?? parsed.operands.at(-1);
  if (to === undefined || from.length === 0 || has(parsed, "d")) return null;
  const into = directory !== null || from.length > 1 || from.some(hasGlob) || isDirectory(to, state);
  return { from, to, into: into && !has(parsed, "T", "no-target-directory") };
}

/** As far as the text shows. */
const isDirectory = (path: string, state: State): boolean =>
  /(^|\/)\.{0,2}$/.test(path) ||
  state.location.cwd.some((cwd) => {
    const directory = `${absolute(path, cwd)}/`;
    return SYSTEM_DIRECTORIES.test(directory) || [...state.io.files.keys()].some((file) => file.startsWith(directory));
  });

const SYSTEM_DIRECTORIES =
  /^\/((usr\/)?(local\/)?s?bin|etc(\/[\w-]+\.d|\/cron\.\w+|\/systemd\/system)?|tmp|opt|srv)\/$/;

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const copy: Program = ([, ...args], state, machine) => {
  const placed = placedBy(args, state);
  if (placed === null) return [""];
  // What is run later may be a copy of these.
  for (const given of placed.from) contentsOf(given, state);
  for (const cwd of state.location.cwd)
    for (const given of placed.from)
      for (const source of sourcesOf(given, cwd, state)) {
        if (state.location.here) state.io.reads.add(source);
        const to = absolute(placed.to, cwd);
        // `cp -a a/. b` copies what is in the directory.
        const inside = placed.into && !/(^|\/)\.$/.test(given);
        place(source, inside ? absolute(lastPart(source), to) : to, state, machine);
      }
  return [""];
};

/** A pattern means the known files that it matches. */
function sourcesOf(given: string, cwd: string, { io }: State): readonly string[] {
  const path = absolute(given, cwd);
  if (!hasGlob(given)) return isOpen(path) ? [] : [path];
  const pattern = patternOf(path);
  return [...io.files.keys()].filter((file) => accepted(pattern, file));
}

const MAX_TREE = 256;

function place(source: string, target: string, state: State, machine: Machine): void {
  machine.tick();
  const known = isWritten(source, state) ? scriptTexts(source, state) : [];
  if (known.length > 0) record({ path: target, append: false, text: known }, state, machine);
  else state.io.copies = entered(state.io.copies, target, source);
  const below = [...state.io.files].filter(([file]) => file.startsWith(`${source}/`)).slice(0, MAX_TREE);
  for (const [file, text] of below)
    record({ path: target + file.slice(source.length), append: false, text }, state, machine);
}

/** A symbolic link is the file that it leads to, and a way to all below. */
export const link: Program = (argv, state, machine) => {
  const args = argv.slice(1);
  const parsed = parseOptions(args, VALUED);
  const single = parsed.operands.length === 1 && optionValue(parsed, "t", "target-directory") === null;
  const placed = single ? { from: parsed.operands, to: ".", into: true } : placedBy(args, state);
  if (placed === null) return [""];
  for (const cwd of state.location.cwd)
    for (const from of placed.from) {
      const to = absolute(placed.to, cwd);
      const inside = placed.into && !has(parsed, "n", "no-dereference") ? absolute(lastPart(from), to) : to;
      const host = has(parsed, "s", "symbolic") ? absolute(from, absolute("..", inside)) : absolute(from, cwd);
      if (isOpen(host) || isOpen(inside)) continue;
      if (has(parsed, "s", "symbolic")) lead(inside, host, state);
      place(host, inside, state, machine);
    }
  return [""];
};

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

function lead(inside: string, given: string, state: State): void {
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
