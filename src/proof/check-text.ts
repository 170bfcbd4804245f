// Reads from the texts of a check and its plan what the examiner has to know before it runs anything: programs and paths, the
// files that its shell runs, the time that it asks for, comparisons of an operand with itself, and whether it only looks.
import type { Command, SyntaxNode, TestExpression, Word } from "unbash";
import type { Examination } from "../domain/proof.ts";
import { readsBefore } from "../domain/step-run.ts";
import { type PlanContract, shellContextOf } from "../engine/policy/judge-plan.ts";
import {
  effectOf,
  isPlanWorkOver,
  observe,
  pathFrom,
  programsOf,
  type ShellContext,
  type World,
  worldLeftBy,
} from "../guard/guard.ts";
import { chanceIn } from "./chance.ts";
import { decoyOf } from "./decoy.ts";
import { constantExit } from "./exit-code/walk.ts";
import { readPipes } from "./pipes.ts";
import type { ExaminedCheck } from "./port.ts";
import { plainWord, programName, treeOf, visit, visitInPlace, wordsOf } from "./syntax.ts";

/** What the answer of a check depends on beside its text: the programs and the scripts that it runs. */
export function runBy(text: string, contract: PlanContract, home: string) {
  const shell = shellContextOf(contract, home);
  return { programs: programsOf(text, shell).programs, scripts: scriptsIn(text, shell) };
}

export type CheckText = {
  readonly facts: Omit<Examination, "control">;
  /** Whether a decoy may run: the check only looks, also after the commands of the plan. */
  readonly has_decoy: boolean;
  /** The paths that the plan names; null where it takes too long to judge. */
  readonly masked: readonly string[] | null;
};

type Judged = Omit<ExaminedCheck, "contract"> & { readonly contract: PlanContract };

/** `scripts`: the texts of the scripts that it runs. */
export function checkText(
  { text, contract, commands, decoy_on }: Judged,
  scripts: ReadonlyMap<string, string>,
  home: string,
): CheckText {
  const shell = shellContextOf(contract, home);
  const facts = textFacts({ text, contract }, home, scripts);
  if (facts.constant !== null) return { facts, has_decoy: false, masked: [] };
  const has_decoy = decoy_on !== "nowhere" && onlyLooks(text, { ...shell, world: worldLeft(commands, shell) }, scripts);
  const masked = new Set<string>();
  for (const one of [text, ...commands]) {
    if (isPlanWorkOver()) return { facts, has_decoy: false, masked: null };
    for (const path of pathsIn(one, shell)) masked.add(path);
  }
  return { facts, has_decoy, masked: [...masked] };
}

/** A command of the plan may have changed what a word of the check means. */
const worldLeft = (commands: ExaminedCheck["commands"], shell: ShellContext): World | undefined =>
  commands.reduce<World | undefined>((world, command) => worldLeftBy(command, { ...shell, world }), undefined);

const RUNS_A_FILE = /^(\.|source|bash|sh)$/;
/** Most checks name none of them, and need no interpretation for it. */
const MAY_RUN_A_FILE = /(^|[^\w.-])(\.|source|\S*sh)\s/;

/** Absolute paths of the files whose text the shell would run: `. ./.env`, `bash check.sh`. */
export function scriptsIn(text: string, context: ShellContext): string[] {
  const paths = new Set<string>();
  if (!MAY_RUN_A_FILE.test(text)) return [];
  observe(text, context, {
    command: ([name = "", first = ""], directories) => {
      if (RUNS_A_FILE.test(name) && first !== "" && !/^-|[\uFDD0-\uFDEF]/.test(first))
        for (const directory of directories) paths.add(pathFrom(first, directory));
    },
    write: () => undefined,
  });
  return [...paths].slice(0, MAX_SCRIPTS);
}

const MAX_SCRIPTS = 8;

export const onlyLooks = (text: string, shell: ShellContext, files: ReadonlyMap<string, string>): boolean =>
  effectOf(text, { ...shell, files }).is === "reads";

