// Holds the records of programs that print, search, cut and reshape text, order words, show documentation or say things.
import { setVariable } from "../../interpreter/arithmetic.ts";
import type { Program } from "../../interpreter/machine.ts";
import { decodeEscapes, formatted } from "../../words/escapes.ts";
import { has, optionValue, optionValues, parseOptions } from "../../words/options.ts";
import { isUnknown, quoted, SOME, UNKNOWN } from "../../words/symbols.ts";
import type { ProgramRecord } from "../record.ts";
import { onThisMachine, options, WRITES, WRITING } from "../rules/effects.ts";
import { ANY } from "../rules/select.ts";
import { runsTexts, valuesBehind } from "../rules/texts.ts";
import { asksAboutCodeWithQuotes } from "../rules/unread-code.ts";

/** More words of a script are seldom used by their number. */
const MOST_WORDS = 8;

const ANY_WORDS = ` -- ${Array.from({ length: MOST_WORDS }, () => `'${UNKNOWN}'`).join(" ")}\n`;

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

const quotedWords: Program = ([, ...args]) => {
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
  if (!args[0]?.startsWith("-") || /^-/.test(spec) || has(parsed, "a", "alternative")) return [ANY_WORDS];
  if ([spec, ...lists].some((text) => text === null || isUnknown(text))) return [ANY_WORDS];
  const words = ordered(given === null ? parsed.operands.slice(1) : parsed.operands, {
    short: shortNames(spec),
    long: longNames(lists),
    stops: spec.startsWith("+"),
  });
  return [words === null ? ANY_WORDS : ` ${words.join(" ")}\n`];
};

const echo: Program = ([, ...args], state) => {
  const first = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const flags = (first < 0 ? args : args.slice(0, first)).join("");
  const words = first < 0 ? [] : args.slice(first);
  const text = words.join(" ");
  const plain = flags.includes("e") ? [decodeEscapes(text)] : state.shell.posix ? [text, decodeEscapes(text)] : [text];
  return plain.map((line) => `${line}${flags.includes("n") ? "" : "\n"}`);
};

const printf: Program = ([, ...args], state, machine) => {
  const variable = args[0] === "-v" ? args[1] : undefined;
  const [format = "", ...values] = (variable === undefined ? args : args.slice(2)).filter(
    (arg, n) => n > 0 || arg !== "--",
  );
  const text = formatted(format, values);
  if (variable === undefined) return [text];
  setVariable(variable, [text], state, machine);
  return [""];
};

const sequence: Program = (argv) => [
  argv.slice(1).every((arg) => /^\d+$/.test(arg)) && argv.length < 5 ? SOME : UNKNOWN,
];

const MAN_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  long: "pager html",
  words: /^-[PH]$/,
  when: /^(?!.*--no-pager).*(?:-P|--pager)[ =]\S/,
  effect: "unknown",
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "print", takesData: true },
    { names: "getopt", runs: quotedWords },
    { names: "shuf", effect: options({ why: WRITES, changes: "o output", valued: "n i o head-count" }) },
    { names: "iconv", effect: options({ why: WRITES, changes: "o output", valued: "f t o" }) },
    {
      names: "yq",
      prints: "anything",
      effect: options({
        why: WRITES,
        changes: "i inplace in-place split-exp",
        valued: "o p I output-format input-format",
      }),
      sideEffects: { words: /^-s|^--split/, effect: WRITING },
      applies: { options: "f from-file L", valued: "arg argjson indent slurpfile rawfile" },
    },
    { names: "xmllint", effect: options({ why: WRITES, changes: "o output", valued: "o xpath schema" }) },
    {
      names: "xmlstarlet",
      effect: ([, verb = "", ...args]) => (/^(sel|el|val)$/.test(verb) && !args.includes("-L") ? "reads" : "unknown"),
    },
    {
      names: "man",
      runs: runsTexts(valuesBehind(/^(?:-P|-H|--pager=?|--html=?)/)),
      commands: { variables: "PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE BAT_PAGER DELTA_PAGER" },
      effect: "reads",
      sideEffects: MAN_SIDE_EFFECTS,
    },
    {
      names: "tldr",
      prints: "anything",
      effect: "reads",
      sideEffects: { long: "update clear-cache", words: /^-\w*[uc]/, effect: WRITING },
    },
    { names: "notify-send say cowsay figlet", prints: "anything" },
  ]),
  { names: "echo", runs: echo, effect: "reads", builtin: true, takesData: true, speaks: true, otherOutput: true },
  { names: "printf", runs: printf, effect: "reads", builtin: true, takesData: true, speaks: true, otherOutput: true },
  { names: "seq", runs: sequence, effect: "reads" },
  { names: "yes", runs: ([, ...words]) => [words.length === 0 ? "y" : words.join(" ")], effect: "reads" },
  {
    names:
      "zdiff zcmp expand unexpand column join look numfmt base32 fx envsubst factor pr tsort ts locale cal ncal tput jo",
    effect: "reads",
  },
  { names: "bc", effect: "reads", applies: { operands: ANY, options: "f file", input: "all" } },
  { names: "expr", prints: "anything", effect: "reads" },
  { names: "wc uuidgen", prints: "a word", effect: "reads" },
  { names: "info apropos whatis whereis", prints: "anything", effect: "reads" },
  { names: "hadolint yamllint actionlint shellcheck", looks: "*", unless: "fix" },
  { names: "jsonlint", looks: "*", unless: "i in-place" },
  { names: "dasel", valued: "f file r w p read write parser", looks: ".*, select", unless: "w o" },
  { names: "gron", looks: "*" },
  { names: "tomlq xq", looks: "*", unless: "i in-place" },
  { names: "mlr", looks: "cat|head|tail|count|count-distinct|sort|uniq|cut|stats1 * $", unless: "I" },
  { names: "pwgen", looks: "*" },
  { names: "qrencode", looks: "*", unless: "o r output" },
  {
    names: "dc",
    commands: { options: "e expression", input: true, within: /!(?![<>=])([^\n]+)/g },
    applies: { operands: ANY, options: "f file", input: "all" },
  },
  {
    names: "gnuplot octave octave-cli",
    alwaysBlocked: asksAboutCodeWithQuotes,
    applies: { operands: ANY, options: "f file", input: "all" },
  },
  {
    names: "delta",
    sideEffects: MAN_SIDE_EFFECTS,
  },
];
