// `find`, `xargs` and their relatives: which paths they reach, as symbolic text, the commands that they run on them, and what
// they delete.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { exposureOf } from "../paths.ts";
import { decodeEscapes } from "../words/escapes.ts";
import { matches } from "../words/glob.ts";
import { has, type OptionTable, optionValue, parseOptions } from "../words/options.ts";
import { DEEP, globbed, isOpen, quoted, UNKNOWN } from "../words/symbols.ts";
import { deletesTrees } from "./blocked-operands.ts";
import { type BlockRule, type EffectRule, mayBeOption, type ProgramRecord } from "./record.ts";

const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

const NAMES = new Set(["-name", "-iname"]);

const PATHS = new Set(["-path", "-ipath", "-wholename", "-regex", "-iregex", "-lname"]);

/** Tests that pick some files, though the text does not tell which. */
const PICKS =
  /^-(empty|[acm]?newer\w*|[acm](time|min)|size|user|group|perm|uid|gid|inum|samefile|links|nouser|nogroup)$/;

const GLOBAL = /^-([HLP]+|D|O\d)$/;

type Found = { readonly paths: readonly string[]; readonly deletes: boolean };

/** The paths that the expression reaches: each root and all below it, narrowed by its tests. */
function foundBy(args: readonly string[]): Found {
  const start = args.findIndex((arg) => !GLOBAL.test(arg));
  const rest = start < 0 ? [] : args.slice(start);
  const end = rest.findIndex((arg) => /^[-(!,]/.test(arg));
  const roots = end < 0 ? rest : rest.slice(0, end);
  const expression = end < 0 ? [] : rest.slice(end);
  const below = narrowed(expression);
  const paths = (roots.length === 0 ? ["."] : roots).flatMap((root) => below.map((tail) => `${root}${tail}`));
  return { paths, deletes: expression.includes("-delete") };
}

function narrowed(expression: readonly string[]): readonly string[] {
  let picked = false;
  const either = expression.some((word) => word === "-o" || word === "-or" || word === ",");
  for (const [at, test] of expression.entries()) {
    const value = expression[at + 1] ?? "";
    // What is pruned is left out: all the rest is reached.
    if (/^(!|-not)$/.test(expression[at - 1] ?? "") || expression[at + 2] === "-prune") continue;
    if (NAMES.has(test) && !matchesAll(value)) return either ? [`/${UNKNOWN}`] : named(value, expression);
    if ((PATHS.has(test) && !matchesAll(value)) || PICKS.test(test)) picked = true;
  }
  if (picked) return [`/${UNKNOWN}`];
  return startsBelow(expression) ? [`/${DEEP}`] : ["", `/${DEEP}`];
}

/** Right below the root or deeper, unless the depth is limited. */
function named(pattern: string, expression: readonly string[]): readonly string[] {
  const first = `/${globbed(pattern)}`;
  return expression[expression.indexOf("-maxdepth") + 1] === "1" && expression.includes("-maxdepth")
    ? [first]
    : [first, `/${UNKNOWN}${first}`];
}

const startsBelow = (expression: readonly string[]): boolean => {
  const at = expression.indexOf("-mindepth");
  return at >= 0 && /^[1-9]/.test(expression[at + 1] ?? "");
};

const matchesAll = (pattern: string): boolean =>
  /^\^?\.\*\$?$/.test(pattern) || ["zq-probe.1", "/x/9"].every((probe) => matches(globbed(pattern), probe, true));

/** Every command after -exec and its kind, up to `;` or `+`. */
function commandsOf(args: readonly string[]): string[][] {
  const commands: string[][] = [];
  let open: string[] | null = null;
  for (const [at, arg] of args.entries()) {
    const ends = arg === ";" || (arg === "+" && args[at - 1] === "{}");
    if (open !== null && !ends) open.push(arg);
    else if (open !== null) open = null;
    else if (RUNS.has(arg)) {
      open = [];
      commands.push(open);
    }
  }
  return commands;
}

/** `-files0-from -` names the roots on standard input. */
function withRoots(args: readonly string[], state: State): readonly string[] {
  const at = args.indexOf("-files0-from");
  if (at < 0) return args;
  const roots = contentsOf(args[at + 1] ?? "-", state)
    .flatMap((text) => text.split(/[\0\n]/))
    .filter((root) => root !== "");
  return [...roots, ...args.slice(0, at), ...args.slice(at + 2)];
}

const runFind: Program = ([, ...given], state, machine) => {
  const args = withRoots(given, state);
  const { paths } = foundBy(args);
  const commands = commandsOf(args);
  for (const command of commands) {
    for (const path of paths) {
      machine.tick();
      const argv = command.map((word) => word.replaceAll("{}", () => path));
      machine.runArgv(argv, fork(state));
    }
  }
  return commands.length > 0 ? [UNKNOWN] : [paths.join("\n")];
};

/** `fd pattern -x command`. */
const runFd: Program = ([, ...args], state: State, machine) => {
  const at = args.findIndex((arg) => ["-x", "-X", "--exec", "--exec-batch"].includes(arg));
  if (at >= 0) machine.runArgv([...args.slice(at + 1).map((word) => word.replaceAll("{}", UNKNOWN))], fork(state));
  return [UNKNOWN];
};

const judgeFind: BlockRule = (argv, state, report) => {
  const { paths, deletes } = foundBy(withRoots(argv.slice(1), state));
  if (deletes) deletesTrees(() => paths)(argv, state, report);
  else if (
    argv.slice(1).some((word, at) => at > 0 && (word === UNKNOWN || (word.startsWith("-") && isOpen(word)))) &&
    paths.some((path) => exposureOf(path, state) !== null)
  )
    report("ask", "dyn.operand", "an unknown word may make this delete what it finds; write the expression out", argv);
};

const findEffect: EffectRule = ([, ...args]) => {
  if (args.includes("-delete")) return { changes: "deletes files" };
  if (args.some((arg) => /^-f(print|ls)/.test(arg))) return { changes: "writes files" };
  return args.some(mayBeOption) ? "unknown" : "reads";
};

export const FIND: readonly ProgramRecord[] = [
  { names: "find", runs: runFind, effect: findEffect, alwaysBlocked: judgeFind, suspected: "as a pattern" },
  { names: "gfind", effect: findEffect },
  { names: "fd fdfind", runs: runFd, effect: "reads" },
];

const TABLE: OptionTable = {
  short: "adEILnPs",
  long: ["arg-file", "delimiter", "replace", "max-lines", "max-args", "max-procs", "max-chars"],
};

const xargs: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, TABLE, false);
  const command = parsed.operands.length === 0 ? ["echo"] : parsed.operands;
  const mark = optionValue(parsed, "I", "replace") ?? (has(parsed, "i", "replace") ? "{}" : null);
  const file = optionValue(parsed, "a", "arg-file");
  const texts = file === null ? (state.io.stdin ?? [""]) : contentsOf(file, state);
  // The output of find is kept as lines, with any separator between its paths.
  const separator = has(parsed, "0", "null")
    ? texts.some((text) => text.includes(DEEP))
      ? /[\0\n]/
      : "\0"
    : separatorOf(optionValue(parsed, "d", "delimiter"), mark !== null);
  // Without input the command runs once, but for -r; what is not known may be no input.
  if (mark === null && !has(parsed, "r", "no-run-if-empty"))
    machine.provedOnly().runArgv(command, fork(state, { io: { stdin: null } }));
  return texts.flatMap((text) => {
    const items = (separator === null ? quotedWords(text) : text.split(separator)).filter((item) => item.trim() !== "");
    const each = has(parsed, "n", "max-args", "L", "max-lines");
    const lines =
      mark === null
        ? [[...command, ...items], ...(each ? items.map((item) => [...command, item]) : [])]
        : items.map((item) => command.map((word) => word.replaceAll(mark, () => item)));
    return lines.flatMap((argv) => machine.runArgv(argv, fork(state, { io: { stdin: null } })));
  });
};