const MAX_PATHS = 200;
/** After a blank, a quote or a sign; not within an address such as `http://web/x`. */
const PATH = /(^|[\s"'=,;:(<>|&@[])(\/[\w.@%+~-][^\s"'`;,()<>|&:$\\{}[\]*?]*)/g;

/** Absolute paths in words, redirections and quoted code, in order; a part that a variable or a pattern ends is cut there. */
export function pathsIn(text: string, context: ShellContext): string[] {
  const paths = new Set<string>();
  const collect = (given: string): void => {
    for (const [, before, path = ""] of given.replace(/\w+:\/\/[^\s"']*/g, "").matchAll(PATH))
      if (before !== undefined && paths.size < MAX_PATHS) paths.add(plain(path));
  };
  const tree = treeOf(text);
  if (tree !== null)
    visit(tree, (node) => {
      if (node.type === "Word") collect(node.value);
      else if (node.type === "HereDocBody") collect(node.text);
    });
  observe(text, context, {
    command: (words) => {
      for (const word of words) collect(word.replace(/[\uFDD0-\uFDEF]/g, "*"));
    },
    write: (path) => collect(path.replace(/[\uFDD0-\uFDEF]/g, "*")),
  });
  return [...paths].filter((path) => path !== "/");
}

/** `/srv/web/` and `/srv/web.` at the end of a sentence name the same directory. */
const plain = (path: string): string => path.replace(/[/.]+$/, "") || "/";

type Check = { readonly text: string; readonly contract: PlanContract };

export const namesTarget = (text: string, { target }: Pick<PlanContract, "target">): boolean =>
  decoyOf(text, target, "/nothing").names_target;

/** Whether a writer or its reader ends first. */
const pipeChance = (text: string): string | null => readPipes(text, { strict: false }).faults[0] ?? null;

const NO_FILES: ReadonlyMap<string, string> = new Map();

/**
 * What the text of a check says by itself, and the files that its shell runs. `scripts`: the texts of the files that its shell
 * runs. Never throws.
 */
export function textFacts({ text, contract }: Check, home: string, scripts = NO_FILES): Omit<Examination, "control"> {
  const all = [text, ...scripts.values()];
  return {
    constant: constantExit(text, shellContextOf(contract, home).env)?.why ?? null,
    chance: all.map(chanceIn).find((found) => found !== null) ?? pipeChance(text),
    ...(all.some(mayTimeTurnGreen) && { by_time: true as const }),
    reads_before: readsBefore(text),
    names_target: namesTarget(text, contract),
    joined: false,
    decoy: null,
    red_at: null,
  };
}

const WORDS = [
  // The time, and how long it is since something began.
  /\b(date|timedatectl|hwclock|SECONDS|EPOCHSECONDS|EPOCHREALTIME|etimes?|cputimes?)\b|%\([^)]*\)T|uptime|idletime/,
  /\/proc\/(stat|interrupts|vmstat|timer_list|driver\/rtc|schedstat|[^/\s]+\/s(ched)?(tat)?)\b/,
  // Ages of files. The times of two files may be those of their making.
  /-[acm](min|time)\b|-used\b|-[acm]?newer|-(nt|ot)\b|\bstat\b.*%[W-Zw-z]/,
  // What was written since or until some time, and what is older.
  /(--|[?&])(since|until|after|before|from|to|start|end|last|window|range|newer|older|changed)\b|\s-ts\b|journalctl.*\s-[SU]/,
  /pgrep.*\s-O|-checkend\b|\bp?ttl\b|\[\d+[smhdw]\]/i,
  // Ages in words: "Up 5 minutes", "3m".
  /(?<!State|Health)\.Status\b|\bRunningFor\b/,
  /\b(second|minute|hour|day|week|month)s?\b|\bago\b|\bmin\b|grep.*[\d\]][+*]?[smhd]\b/i,
  // A text that is made while the check runs may ask for anything.
  /\|\s*(ba|da|z|k|a)?sh\b/,
  // Other languages, and queries.
  /\b(time|systime|strftime|localtime|gmtime|getm?time)\(|time\.time|monotonic|\b(utc)?now\b|\.today\(|new Date|\binterval\s+'/i,
  /\bst_[acm]time|current_(time|date)|perl.*-[MAC]\s/i,
];

/**
 * Finds the words in a check's text that ask for the time. "No file is younger than 5 seconds" is red, and green a moment later,
 * though nothing was reached: that such a check was red before says nothing of a change. Which way time turns it is not followed.
 * Never throws.
 */
export function mayTimeTurnGreen(text: string): boolean {
  try {
    return [text, unquoted(text)].some((one) => WORDS.some((words) => words.test(one)));
  } catch {
    // Nested too deeply for this process.
    return true;
  }
}

/** Its words as the shell reads them: `d\ate`, `da""te`. */
function unquoted(text: string): string {
  const tree = treeOf(text);
  const commands: string[] = [];
  if (tree === null) return "";
  visit(tree, (node) => {
    if (node.type !== "Command") return;
    const words = [node.name, ...wordsOf(node)].map((word) => plainWord(word) ?? "");
    commands.push(words.join(" "));
  });
  return commands.join("\n");
}

type Change = { readonly pos: number; readonly end: number; readonly put: string };

/**
 * Comparisons of an operand with itself. They end as the text says wherever the operand is there, so that what an examination
 * sees of them shows no more than that it is missing. The check with the outcome of each such comparison in its place. Never
 * throws.
 */
export function withoutSelfComparison(text: string): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  const changes: Change[] = [];
  visitInPlace(tree, (node) => {
    const put = outcomeOf(node);
    if (put !== null) changes.push({ pos: node.pos, end: node.end, put });
  });
  return changes
    .toSorted((one, other) => other.pos - one.pos)
    .reduce((result, { pos, end, put }) => result.slice(0, pos) + put + result.slice(end), text);
}

function outcomeOf(node: SyntaxNode): string | null {
  if (node.type === "Command") return outcomeOfCommand(node);
  return node.type === "TestBinary" ? outcomeOfTest(node) : null;
}

const EQUAL = /^(=|==|-eq|-le|-ge|-ef)$/;
const UNEQUAL = /^(!=|-ne|-lt|-gt|-nt|-ot|<|>)$/;

/** With another start the same file is another text. */
const FROM_ELSEWHERE = /^(-i|--ignore-initial)/;
const VALUED = /^(-[nUCWIx]|--bytes|--unified|--context|--width|--exclude|--label)$/;

function outcomeOfCommand(command: Command): string | null {
  const name = programName(command);
  const words = wordsOf(command);
  if (name === "cmp" || name === "diff")
    return words.some(isFromElsewhere) ? null : isSameTwice(operandsOf(words), ":");
  const tested = name === "[" ? words.slice(0, -1) : name === "test" ? words : [];
  const [left, operator, right] = tested;
  if (tested.length !== 3 || left === undefined || right === undefined) return null;
  const sign = plainWord(operator) ?? "";
  if (EQUAL.test(sign)) return isSameTwice([left, right], ":");
  return UNEQUAL.test(sign) ? isSameTwice([left, right], "false") : null;
}

const isFromElsewhere = ({ text }: Word): boolean => FROM_ELSEWHERE.test(text);

const operandsOf = (words: readonly Word[]): readonly Word[] =>
  words.filter((word, at) => !/^-./.test(plainWord(word) ?? "") && !VALUED.test(plainWord(words[at - 1]) ?? ""));

/** In `[[ ]]` what comes after an equals sign is a pattern, which its own text need not match. */
function outcomeOfTest({ left, operator, right }: Extract<TestExpression, { type: "TestBinary" }>): string | null {
  if (EQUAL.test(operator)) return isSameTwice([left, right], "-n 1");
  return UNEQUAL.test(operator) ? isSameTwice([left, right], "-z 1") : null;
}

const isSameTwice = ([one, other, more]: readonly Word[], put: string): string | null =>
  one !== undefined && other !== undefined && more === undefined && isSame(one, other) ? put : null;

/** Each read of these gives something else. */
const CHANGING = /\/dev\/|\/proc\/|\$\(|`|<\(|\b(RANDOM|SRANDOM|SECONDS|EPOCH\w+)\b/;

function isSame(one: Word, other: Word): boolean {
  if (CHANGING.test(one.text)) return false;
  if (one.text === other.text) return true;
  const [first, second] = [plainWord(one), plainWord(other)];
  return first !== null && second !== null && settled(first) === settled(second);
}

const settled = (path: string): string => path.replace(/\/(\.?\/)+/g, "/").replace(/^(\.\/)+/, "");
