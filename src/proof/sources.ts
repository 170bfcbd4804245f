// Finds in the words of a check what may decide how it ends beside its target: chance, after which no run says anything, and time,
// after which a red look before the change says nothing. Where a value goes from there is not followed.
import { type CheckTree, plainWord, programName, treeOf, visit, visitInPlace, wordsOf } from "./syntax.ts";

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
