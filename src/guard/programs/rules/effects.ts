// Decides what a use of a program does to the world, from data: verbs, options, and options that make a program which otherwise
// looks write a file, send data or run another program.
import type { State } from "../../interpreter/state.ts";
import { optionTable, type Parsed, parseOptions, words } from "../../words/options.ts";
import { isUnknown, startsUnknown } from "../../words/symbols.ts";
import type { Effect, EffectRule, ProgramRecord, ShownEffect } from "../record.ts";

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
  /** Options with a value that may stand before the verb, without dashes. */
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
  const withValue = dashed(valued);
  const family: VerbRules = [["help", "reads"], [reading, "reads"], [changing, { changes: why }], ...rules];
  const table = new Map(family.flatMap(([names, rule]) => words(names).map((name) => [name, rule] as const)));
  const rule: EffectRule = (argv, state) => {
    const rest = afterOptions(argv.slice(1), withValue);
    const [verb, first] = rest;
    if (verb === undefined) return bare;
    const own = table.get(verb);
    if (own === undefined) return mayBeOption(verb) ? "unknown" : otherwise;
    return first === "--help" ? "reads" : effectBy(own, rest, state);
  };
  return Object.assign(shows(rule, { reads: reading, changes: changing }), { named: true } as const);
}

/** Says what the rule knows, for the page of the programs. */
export const shows = (rule: EffectRule, shown: ShownEffect): EffectRule => Object.assign(rule, { shown });

const effectBy = (rule: Effect | EffectRule, argv: readonly string[], state: State): Effect =>
  typeof rule === "function" ? rule(argv, state) : rule;

/** Letters and long names as they are spelled. Some programs write a long name after one dash. */
export const dashed = (valued: string): ReadonlySet<string> =>
  new Set(words(valued).flatMap((name) => (name.length === 1 ? [`-${name}`] : [`--${name}`, `-${name}`])));

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
  const rule: EffectRule = ([, ...args]) => {
    const parsed = parseOptions(args, valued);
    if (isDry(parsed, dry)) return "reads";
    if (given(parsed, change)) return { changes: why };
    if (given(parsed, doubt) || (sensitive && parsed.operands.some(mayBeOption))) return "unknown";
    if (given(parsed, read)) return "reads";
    return parsed.operands.length > operands ? { changes: why } : otherwise;
  };
  return shows(rule, shownOptions(table));
}

function shownOptions({ reads, dry, changes, operands, why, otherwise = "reads" }: Options): ShownEffect {
  const named = (names = ""): string[] => words(names).map((name) => (name.length === 1 ? `-${name}` : `--${name}`));
  const rest = operands === undefined ? "else" : `up to ${operands} operands`;
  const other = typeof otherwise === "object" ? [otherwise.changes] : [];
  return {
    reads: [...named(dry), ...named(reads), ...(otherwise === "reads" ? [rest] : [])].join(" "),
    changes: [...named(changes), ...(operands === undefined ? [] : [`more operands: ${why}`]), ...other].join(" "),
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
  const dryRule = shows(
    (argv, state) => (isDry(parseOptions(argv.slice(1), table), dry) ? "reads" : effectBy(rule, argv, state)),
    typeof rule === "function" ? (rule.shown ?? {}) : typeof rule === "object" ? { changes: rule.changes } : {},
  );
  return typeof rule === "function" && rule.named === true ? Object.assign(dryRule, { named: true } as const) : dryRule;
}

const MAX_CODE = 4096;

/** Whether code in another language, a sed script or a statement, is known and short enough to be read here. */
export const isLegible = (code: string): boolean => code.length <= MAX_CODE && !isUnknown(code);

/** Where a program would write: to a file, and not to its output or to nowhere. */
export const isFile = (path: string | null | undefined): boolean =>
  path !== null && path !== undefined && path !== "-" && !/^\/dev\/(null|stdout|stderr|fd\/[12])$/.test(path);

/**
 * What effects say of themselves where that has a consequence (consequences.ts). Each completes "this step ...".
 */
export const DELETES = "deletes files";
export const NETWORK = "changes the network";
export const FIREWALL = "changes the firewall";
export const USERS = "changes users";
export const STOPS = "restarts or stops the machine";
export const DISKS = "changes disks or mounts";

export const WRITES = "writes files";
export const MACHINE = "changes settings of the machine";
export const SERVICES = "changes services";
export const PACKAGES = "changes packages";
export const CLUSTER = "changes the cluster";
export const REPOSITORY = "changes a repository";

export const WRITING: Effect = { changes: WRITES };
export const SENDING: Effect = { changes: "sends data" };
export const ACTING: Effect = { changes: "changes what it is asked about" };

/** What these change is on this machine, unless their words name a host. */
export const onThisMachine = (records: readonly ProgramRecord[]): readonly ProgramRecord[] =>
  records.map((record) => ({ ...record, here: true }));

/** A manager of packages. */
export const manager = (reading: string, change: string, more?: MoreVerbs): EffectRule =>
  verbs(PACKAGES, reading, change, more);

/** Shorter ones could be meant for other options. */
const SHORTEST = 4;

const isNamed = (word: string, long: readonly string[]): boolean => {
  const [, name = ""] = /^--([\w-]+)/.exec(word) ?? [];
  return long.some((full) => full === name || (name.length >= SHORTEST && full.startsWith(name)));
};

/** Whether the option writes to the output of the program, or to nowhere. */
function writesNoFile(args: readonly string[], at: number): boolean {
  const [word = "", next] = args.slice(at);
  const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : next;
  return value !== undefined && !isFile(value);
}

/** What its options add to a program that looks; null: nothing. */
export function sideEffectOf([, ...args]: readonly string[], rows: ProgramRecord["sideEffects"] = []): Effect | null {
  const text = args.join(" ");
  const found = [rows].flat().find((row) => {
    const has = (isIt: (word: string) => boolean): boolean =>
      args.some((word, at) => isIt(word) && !(row.effect === WRITING && writesNoFile(args, at)));
    if (has((word) => isNamed(word, words(row.long ?? "")))) return true;
    const isSpelled = row.words === undefined ? row.when !== undefined : has((word) => row.words?.test(word) === true);
    return isSpelled && (row.when?.test(text) ?? true);
  });
  return found?.effect ?? null;
}