/** Null: words as xargs reads them, where quotes and backslashes keep blanks. */
function separatorOf(delimiter: string | null, lines: boolean): RegExp | string | null {
  if (delimiter === null) return lines ? "\n" : null;
  const char = decodeEscapes(delimiter).charAt(0);
  return char === "\0" ? /[\0\n]/ : char;
}

const quotedWords = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, escaped) => double ?? single ?? escaped),
  );

const parallel: Program = ([, ...args], state, machine) => {
  const { operands } = parseOptions(args, { short: "jnNISa", long: ["jobs", "max-procs", "colsep", "joblog"] }, false);
  const at = operands.findIndex((word) => word.startsWith(":::"));
  const command = at < 0 ? operands : operands.slice(0, at);
  const items = at < 0 ? (state.io.stdin ?? [""]).flatMap((text) => text.split("\n")) : operands.slice(at + 1);
  const text = command.join(" ");
  return items
    .filter((item) => item !== "")
    .flatMap((item) => {
      const line =
        text === "" ? item : text.includes("{}") ? text.replaceAll("{}", () => item) : `${text} ${quoted(item)}`;
      return machine.runText(line, deeper(state));
    });
};

export const XARGS: readonly ProgramRecord[] = [
  { names: "xargs", runs: xargs, effect: "reads", suspected: "anywhere" },
  { names: "parallel", runs: parallel, effect: "reads" },
];
