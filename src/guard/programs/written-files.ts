// Finds what a program has written without its text being known: downloads, unpacked archives, the output of other programs. Such
// a file is a question where it is run; a file that the step itself may write has not changed from outside.
import type { PastCommand, State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { matches } from "../words/glob.ts";
import { optionTable, optionValues, parseOptions } from "../words/options.ts";
import { hasGlob, isOpen } from "../words/symbols.ts";
import { filesRunBy } from "./files-run.ts";
import type { Effect } from "./record.ts";
import { effectRuleOf, interpreterOf, recordOf } from "./registry.ts";

/** Whether the command is worth remembering: it may write a file whose text is not known. */
export function mayWrite([name = "", ...args]: readonly string[]): boolean {
  const { fetches, writesKnown } = recordOf(name) ?? {};
  if (fetches === "with cp") return args.includes("cp");
  return writesKnown !== true && effectRuleOf(name) !== "reads";
}

/** The command, of this text or of a step before it, that has written the file; null where none is known. */
export function writerOf(path: string, past: readonly PastCommand[], state: State): PastCommand | null {
  if (past.length === 0) return null;
  const sought = { path, file: baseName(path), naming: namingOf(path, state.io.files) };
  // Most commands do not name the file at all, and are looked at once.
  const candidates = sought.naming.size > 0 ? past : namersOf(sought.file, past);
  return candidates.findLast((one) => wrote(one, sought, state)) ?? null;
}

type Namers = { seen: number; readonly found: PastCommand[] };

/** For each list of past commands, which only grows: those with the last part of a path in their words or their input. */
const NAMERS = new WeakMap<readonly PastCommand[], Map<string, Namers>>();

function namersOf(file: string, past: readonly PastCommand[]): readonly PastCommand[] {
  const known = NAMERS.get(past) ?? new Map<string, Namers>();
  NAMERS.set(past, known);
  const namers = known.get(file) ?? { seen: 0, found: [] };
  known.set(file, namers);
  for (; namers.seen < past.length; namers.seen += 1) {
    const one = past[namers.seen];
    if (one !== undefined && [...one.argv, ...(one.stdin ?? [])].some((text) => text.includes(file)))
      namers.found.push(one);
  }
  return namers.found;
}

/** For each table of known files, by the path that is sought: those whose texts name it. */
const NAMING = new WeakMap<State["io"]["files"], Map<string, ReadonlySet<string>>>();

function namingOf(path: string, files: State["io"]["files"]): ReadonlySet<string> {
  const known = NAMING.get(files) ?? new Map<string, ReadonlySet<string>>();
  NAMING.set(files, known);
  const file = baseName(path);
  const naming =
    known.get(path) ?? new Set([...files].flatMap(([from, texts]) => (textNames(texts, path, file) ? [from] : [])));
  known.set(path, naming);
  return naming;
}

/** Files of an archive or a clone: their names do not show in the text. */
export function unpackerOf(path: string, past: readonly PastCommand[], state: State): PastCommand | null {
  const fills = (one: PastCommand) => unpackedIn(one).some((directory) => path.startsWith(`${directory}/`));
  return past.findLast((one, at) => fills(one) && !copiesWhatWas(one, past.slice(0, at), state)) ?? null;
}

/** `rsync -a ../new/ .` of a directory of this machine that no command before it names, when none has fetched anything (D-285). */
function copiesWhatWas(one: PastCommand, before: readonly PastCommand[], state: State): boolean {
  const sources = localSources(one);
  if (sources.length === 0) return false;
  const isWithin = (path: string) => sources.some((source) => contains(source, path) || contains(path, source));
  const names = ({ argv, directories }: PastCommand) =>
    argv.slice(1).some((word) => [...placesOf(word, directories)].some(isWithin));
  return (
    ![...state.io.files.keys(), ...state.io.links.map(({ inside }) => inside)].some(isWithin) &&
    before.every((earlier) => localSources(earlier).length > 0 || (!fetches(earlier) && !names(earlier)))
  );
}

const contains = (directory: string, path: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** Empty for what does not copy one directory of this machine to another, both known. */
function localSources({ argv: [name = "", ...args], directories }: PastCommand): readonly string[] {
  const words = recordOf(name)?.mirrors?.(args) ?? [];
  if (words.some((word) => /^[^/]*:/.test(word) || isOpen(word) || hasGlob(word))) return [];
  return words.slice(0, -1).flatMap((word) => directories.map((cwd) => absolute(word, cwd)));
}

const fetches = (one: PastCommand): boolean =>
  unpackedIn(one).length > 0 || recordOf(one.argv[0] ?? "")?.fetches !== undefined;

/** An edit of values in place: it puts one word where a value was, or takes a value away, and neither can run. */
function onlySetsValues([name = "", ...args]: readonly string[]): boolean {
  if (!/^g?sed$/.test(name)) return false;
  const parsed = parseOptions(args, SED_OPTIONS);
  if (parsed.options.some((option) => !/^(?:[iErne]|in-place|expression|regexp-extended)$/.test(option.name)))
    return false;
  const given = optionValues(parsed, "e", "expression").map((script) => script ?? "");
  const scripts = given.length > 0 ? given : parsed.operands.slice(0, 1);
  return scripts.length > 0 && scripts.every(setsValue);
}

const SED_OPTIONS = optionTable("e f expression file");

function setsValue(script: string): boolean {
  if (/^\/\^[A-Za-z_]\w*=[^/\\]*\/d$/.test(script)) return true;
  const [, separator = "", from = "", to = ""] = /^s([/|#,])([^\n]*)\1([^\n]*)\1[gI]?$/.exec(script) ?? [];
  if (`${from}${to}`.includes(separator)) return false;
  // `s|image: web:.*|image: web:2|`: the same key in both.
  const [, key = "", value = ""] = SETS_A_FIELD.exec(to) ?? [];
  if (key !== "" && !IS_A_COMMAND.test(key) && from.replace(/^\^?\s*/, "").startsWith(key))
    return IS_A_WORD.test(value);
  const [, name = ""] = ASSIGNS_A_WORD.exec(to) ?? [];
  return name !== "" && !IS_A_COMMAND.test(name) && OF_A_VALUE.test(from);
}

const SETS_A_FIELD = /^\s*(image|tag|version|[A-Z][A-Z0-9_]*_(?:TAG|VERSION)|TAG|VERSION)(?:: |=)(.*)$/;
/** What the machine shows of itself is data. */
const IS_A_WORD = /^["']?[\w./:@%+,\uFDD0\uFDD1-]*["']?$/;

const OF_A_VALUE = /^\^?#? ?(?:export )?[A-Za-z_]\w*=/;

/** One word, in quotes or without: nothing in it is special to sed or to a shell. */
const ASSIGNS_A_WORD =
  /^(?:export )?([A-Za-z_]\w*)=(?:[\w./:@%+,\uFDD1-]*|"[\w ./:@%+,\uFDD1-]*"|'[\w ./:@%+,\uFDD1-]*')$/;

/** Variables of which the value is run, or chooses what is run. */
const IS_A_COMMAND = /^(?:PATH|IFS|ENV|BASH_ENV|LD_\w+|PS\d|\w*(?:COMMAND|CMD|EDITOR|PAGER|SHELL|OPTIONS|OPTS))$/;

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `file` is the last part of the path, `naming` the known files whose texts name it. */
type Sought = { readonly path: string; readonly file: string; readonly naming: ReadonlySet<string> };

function wrote(one: PastCommand, sought: Sought, state: State): boolean {
  const { path, file, naming } = sought;
  const [name = "", ...args] = one.argv;
  if (one.ran.has(path)) return false;
  if (name === ">")
    return (args[0]?.includes(file) ?? false) && one.directories.some((cwd) => absolute(args[0] ?? "", cwd) === path);
  if (onlySetsValues(one.argv)) return false;
  const named =
    args.some((word) => mentions(word, one, sought)) ||
    textNames(interpreterOf(name)?.script === true ? (one.stdin ?? []) : [], path, file);
  const isWithin = () => filesRunBy(one.argv, one.directories, state).scripts.some((script) => naming.has(script));
  if (!named && (naming.size === 0 || !isWithin())) return false;
  if (one.directories.some((cwd) => filesRunBy(one.argv, [cwd], state).scripts.includes(path))) return false;
  const effect = effectOfPast(one, state);
  if (effect === undefined) return (isCode(one) && !SPEAKS.test(name)) || isOutput(args, one, path);
  return (
    effect === "unknown" ||
    (effect !== "reads" && (recordOf(name)?.fetches !== undefined || /writes files/.test(effect.changes)))
  );
}

/** What the command does to the world, as its record says. */
export function effectOfPast({ argv }: PastCommand, state: State): Effect | undefined {
  const rule = effectRuleOf(argv[0] ?? "");
  return typeof rule === "function" ? rule(argv, state) : rule;
}

/** Functions and programs of which the words are a message: `log_error "x.sh not found"`. */
const SPEAKS =
  /^_?(?:log|warn|err|fail|die$|abort|fatal|debug|info|notify|print|say)|(?:msg|message|notify|error|failure|warning|log)$/i;

const isCode = ({ argv }: PastCommand): boolean => argv.some((word) => /[\s"'()]/.test(word));

/** Of an unknown program: the value of an option, or the last of several operands. */
function isOutput(args: readonly string[], { directories }: PastCommand, path: string): boolean {
  const is = (word: string) => directories.some((cwd) => absolute(word, cwd) === path);
  return args.some((word, at) => {
    const before = args[at - 1] ?? "";
    // `launcher node main.js`: it runs the file.
    if (args.slice(0, at).some((one) => interpreterOf(baseName(one))?.script === true)) return false;
    if (word.startsWith("-")) return is(word.replace(/^(--?[\w-]+=|-[a-zA-Z])/, ""));
    return is(word) && (/^-/.test(before) || (at > 0 && at === args.length - 1));
  });
}

/** A word that is the path, ends in it (`-oa.sh`, `--output=a.sh`), or is code that names it; of a download also the address. */
function mentions(word: string, { directories, argv: [name = ""] }: PastCommand, sought: Sought): boolean {
  const { path, file } = sought;
  if (!word.includes(file)) return false;
  const { fetches, writtenAfter } = recordOf(name) ?? {};
  if (fetches === "its address" && /^\w+:\/\//.test(word)) return word.replace(/[?#].*$/, "").endsWith(`/${file}`);
  if (fetches !== undefined && fetches !== "its address" && /^[^/]+:/.test(word)) return word.endsWith(`/${file}`);
  if (writtenAfter !== undefined && /[\s"'()]/.test(word)) return textNames(word.match(writtenAfter) ?? [], path, file);
  if (/[\s"'()]/.test(word)) return textNames([word], path, file);
  const value = word.replace(/^(--?[\w-]+=|-[a-zA-Z](?=[^-])|[\w.-]+=|[\w.@-]+:(?=\/))/, "");
  return placesOf(word, directories).has(path) || (value !== word && placesOf(value, directories).has(path));
}

/** For each list of directories, what a word names from them: many paths are sought in the same words. */
const PLACES = new WeakMap<PastCommand["directories"], Map<string, ReadonlySet<string>>>();

function placesOf(word: string, directories: PastCommand["directories"]): ReadonlySet<string> {
  const known = PLACES.get(directories) ?? new Map<string, ReadonlySet<string>>();
  PLACES.set(directories, known);
  const places = known.get(word) ?? new Set(directories.map((cwd) => absolute(word, cwd)));
  known.set(word, places);
  return places;
}

/** Its programs are named everywhere, and are not written under their names alone. */
const OF_SYSTEM = /^\/(?:usr\/)?(?:local\/)?s?bin\//;

function textNames(texts: readonly string[], path: string, file: string): boolean {
  if (OF_SYSTEM.test(path)) return texts.some((text) => text.includes(path));
  const spelled = () => new RegExp(`(^|[^\\w.-])${file.replace(/[^\w]/g, "\\$&")}($|[^\\w.-])`);
  return texts.some((text) => text.includes(path) || (text.includes(file) && spelled().test(text)));
}

function unpackedIn({ argv: [name = "", ...args], directories }: PastCommand): readonly string[] {
  const target = recordOf(name)?.unpacks?.(args) ?? null;
  return target === null ? [] : directories.map((cwd) => absolute(target, cwd)).filter((path) => path !== "/");
}

/** Files that package managers and builds keep themselves. */
const MANAGED =
  /\/(?:go\.mod|package\.json|Cargo\.toml|composer\.json|pyproject\.toml|Gemfile|[^/]*\.(?:d|dep|deps|P)|\.?depend|\.deps\/[^/]*)$/;

/** Whether a command of a step may write a file that the step runs: then that it changes is no change from outside. */
export function mayHaveWritten(path: string, command: PastCommand, state: State): boolean {
  const { argv, directories } = command;
  const [name = "", ...args] = argv;
  const names = (word: string) => directories.some((cwd) => isAt(path, absolute(word, cwd)));
  if (name === ">") return args.some(names);
  const { rewrites, fills } = recordOf(name) ?? {};
  if (rewrites !== undefined) return rewrites === true || rewrites(argv);
  const effect = effectOfPast(command, state);
  if (effect === "reads") return false;
  if (typeof effect === "object" && /packages|builds/.test(effect.changes) && MANAGED.test(path)) return true;
  const { scripts, applied } = filesRunBy(argv, directories, state);
  if (scripts.includes(path) || applied.includes(path)) return false;
  const contains = (word: string) =>
    directories.some((cwd) => path.startsWith(`${absolute(word, cwd).replace(/\/$/, "")}/`));
  return args.some((word) => names(word) || (fills === true && contains(word)) || codeNames(word, path));
}

const isAt = (path: string, found: string): boolean => found === path || matches(path, found) || matches(found, path);

/** Of code, such as `python3 -c 'open("x.sh", "w")'`. */
const codeNames = (word: string, path: string): boolean =>
  /[\s"'()=]/.test(word) && word.includes(path.slice(path.lastIndexOf("/") + 1));
