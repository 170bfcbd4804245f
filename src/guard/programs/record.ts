// All that the guard knows of a program is one record: what it runs, what it does to the world, and what of it is always
// blocked. An effect is data: names, verbs and options. A function is written only where words cannot decide.
import type { Program, Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { optionTable, type Parsed, parseOptions, words } from "../words/options.ts";
import { isUnknown, startsUnknown } from "../words/symbols.ts";

/** `changes` completes "this step ...", as in "deletes files". */
export type Effect = "reads" | "unknown" | { readonly changes: string };

/** The first word is the program, or the verb that the rule is for. */
export type EffectRule = (argv: readonly string[], state: State) => Effect;

/** Reports a use that is always blocked, or one that may be. */
export type BlockRule = (argv: readonly string[], state: State, report: Report) => void;

/** Paths as the program would name them, from the words after it. */
export type FilesRule = (args: readonly string[], state: State) => readonly string[];

export type ProgramRecord = {
  /** Base names that the guard treats alike, separated by blanks. */
  readonly names: string;
  /** What it launches, evaluates, writes or prints. Without it the words after the program may be a command. */
  readonly runs?: Program;
  /** It runs nothing of its words. What it prints is text for people, nothing at all, or a number or a name. */
  readonly prints?: "anything" | "nothing" | "a word";
  /** Whether it prints nothing but numbers, or an identifier, when it is given these words. */
  readonly numbers?: (args: readonly string[]) => boolean;
  /** It prints what it reads, as it is. */
  readonly passes?: true;
  /** Whether it prints what another host sends. */
  readonly downloads?: true | ((args: readonly string[]) => boolean);
  /** Files whose text it runs. */
  readonly files?: FilesRule;
  /** Files that it runs by itself: only those that the plan wrote are of interest. */
  readonly armed?: FilesRule;
  /** What it does to the world. Without it that is unknown. */
  readonly effect?: Effect | EffectRule;
  readonly alwaysBlocked?: BlockRule;
  /** Tried where the text has only a pattern of the program's name, or also where an unknown program has it as a word. */
  readonly suspected?: "as a pattern" | "anywhere";
  /** Part of the shell: it starts no program. */
  readonly builtin?: true;
  /** Its words may be assignments, which are not split into fields. */
  readonly declares?: true;
  /** Its words are data even within code of another language. */
  readonly takesData?: true;
  /** `lua5.4` is run as lua is. */
  readonly versions?: true;
  /** The option that gives it code: with that, a program that is not known has launched it. */
  readonly code?: RegExp;
  /** `mkfs.ext4` has the effect of mkfs. */
  readonly kinds?: true;
  /** What it prints is made for `eval`: always, or when one of these words is the first. */
  readonly printsSetup?: true | string;
};

/** The subcommands under which many programs print their completion. */
export const COMPLETIONS = "completion completions";

/** What may turn out to be an option once it is known. */
export const mayBeOption = startsUnknown;

/** Changes are stronger than what is unknown, and that is stronger than looking. */
export const strongest = (effects: readonly Effect[]): Effect =>
  effects.find((effect) => typeof effect === "object") ?? effects.find((effect) => effect === "unknown") ?? "reads";

/** Verbs that share a rule, separated by blanks. */
export type VerbRules = readonly (readonly [string, Effect | EffectRule])[];

export type MoreVerbs = {
  /** Options with a value that may stand before the verb, with their dashes. */
  readonly valued?: string;
  /** Verbs that need a closer look. */
  readonly rules?: VerbRules;
  /** Without any verb. */
  readonly bare?: Effect;
  /** With a verb that is not listed. */
  readonly otherwise?: Effect;
};

/** The first word that is no option decides: verbs that read, verbs that change something, and all others. */
export function verbs(why: string, reading: string, changing: string, more: MoreVerbs = {}): EffectRule {
  const { valued = "", rules = [], bare = "reads", otherwise = "unknown" } = more;
  const withValue = new Set(words(valued));
  const family: VerbRules = [["help", "reads"], [reading, "reads"], [changing, { changes: why }], ...rules];
  const table = new Map(family.flatMap(([names, rule]) => words(names).map((name) => [name, rule] as const)));
  return (argv, state) => {
    const rest = afterOptions(argv.slice(1), withValue);
    const [verb, first] = rest;
    if (verb === undefined) return bare;
    const rule = table.get(verb);
    if (rule === undefined) return mayBeOption(verb) ? "unknown" : otherwise;
    return first === "--help" ? "reads" : effectBy(rule, rest, state);
  };
}

const effectBy = (rule: Effect | EffectRule, argv: readonly string[], state: State): Effect =>
  typeof rule === "function" ? rule(argv, state) : rule;

/** For programs whose options are read word by word; `-chdir=x` brings its value along. */
export function afterOptions(args: readonly string[], withValue: ReadonlySet<string>): readonly string[] {
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
export function options(table: Options): EffectRule {
  const { why = "", otherwise = "reads", operands = Number.POSITIVE_INFINITY } = table;
  const valued = optionTable(table.valued ?? "");
  const dry = words(table.dry ?? "");
  const [change, doubt, read] = [words(table.changes ?? ""), words(table.unsure ?? ""), words(table.reads ?? "")];
  const sensitive = change.length + doubt.length > 0;
  return ([, ...args]) => {
    const parsed = parseOptions(args, valued);
    if (isDry(parsed, dry)) return "reads";
    if (given(parsed, change)) return { changes: why };
    if (given(parsed, doubt) || (sensitive && parsed.operands.some(mayBeOption))) return "unknown";
    if (given(parsed, read)) return "reads";
    return parsed.operands.length > operands ? { changes: why } : otherwise;
  };
}

/** The parsed command line decides. `valued`: options with a value, without dashes. */
export function byOptions(valued: string, effect: (parsed: Parsed, state: State) => Effect): EffectRule {
  const table = optionTable(valued);
  return ([, ...args], state) => effect(parseOptions(args, table), state);
}

/** Letters as they are; long names also shortened to no less than three letters, as getopt takes them. */
export const given = (parsed: Parsed, names: readonly string[]): boolean =>
  parsed.options.some(({ name }) =>
    names.some((full) => full === name || (name.length >= 3 && full.length > 1 && full.startsWith(name))),
  );

const isDry = ({ options: all }: Parsed, names: readonly string[]): boolean =>
  all.some(({ name, value }) => names.includes(name) && value !== "none" && value !== "false");

/** The rule, unless an option asks only for what would be done. */
export function unlessDry(names: string, rule: Effect | EffectRule, valued = ""): EffectRule {
  const [dry, table] = [words(names), optionTable(valued)];
  return (argv, state) => (isDry(parseOptions(argv.slice(1), table), dry) ? "reads" : effectBy(rule, argv, state));
}

const MAX_CODE = 4096;

/** Whether code in another language, a sed script or a statement, is known and short enough to be read here. */
export const isLegible = (code: string): boolean => code.length <= MAX_CODE && !isUnknown(code);

/** Where a program would write: to a file, and not to its output or to nowhere. */
export const isFile = (path: string | null | undefined): boolean =>
  path !== null && path !== undefined && path !== "-" && !/^\/dev\/(null|stdout|stderr|fd\/[12])$/.test(path);

/**
 * What effects say of themselves where that has a consequence (consequences/of-command.ts). Each completes "this step ...".
 */
export const DELETES = "deletes files";
export const NETWORK = "changes the network";
export const FIREWALL = "changes the firewall";
export const USERS = "changes users";
export const STOPS = "restarts or stops the machine";
export const DISKS = "changes disks or mounts";
