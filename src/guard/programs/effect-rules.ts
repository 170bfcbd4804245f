// What a command line does to the world, and the vocabulary in which records describe it. A description is data: names,
// verbs and options. A function is written only where words cannot decide.
import type { State } from "../interpreter/state.ts";
import { type Parsed, parseOptions } from "../words/options.ts";
import { isUnknown, UNKNOWN } from "../words/symbols.ts";

/** `why` completes "this step ...", as in "deletes files". Empty where there is nothing to say. */
export type Effect = { readonly is: "reads" | "unknown" | "changes"; readonly why: string };

/** The first word is the program, or the verb that the rule is for. */
export type EffectRule = (argv: readonly string[], state: State) => Effect;

/** Verbs that share a rule, separated by blanks. */
export type VerbRules = readonly (readonly [string, EffectRule])[];

export const READS: Effect = { is: "reads", why: "" };
export const UNSURE: Effect = { is: "unknown", why: "" };
export const changes = (why: string): Effect => ({ is: "changes", why });

export const reads: EffectRule = () => READS;
export const unsure: EffectRule = () => UNSURE;
export const changing =
  (why: string): EffectRule =>
  () =>
    changes(why);

export const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const tableOf = (family: VerbRules): ReadonlyMap<string, EffectRule> =>
  new Map(family.flatMap(([names, rule]) => words(names).map((name) => [name, rule] as const)));

/** What may turn out to be an option once it is known. */
export const mayBeOption = (word: string): boolean => word.startsWith(UNKNOWN);

type Verbs = {
  readonly why: string;
  /** Options with a value that may stand before the verb, with their dashes. */
  readonly valued?: string;
  readonly reads?: string;
  readonly changes?: string;
  /** Verbs that need a closer look. */
  readonly rules?: VerbRules;
  /** Without any verb. */
  readonly bare?: Effect;
  /** With a verb that is not listed. */
  readonly otherwise?: Effect;
};

/** The first word that is no option decides. */
export function verbs({ why, valued = "", rules = [], bare = READS, otherwise = UNSURE, ...lists }: Verbs): EffectRule {
  const withValue = new Set(words(valued));
  const table = tableOf([["help", reads], [lists.reads ?? "", reads], [lists.changes ?? "", changing(why)], ...rules]);
  return (argv, state) => {
    const rest = behindOptions(argv.slice(1), withValue);
    const [verb, first] = rest;
    if (verb === undefined) return bare;
    const rule = table.get(verb);
    if (first === "--help" && rule !== undefined) return READS;
    return rule?.(rest, state) ?? (mayBeOption(verb) ? UNSURE : otherwise);
  };
}

/** For programs whose options are read word by word; `-chdir=x` brings its value along. */
export function behindOptions(args: readonly string[], withValue: ReadonlySet<string>): readonly string[] {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) return args.slice(at);
    if (withValue.has(arg)) at += 1;
  }
  return [];
}

type Options = {
  readonly why?: string;
  /** Options with a value, without dashes: letters and long names. */
  readonly valued?: string;
  /** With any of these nothing changes, with any other option. */
  readonly dry?: string;
  readonly changes?: string;
  readonly unsure?: string;
  readonly reads?: string;
  /** More operands than this change something. */
  readonly operands?: number;
  /** With none of all that. */
  readonly otherwise?: Effect;
};

/** The options decide, strictest first. */
export function options({
  why = "",
  otherwise = READS,
  operands = Number.POSITIVE_INFINITY,
  ...names
}: Options): EffectRule {
  const table = optionTable(names.valued ?? "");
  const dry = words(names.dry ?? "");
  const [change, doubt, read] = [words(names.changes ?? ""), words(names.unsure ?? ""), words(names.reads ?? "")];
  const sensitive = change.length + doubt.length > 0;
  return ([, ...args]) => {
    const parsed = parseOptions(args, table);
    if (isDry(parsed, dry)) return READS;
    if (given(parsed, change)) return changes(why);
    if (given(parsed, doubt) || (sensitive && parsed.operands.some(mayBeOption))) return UNSURE;
    if (given(parsed, read)) return READS;
    return parsed.operands.length > operands ? changes(why) : otherwise;
  };
}

export function optionTable(valued: string) {
  const names = words(valued);
  return { short: names.filter(({ length }) => length === 1).join(""), long: names.filter(({ length }) => length > 1) };
}

/** Letters as they are; long names also shortened to no less than three letters, as getopt takes them. */
export const given = (parsed: Parsed, names: readonly string[]): boolean =>
  parsed.options.some(({ name }) =>
    names.some((full) => full === name || (name.length >= 3 && full.length > 1 && full.startsWith(name))),
  );

const isDry = ({ options: all }: Parsed, names: readonly string[]): boolean =>
  all.some(({ name, value }) => names.includes(name) && value !== "none" && value !== "false");

/** The rule, unless an option asks only for what would be done. */
export function unlessDry(names: string, rule: EffectRule, valued = ""): EffectRule {
  const [dry, table] = [words(names), optionTable(valued)];
  return (argv, state) => (isDry(parseOptions(argv.slice(1), table), dry) ? READS : rule(argv, state));
}

const MAX_CODE = 4096;

/** Whether code in another language, a sed script or a statement, is known and short enough to be read here. */
export const isLegible = (code: string): boolean => code.length <= MAX_CODE && !isUnknown(code);

/** Where a program would write: to a file, and not to its output or to nowhere. */
export const isFile = (path: string | null | undefined): boolean =>
  path !== null && path !== undefined && path !== "-" && !/^\/dev\/(null|stdout|stderr|fd\/[12])$/.test(path);
