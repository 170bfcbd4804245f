// What the text of a check says by itself, and the files that its shell runs.
import type { Examination } from "../domain/proof.ts";
import { readsBefore } from "../domain/step-run.ts";
import { type PlanContract, shellContextOf } from "../policy/judge-plan.ts";
import { chanceIn } from "./chance.ts";
import { constantExit } from "./constant.ts";
import { decoyOf } from "./decoy.ts";
import { readPipes } from "./pipes.ts";
import { plainWord, treeOf, visit, wordsOf } from "./syntax.ts";

type Check = { readonly text: string; readonly contract: PlanContract };

export const namesTarget = (text: string, { target }: Pick<PlanContract, "target">): boolean =>
  decoyOf(text, target, "/nothing").names_target;

/** Whether a writer or its reader ends first. */
const pipeChance = (text: string): string | null => readPipes(text, { strict: false }).faults[0] ?? null;

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** `scripts`: the texts of the files that its shell runs. Never throws. */
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

// Finds the words in a check's text that ask for the time. "No file is younger than 5 seconds" is red, and green a moment later, though
// nothing was reached: that such a check was red before says nothing of a change. Which way time turns it is not followed.

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

/** Never throws. */
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
