// Orders words as getopt does: `eval set -- "$(getopt -o ab: -l all -- "$@")"` gets them in order, each quoted for a shell.
import type { Program } from "../interpreter/machine.ts";
import { has, optionValue, optionValues, parseOptions } from "../words/options.ts";
import { isUnknown, quoted, UNKNOWN } from "../words/symbols.ts";

/** More words of a script are seldom used by their number. */
const WORDS = 8;

const ANY = ` -- ${Array.from({ length: WORDS }, () => `'${UNKNOWN}'`).join(" ")}\n`;

/** How many colons come after the name: none, a value, a value that may be missing. */
type Names = ReadonlyMap<string, number>;

const colonsOf = (text: string): number => text.length - text.replace(/:+$/, "").length;

const shortNames = (spec: string): Names =>
  new Map([...spec.matchAll(/([^:+-])(:{0,2})/g)].map(([, letter = "", colons = ""]) => [letter, colons.length]));

const longNames = (lists: readonly (string | null)[]): Names =>
  new Map(
    lists
      .flatMap((list) => (list ?? "").split(/[,\s]+/))
      .filter((name) => name !== "")
      .map((name) => [name.replace(/:+$/, ""), colonsOf(name)]),
  );

/** An option as it is printed, and how many further words it has taken. */
type Taken = { readonly printed: readonly string[]; readonly used: number };

const NOTHING: Taken = { printed: [], used: 0 };

/** An option that is not known, or lacks its value, is left out. */
function longOption(word: string, next: string | undefined, names: Names): Taken {
  const [, name = "", equals, attached = ""] = /^--([^=]*)(=)?([\s\S]*)$/.exec(word) ?? [];
  const [full, ...others] = names.has(name) ? [name] : [...names.keys()].filter((one) => one.startsWith(name));
  if (full === undefined || others.length > 0) return NOTHING;
  const colons = names.get(full);
  if (colons === 0) return { printed: [`--${full}`], used: 0 };
  if (equals !== undefined || colons === 2) return { printed: [`--${full}`, quoted(attached)], used: 0 };
  return next === undefined ? NOTHING : { printed: [`--${full}`, quoted(next)], used: 1 };
}

function cluster(word: string, next: string | undefined, names: Names): Taken {
  const printed: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word.charAt(at)}`;
    const colons = names.get(word.charAt(at));
    const attached = word.slice(at + 1);
    if (colons === undefined) continue;
    if (colons === 0) printed.push(name);
    else if (attached !== "" || colons === 2) return { printed: [...printed, name, quoted(attached)], used: 0 };
    else return next === undefined ? { printed, used: 0 } : { printed: [...printed, name, quoted(next)], used: 1 };
  }
  return { printed, used: 0 };
}

type Specification = { readonly short: Names; readonly long: Names; readonly stops: boolean };

/** Null where a word may be an option or not. */
function ordered(given: readonly string[], { short, long, stops }: Specification): readonly string[] | null {
  const options: string[] = [];
  const operands: string[] = [];
  const ended = (rest: readonly string[]) => [...options, "--", ...[...operands, ...rest].map(quoted)];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? "";
    const [name = ""] = word.split("=", 1);
    if (word === "--") return ended(given.slice(at + 1));
    if (isUnknown(word.startsWith("-") ? name : word.charAt(0))) return null;
    if (word === "-" || !word.startsWith("-")) {
      if (stops) return ended(given.slice(at));
      operands.push(word);
      continue;
    }
    const { printed, used } = (word.startsWith("--") ? longOption : cluster)(
      word,
      given[at + 1],
      word.startsWith("--") ? long : short,
    );
    options.push(...printed);
    at += used;
  }
  return ended([]);
}

export const quotedWords: Program = ([, ...args]) => {
  if (args.some((arg) => /^-[a-zA-Z]*u|^--unq/.test(arg))) return [UNKNOWN];
  const parsed = parseOptions(
    args,
    { short: "olns", long: ["options", "longoptions", "long", "name", "shell"] },
    false,
  );
  const given = optionValue(parsed, "o", "options");
  const spec = given ?? parsed.operands[0] ?? "";
  const lists = optionValues(parsed, "l", "long", "longoptions");
  // The old form prints no quotes, `-` prints in place, and `-a` takes long options with one dash.
  if (!args[0]?.startsWith("-") || /^-/.test(spec) || has(parsed, "a", "alternative")) return [ANY];
  if ([spec, ...lists].some((text) => text === null || isUnknown(text))) return [ANY];
  const words = ordered(given === null ? parsed.operands.slice(1) : parsed.operands, {
    short: shortNames(spec),
    long: longNames(lists),
    stops: spec.startsWith("+"),
  });
  return [words === null ? ANY : ` ${words.join(" ")}\n`];
};
