// Follows `find` and `fd`: the commands that they run on what they reach, what they delete, and what they print.
import type { Program, Report } from "../../interpreter/machine.ts";
import { contentsOf, record } from "../../interpreter/redirects.ts";
import { fork, homesOf, type State } from "../../interpreter/state.ts";
import { exposureOf } from "../../paths.ts";
import { decodeFormat } from "../../words/escapes.ts";
import { plainRegex } from "../../words/glob.ts";
import { optionTable, parseOptions } from "../../words/options.ts";
import { DEEP, isAnything, isOpen, SOME, STAR, startsUnknown, UNKNOWN, unglobbed } from "../../words/symbols.ts";
import type { BlockRule, EffectRule, PathsRule, ProgramRecord } from "../record.ts";
import { deletesTrees } from "../rules/blocked.ts";
import { DELETES, mayBeOption, onThisMachine } from "../rules/effects.ts";
import { pathsOf } from "./find/action-sets.ts";
import { type FindCall, type Leaf, parseFind } from "./find/expression.ts";

const findRoots: PathsRule = ([, ...args]) => parseFind(args).roots;

/** `-files0-from -` names the roots on standard input. */
function withRoots(args: readonly string[], state: State): readonly string[] {
  const at = args.indexOf("-files0-from");
  if (at < 0) return args;
  const roots = contentsOf(args[at + 1] ?? "-", state)
    .flatMap((text) => text.split(/[\0\n]/))
    .filter((root) => root !== "");
  return [...roots, ...args.slice(0, at), ...args.slice(at + 2)];
}

const runsCommand = ({ word }: Leaf): boolean => /^-(?:exec|ok)/.test(word);

const writesFile = ({ word }: Leaf): boolean => /^-f(?:print|ls)/.test(word);

const PRINTS = new Map([
  ["-print", "%p\\n"],
  ["-print0", "%p\\0"],
  ["-ls", "%s %p\\n"],
  ["-fprint", "%p\\n"],
  ["-fprint0", "%p\\0"],
  ["-fls", "%s %p\\n"],
]);

const OUTPUT = /^\/(?:dev\/(?:stdout|fd\/1)|proc\/self\/fd\/1)$/;

/** How an action prints a path, on standard output or to its file; null where it prints none. */
function formatOf({ word, value }: Leaf): string | null {
  if (word === "-printf") return value[0] ?? "";
  return word === "-fprintf" ? (value[1] ?? "") : (PRINTS.get(word) ?? null);
}

/** Without an action, but for those that only steer, what passed every test is printed. */
function printedBy(call: FindCall, homes: readonly string[]): string {
  const actions = call.actions.filter(({ word }) => word !== "-prune" && word !== "-quit");
  if (actions.length === 0) return linesOf(pathsOf(call, null, homes), "%p\\n");
  return actions
    .map((leaf) => {
      const format = writesFile(leaf) && !OUTPUT.test(leaf.value[0] ?? "") ? null : formatOf(leaf);
      return format === null ? "" : linesOf(pathsOf(call, leaf, homes), format);
    })
    .join("");
}

/** `%p` is the path; of the rest, numbers and dates are plain words. */
const linesOf = (paths: readonly string[], format: string): string =>
  paths
    .map((path) =>
      decodeFormat(format).replace(/%[-+ #\d.]*([A-Za-z%]?[@+]?)/g, (_, letter: string) => {
        if (letter === "%") return "%";
        return /^[pP]$/.test(letter) ? path : /^[bdDGikmnsSTACU]/.test(letter) ? SOME : UNKNOWN;
      }),
    )
    .join("");

const runFind: Program = ([, ...args], state, machine) => {
  const call = parseFind(withRoots(args, state));
  const homes = homesOf(state);
  const output = new Set<string>();
  for (const leaf of call.actions) {
    const [file = ""] = leaf.value;
    if (writesFile(leaf) && !OUTPUT.test(file)) {
      machine.write(file, state);
      record(
        { path: file, append: false, text: [linesOf(pathsOf(call, leaf, homes), formatOf(leaf) ?? "")] },
        state,
        machine,
      );
    }
    if (!runsCommand(leaf)) continue;
    machine.tick(call.actions.length / 8);
    for (const path of pathsOf(call, leaf, homes)) {
      machine.tick();
      const argv = leaf.value.map((word) => word.replaceAll("{}", () => path));
      for (const text of machine.runArgv(argv, fork(state))) output.add(text);
    }
  }
  return [`${[...output].join("")}${printedBy(call, homes)}`];
};

const SEARCHED = optionTable(
  `d E e t S o c j max-depth min-depth exact-depth exclude extension type size owner color threads changed-within
  changed-before max-results format ignore-file base-directory path-separator search-path`,
);

const RUNS_EACH = new Set(["-x", "-X", "--exec", "--exec-batch"]);

/** What a regular expression for names leaves of the paths below a directory. */
function tailOf(source: string, picks: boolean): string {
  if (/^(?:|\^|\.|\.\*|\*)$/.test(source)) return picks ? UNKNOWN : DEEP;
  const regex = isOpen(source) ? null : plainRegex(source, true);
  if (regex === null) return UNKNOWN;
  return `${regex.atStart ? "" : STAR}${regex.pattern}${regex.atEnd ? "" : STAR}`;
}

