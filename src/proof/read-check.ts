// Reads from the texts of a check and its plan what an examination has to know before it runs anything: what the text says by itself,
// the programs, files and paths in it, whether it only looks, and its parts.
import type { SyntaxNode } from "unbash";
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
import { constantExit } from "./constant.ts";
import { decoyOf } from "./decoy.ts";
import { conjunctsOf, withoutSelfComparison } from "./parts.ts";
import { readPipes } from "./pipes.ts";
import { type CheckTree, contains, plainWord, programName, treeOf, visit, visitInPlace, wordsOf } from "./syntax.ts";
import type { TextFacts } from "./worth.ts";

/** A check, with what it is run for and in. */
type Check = {
  readonly text: string;
  /** Attributes of what it looks at. Its environment has each as `ORCH_TARGET_*`. */
  readonly target: Readonly<Record<string, string>>;
  /** Its home and working directory, and the variables of its task. */
  readonly shell: ShellContext;
};

/** A check as a part of a plan: the check must not find what the other commands write. */
export type CheckOfPlan = Check & {
  readonly commands: readonly string[];
  /** Whether a decoy may run where the check runs. */
  readonly may_have_decoy: boolean;
};

/** What the answer of a check depends on beside its text: the programs and the scripts that it runs. */
export const runBy = (text: string, shell: ShellContext) => ({
  programs: programsOf(text, shell).programs,
  scripts: scriptsIn(text, shell),
});

/** A text that is looked at, and whether it names the target. */
export type LookedAt = { readonly script: string; readonly names_target: boolean };

export type CheckReading = {
  readonly facts: TextFacts;
  /** Whether a decoy may run: the check only looks, also after the commands of the plan. */
  readonly has_decoy: boolean;
  /** The paths that the plan names; null where it takes too long to judge. */
  readonly masked: readonly string[] | null;
  readonly whole: LookedAt;
  /** Those that all have to hold, the last one first; empty where there are not two. */
  readonly parts: readonly LookedAt[];
};

