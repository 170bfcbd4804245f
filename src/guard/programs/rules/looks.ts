// Decides that a use looks by the first words of its command line. All other uses are unknown, and so is one with an option that
// is named like an action.
import { optionTable, parseOptions, words } from "../../words/options.ts";
import type { EffectRule } from "../record.ts";
import { afterOptions, dashed, given, isFile, shows, WRITING } from "./effects.ts";

type More = {
  /** Options with a value, without dashes: letters and long names. */
  readonly valued?: string;
  /** Options that do more than look. */
  readonly unless?: string;
};

const ACTION = new RegExp(
  `^-{1,2}(?!(?:no|skip|dry|ignore|without)-)(?:\\w+-)*(?:${words(`add apply clear create delete disable enable exec export fix
  force import init install kill log-?file log-?dir out-?file out-?dir output-file output-dir output-path purge quit refresh reload
  remove repair restart rotate save start stop store sync unset update upgrade write`).join(
    "|",
  )}|(?:re)?set\\w*)(?:-\\w+)*(?:=|$)`,
  "i",
);

/** `-o json` is a format, `-o out.json` a file. */
const writesOutput = (args: readonly string[]): boolean =>
  args.some((arg, at) => {
    const [isOutput, attached = args[at + 1]] = /^--?o(?:ut|utput)?(?:=(.*))?$/.exec(arg) ?? [];
    return (
      isOutput !== undefined &&
      isFile(attached) &&
      /^[^={]*(?:\/|\.\w{2,5}$)|=(?:\.{0,2}\/|[\w-]+\.\w{2,5}$)/.test(attached ?? "")
    );
  });

type Phrase = readonly RegExp[];

const END = "$";

const wordPattern = (text: string): RegExp => {
  if (text === END) return /^\$$/;
  return text === "*" ? /^/ : new RegExp(`^(?:${text.replace(/[.+]/g, "\\$&").replaceAll("*", ".*")})$`);
};

/** Past the last word is the mark of the end. */
const isBegun = (line: readonly string[], phrase: Phrase): boolean =>
  phrase.every((pattern, at) => pattern.test(line[at] ?? END));

/** Phrases over all words, over the words after the first options, and over the operands. */
function sorted(text: string): { readonly whole: Phrase[]; readonly late: Phrase[]; readonly operands: Phrase[] } {
  const found = { whole: [] as Phrase[], late: [] as Phrase[], operands: [] as Phrase[] };
  for (const phrase of text.split(",").map(words)) {
    if (phrase.length === 0) continue;
    const [first = ""] = phrase;
    const isExact = phrase.some((word) => word.startsWith("-") || word === END);
    const kind = first.startsWith("-") || first === END ? "whole" : isExact ? "late" : "operands";
    found[kind].push(phrase.map(wordPattern));
  }
  return found;
}

/**
 * `phrases` are separated by commas. `core info|logs`: either word after `core`. `*`: any word, also within a word, and
 * alone any use. `service $`: nothing after it. Options count only where the phrase has an option or an end.
 */
export function looks(phrases: string, { valued = "", unless = "" }: More = {}): EffectRule {
  const acting = words(unless);
  const known = sorted(phrases);
  const table = optionTable(valued);
  const withValue = dashed(valued);
  const rule: EffectRule = ([, ...args]) => {
    const parsed = parseOptions(args, table);
    const [verb, ...others] = parsed.operands;
    if (args.includes("--help") || verb === "help" || (verb === "version" && others.length === 0)) return "reads";
    if (args.some((arg) => ACTION.test(arg)) || given(parsed, acting)) return "unknown";
    if (writesOutput(args)) return WRITING;
    const whole = args.map((arg) => arg.replace(/^(-[^=]*)=.*/, "$1"));
    const late = afterOptions(whole, withValue);
    const operands = words(parsed.operands.join(" "));
    const isLook =
      known.whole.some((phrase) => isBegun(whole, phrase)) ||
      known.late.some((phrase) => isBegun(late, phrase)) ||
      known.operands.some((phrase) => isBegun(operands, phrase));
    return isLook ? "reads" : "unknown";
  };
  return Object.assign(shows(rule, { reads: phrases }), phrases === "*" ? {} : ({ named: true } as const));
}