/** `fd pattern directory -x command`. */
const runFd: Program = ([, ...args], state, machine) => {
  const at = args.findIndex((arg) => RUNS_EACH.has(arg));
  const { options, operands } = parseOptions(at < 0 ? args : args.slice(0, at), SEARCHED);
  const [pattern = ".", ...given] = operands;
  const named = options.flatMap(({ name, value }) =>
    /^(?:search-path|base-directory)$/.test(name) ? [value ?? ""] : [],
  );
  const roots = [...named, ...given];
  const picks = options.some(({ name }) => /^(?:E|e|S|exclude|extension|size|changed-\w+|d|max-depth)$/.test(name));
  const tail = tailOf(pattern, picks);
  const paths = (roots.length === 0 ? ["."] : roots).map((root) => `${root.replace(/\/$/, "")}/${tail}`);
  if (at < 0) return [paths.join("\n")];
  const [, ...command] = args.slice(at);
  const end = command.indexOf(";");
  const words = end < 0 ? command : command.slice(0, end);
  for (const path of paths) {
    const placed = words.map((word) => word.replace(/\{(?:\/|\/\/|\.|\/\.)?\}/g, () => path));
    machine.runArgv(placed.join("\0") === words.join("\0") ? [...words, path] : placed, fork(state));
  }
  return [UNKNOWN];
};

const mayDelete = (word: string): boolean => startsUnknown(word) && "-delete".endsWith(word.slice(1));

/** A word in the place of a test or of a further root. */
const isUndecided = (call: FindCall, words: readonly string[]): boolean =>
  call.roots.slice(1).some(mayDelete) ||
  words.some((word) => isAnything(word) || (word.startsWith("-") && isOpen(word)));

const judgeFind: BlockRule = (argv, state, report) => {
  const call = parseFind(withRoots(argv.slice(1), state));
  const homes = homesOf(state);
  const deletions = call.actions.filter(({ word }) => word === "-delete");
  for (const leaf of deletions) deletesTrees(() => pathsOf(call, leaf, homes))(argv, state, report);
  judgeSweep(call, argv, report);
  if (deletions.length > 0 || !isUndecided(call, call.tests)) return;
  if (pathsOf(call, null, homes).some((path) => exposureOf(path, state) !== null))
    report("ask", "dyn.operand", "an unknown word may make this delete what it finds; write the expression out", argv);
};

const findEffect: EffectRule = ([, ...args]) => {
  const { actions, roots, tests } = parseFind(args);
  if (actions.some(({ word }) => word === "-delete")) return { changes: DELETES };
  if (actions.some(writesFile)) return { changes: "writes files" };
  return roots.some(mayBeOption) || tests.some(isOpen) ? "unknown" : "reads";
};

const PROGRAMS = /^\/(?:usr|boot|bin|sbin|lib\w*|usr\/(?:s?bin|lib\w*))\/?$/;

/** What editors, package managers and interpreters leave there. */
const LEFTOVER =
  /^\*?(?:\.(?:py[co]|bak|old|orig|rej|te?mp|sw[a-z]|log|gz|la|a|o|rpm\w+|dpkg-\w+|ucf-\w+|pacnew|pacsave|md|txt|html)|~|__pycache__|core|tests?|\.DS_Store|\.AppleDouble)\*?$/;

/** Without these nothing runs. */
const PROGRAM_FILE = /\.(?:so|ko|dylib)\b|^(?:vmlinuz|initr(?:d|amfs)|ld-)/;

const deletes = ({ word, value: [program = ""] }: Leaf): boolean =>
  word === "-delete" || (/^-exec/.test(word) && /(?:^|\/)(?:rm|unlink|shred)$/.test(program));

/** Deletes that are chosen by a name anywhere below a tree of programs: `find /usr -name '*.so*' -delete`. */
function judgeSweep({ roots, actions }: FindCall, argv: readonly string[], report: Report): void {
  if (!actions.some(deletes)) return;
  const names = argv.filter((_, at) => /^-i?name$/.test(argv[at - 1] ?? "")).map(unglobbed);
  const isSwept = (root: string): boolean =>
    root === "/"
      ? names.some((name) => PROGRAM_FILE.test(name))
      : PROGRAMS.test(root) && names.some((name) => !LEFTOVER.test(name));
  if (!roots.map(unglobbed).some(isSwept)) return;
  const reason =
    "deletes by their name alone files anywhere below a tree of programs; name the directory of the package";
  report("ask", "rm.wide", reason, argv);
}

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "find",
      runs: runFind,
      effect: findEffect,
      alwaysBlocked: judgeFind,
      suspected: 11,
      paths: findRoots,
      otherOutput: true,
    },
    { names: "gfind", runs: runFind, effect: findEffect, alwaysBlocked: judgeFind, paths: findRoots },
  ]),
  { names: "fd fdfind", runs: runFd, effect: "reads" },
];