/** `scripts`: the texts of the scripts that it runs. */
export function readCheck(check: CheckOfPlan, scripts: ReadonlyMap<string, string>): CheckReading {
  const { text, target, shell, commands, may_have_decoy } = check;
  const facts = textFacts(check, scripts);
  const looked = (script: string): LookedAt => ({ script, names_target: namesTarget(script, target) });
  const whole = looked(withoutSelfComparison(text));
  if (facts.constant !== null) return { facts, has_decoy: false, masked: [], whole, parts: [] };
  const has_decoy = may_have_decoy && onlyLooks(text, { ...shell, world: worldLeft(commands, shell) }, scripts);
  const masked = new Set<string>();
  for (const one of [text, ...commands]) {
    if (isPlanWorkOver()) return { facts, has_decoy: false, masked: null, whole, parts: [] };
    for (const path of pathsIn(one, shell)) masked.add(path);
  }
  return { facts, has_decoy, masked: [...masked], whole, parts: conjunctsOf(whole.script).map(looked) };
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** What the text of a check says by itself, and the files that its shell runs. Never throws. */
export function textFacts({ text, target, shell }: Check, scripts = NO_FILES): TextFacts {
  const all = [text, ...scripts.values()];
  // Whether a writer or its reader ends first is chance too.
  const chance = all.map(chanceIn).find((found) => found !== null) ?? readPipes(text, { strict: false }).faults[0];
  return {
    constant: constantExit(text, shell.env)?.why ?? null,
    chance: chance ?? null,
    ...(all.some(mayTimeTurnGreen) && { by_time: true as const }),
    reads_before: text.includes("ORCH_BEFORE"),
    names_target: namesTarget(text, target),
  };
}

const namesTarget = (text: string, target: Check["target"]): boolean => decoyOf(text, target, "/nothing").names_target;

/** A command of the plan may have changed what a word of the check means. */
const worldLeft = (commands: readonly string[], shell: ShellContext): World | undefined =>
  commands.reduce<World | undefined>((world, command) => worldLeftBy(command, { ...shell, world }), undefined);

const RUNS_A_FILE = /^(\.|source|bash|sh)$/;
/** Most checks name none of them, and need no interpretation for it. */
const MAY_RUN_A_FILE = /(^|[^\w.-])(\.|source|\S*sh)\s/;
const MAX_SCRIPTS = 8;

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

/** A longer text is not parsed for it: the mark counts wherever it is. */
const MAX_PARSED = 2_048;
const ONCE = /(^|[\s;&|()])#[ \t]*orch:[ \t]*once(?![\w-])/gm;

/** Whether a comment opts out of being run more than once: `# orch: once`. */
export function hasOnce(text: string): boolean {
  const places = [...text.matchAll(ONCE)].map((match) => match.index + match[0].indexOf("#"));
  if (places.length === 0 || text.length > MAX_PARSED) return places.length > 0;
  const tree = treeOf(text);
  return tree !== null && places.some((at) => !isWithinWord(tree, at));
}

function isWithinWord(tree: CheckTree, at: number): boolean {
  return contains(tree, (node) => {
    const isText = node.type === "HereDocBody" || (node.type === "Word" && !hasScript(node));
    return isText && node.pos <= at && at < node.end;
  });
}

/** A comment may be within `$( )`. */
const hasScript = (node: SyntaxNode): boolean => contains(node, ({ type }) => type === "Script");

// Finds in the words of a check what may decide how it ends beside its target: chance, after which no run says anything, and time,
// after which a red look before the change says nothing. Where a value goes from there is not followed.

const CHANCE: readonly (readonly [words: RegExp, what: string])[] = [
  [/\$\{?S?RANDOM\b|(?<![\w$'"-])S?RANDOM\s*[%<>=*/+\])}]/, "$RANDOM"],
  [/\b(shuf|uuidgen|pwgen|mcookie)\b|\bjot -r|\bopenssl\s+rand\b|\bsort\s+(-\w*R|--random-sort)/, "a random value"],
  [/\/dev\/u?random|\/random\/uuid/, "/dev/urandom"],
  [/\bmktemp\s+(-\w*u|--dry-run)/, "the name of mktemp"],
  [/\bdate\s+["']?\+["']?%-?\d?N/, "date +%N"],
  [
    /\bs?rand\s*\(|\brandom\.|Math\.random|secrets\.|uuid[14]|os\.urandom|\brandom\(|\bgetpid\b|getrandom|\brand\b\s*[<>*%]/,
    "a random number",
  ],
];

/** What is odd in one run is even in the next one. */
const CHANGING = /\$\$|\b(BASHPID|EPOCHSECONDS|EPOCHREALTIME|SECONDS|date|uptime|systime|now|time)\b/;
const REMAINDER = /[\w)}$]\s*%\s*(\d+\b|\()/;

/** Completes "... decides how this check ends". Null: nothing of chance was found. Never throws. */
export function chanceIn(text: string): string | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  const rest = withoutCareless(text, tree);
  const source = CHANCE.find(([words]) => words.test(rest))?.[1];
  if (source !== undefined) return source;
  const [, changing] = CHANGING.exec(rest) ?? [];
  const what = changing ?? "$$";
  return CHANGING.test(rest) && REMAINDER.test(rest) ? `the remainder of ${what}` : null;
}

/** Chance in a pause, in a message that nothing reads, in a name of a file or in a parameter of an address decides nothing. */
const CARELESS = /^(sleep|touch|mkdir|rm|logger|cp|mv)$/;
const MESSAGE = /^(echo|printf|:)$/;
const NAMES = /(\/(tmp|shm)\/|TMPDIR\}?\/)[^\s"';|&)]*|[?&]\w*=["']?\$\{?\w+/g;

function withoutCareless(text: string, tree: CheckTree): string {
  let rest = text;
  const blank = ({ pos, end }: { readonly pos: number; readonly end: number }): void => {
    rest = rest.slice(0, pos) + " ".repeat(end - pos) + rest.slice(end);
  };
  const read = new Set<object>();
  visit(tree, (node) => {
    if (node.type === "Pipeline") for (const one of node.commands.slice(0, -1)) read.add(one);
    if (node.type === "CommandExpansion") for (const one of node.script?.commands ?? []) read.add(one.command);
  });
  visitInPlace(tree, (node) => {
    if (node.type !== "Command") return;
    const name = programName(node) ?? "";
    if (CARELESS.test(name) || (MESSAGE.test(name) && !read.has(node))) blank(node);
  });
  return rest.replace(NAMES, "");
}

const TIME = [
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
 * though nothing was reached: that such a check was red before says nothing of a change. Never throws.
 */
export function mayTimeTurnGreen(text: string): boolean {
  try {
    return [text, unquoted(text)].some((one) => TIME.some((words) => words.test(one)));
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
