// Code of another language on the command line, on standard input or in a file that the program wrote. It is not
// interpreted: the literals that it gives to calls which run or delete something are judged.
import { MAX_DEPTH, type Machine, type Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { deeper, entered, fork, homesOf, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { globbed, isOpen, UNKNOWN } from "../words/symbols.ts";
import {
  boundIn,
  callsUnknown,
  changedBy,
  decodedLiteral,
  deletedBy,
  directoryOf,
  folded,
  literalRuns,
  movedBy,
  openRuns,
  outsideLiterals,
  printedBy,
  uncommented,
} from "./code-literals.ts";
import { pythonOnlyLooks } from "./python-look.ts";
import type { EffectRule, ProgramRecord } from "./record.ts";
import { runsTexts } from "./runs-texts.ts";

const RUNS =
  /system|exec|popen|spawn|subprocess|check_call|check_output|getattr|eval|passthru|proc_open|capture[23]|open3|\brun\b|`|%x|qx|\|\s*getline|\|\s*"/;

/** Perl's `open F, "command |"`. */
const OPENS_PIPE = /\bopen\b[^;\n]*\|/;
const DECODES = /b64|base64|atob|fromhex|unhexlify|unpack|"hex"|'hex'|decode/;
const EVALUATES = /\b(?:eval|exec|Function|instance_eval|create_function)\b/;
const FORK = /\bfork\b/;

const ENDLESS =
  /fork\s+while\s+fork|while\s*\(?\s*(1|True|true)\b|loop\s*\{|for\s*\(\s*;\s*;\s*\)|iter\(int|itertools\.count/;

const WRITES = /open|write|>/i;
const MAX_CODE = 8_192;

export type CodeSource = { readonly codes: readonly string[]; readonly args: readonly string[] };

/** `line` is the whole command, `args` the words after the code. */
type CodeCall = { readonly args: readonly string[]; readonly line: readonly string[] };

function judgeCode(code: string, { args, line }: CodeCall, state: State, machine: Machine): void {
  machine.tick(code.length / 64);
  if (state.frame.depth > MAX_DEPTH) return;
  if (code.length > MAX_CODE) {
    machine.report(
      "ask",
      "cap.length",
      "the code of another language is too long to be looked at; put it in a file",
      line,
    );
    return;
  }
  if (FORK.test(code) && ENDLESS.test(code)) {
    machine.report("block", "disk.write", "code that starts itself again without end is a fork bomb; remove it", line);
  }
  if (code === UNKNOWN) {
    const reason = "unknown text would be run as a program; write the program out, or put it in a file";
    machine.report("ask", "dyn.pipe_to_shell", reason, line);
  }
  const inner = deeper(state, { io: { stdin: null } });
  const text = folded(uncommented(code), { home: homesOf(state)[0] ?? UNKNOWN, args });
  const directory = directoryOf(text);
  if (directory !== null) inner.location.cwd = state.location.cwd.map((cwd) => absolute(directory, cwd));
  for (const [, name, value] of boundIn(text)) {
    inner.bindings.vars = entered(inner.bindings.vars, name.replace(/^[$@]/, ""), [
      literalRuns(value)[0]?.join(" ") ?? "",
    ]);
  }
  const outside = outsideLiterals(uncommented(code));
  judgeLiterals(outside, text, inner, machine);
  const literals = literalRuns(text).flat();
  const hidden = DECODES.test(code) ? literals.flatMap((literal) => decodedLiteral(literal) ?? []) : [];
  for (const found of [...hidden, ...(EVALUATES.test(outside) ? literals : [])]) {
    machine.provedOnly().runText(found, fork(inner));
    judgeCode(found, { args, line }, inner, machine);
  }
  if (callsUnknown(text)) {
    const reason = "what this code runs or deletes cannot be determined from the text; write it out as a command";
    machine.report("ask", "dyn.operand", reason, line);
  }
}

function judgeLiterals(code: string, text: string, state: State, machine: Machine): void {
  // Asking about every literal that is not a command would make one-liners useless, so only what is proved counts.
  const strict = machine.provedOnly();
  const runs = literalRuns(text);
  if (RUNS.test(code) || OPENS_PIPE.test(text)) for (const words of runs) judgeRun(words, state, strict);
  // A word that is not written out can be anything, as in a command of the shell.
  if (RUNS.test(code)) for (const words of openRuns(text)) machine.runArgv([...words, UNKNOWN], fork(state));
  for (const path of deletedBy(text)) strict.runArgv(["rm", "-r", "--", globbed(homed(path, state))], fork(state));
  const [from, to] = movedBy(text);
  if (from !== undefined && to !== undefined) strict.runArgv(["mv", globbed(from), to], fork(state));
  for (const path of changedBy(text)) strict.runArgv(["chmod", "-R", "0", path], fork(state));
  if (!WRITES.test(text)) return;
  for (const path of runs.flat())
    if (/^[<>+]*\s*\/dev\//.test(path)) machine.write(path.replace(/^[<>+\s]*/, ""), state);
}

/** One literal is shell text; several in a row are the words of a command, or each of them is text. */
function judgeRun(given: readonly string[], state: State, strict: Machine): void {
  const words = given.filter((word) => !/^(-\||\|-)$/.test(word));
  const [first = ""] = words;
  if (words.length > 1) strict.runArgv(words, fork(state));
  if (words.length > 1 && strict.programs.takesData(first)) return;
  for (const word of words) {
    const text = word.replace(/^\s*\||\|\s*$/g, "").replace(/#?\{(\w+)\}/g, "$${$1}");
    strict.runText(text, fork(state));
    if (text !== word) strict.runText(word, fork(state));
  }
}

const homed = (path: string, state: State): string =>
  /^~(\/|$)/.test(path) ? `${homesOf(state)[0] ?? UNKNOWN}${path.slice(1)}` : path;

export type Language = {
  /** The option that gives code. */
  readonly code: RegExp;
  /** Finds the code where it is the first word, as for awk. */
  readonly source?: (args: readonly string[], state: State) => CodeSource;
};

/** Code given with an option, as the first word (awk), in a file whose text is known, or on standard input. */
function sourceOf(args: readonly string[], { code, source }: Language, state: State): CodeSource {
  const at = args.findIndex((arg) => code.test(arg));
  if (at >= 0) return { codes: args.slice(at + 1, at + 2), args: args.slice(at + 2) };
  if (source !== undefined) return source(args, state);
  const first = args.findIndex((arg) => !arg.startsWith("-") || arg === "-");
  const operand = args[first];
  const rest = args.slice(first + 1);
  if (operand === undefined || operand === "-") return { codes: state.io.stdin ?? [], args: rest };
  const known = isWritten(operand, state) || operand.startsWith("/dev/fd/");
  return { codes: known ? contentsOf(operand, state) : [], args: rest };
}

export function codeProgram(language: Language): Program {
  return (argv, state, machine) => {
    const { codes, args } = sourceOf(argv.slice(1), language, state);
    for (const code of codes) judgeCode(code, { args, line: argv }, state, machine);
    for (const [, command = ""] of codes.join("\n").matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/g))
      machine.runText(command, deeper(state, { io: { stdin: [UNKNOWN] } }));
    if (language.source !== undefined) return [UNKNOWN];
    if (args.length > 0) {
      const runs = codes.some((code) => /\b(exec|system)\s*\(?\s*@ARGV/.test(code)) ? machine : machine.provedOnly();
      runs.runArgv(args, fork(state, { frame: { launches: state.frame.launches + 1 } }));
    }
    const printed = codes.length === 1 ? printedBy(codes[0] ?? "") : [];
    return printed.length > 0 ? printed : [UNKNOWN];
  };
}

const isShort = (code: string): boolean => !isOpen(code) && pythonOnlyLooks(code);

type Looked = { readonly io: Pick<State["io"], "stdin" | "files"> };

/** Code on the command line or on standard input that only looks; a module that this very text wrote would be run. */
function looksInPython([first = "", ...rest]: readonly string[], { io: { stdin, files } }: Looked): boolean {
  if ([...files.keys()].some((path) => path.endsWith(".py"))) return false;
  if (/^-[ISEsuB]*c$/.test(first)) return isShort(rest[0] ?? "");
  if (/^-[ISEsuB]+$/.test(first) && rest.length > 0) return looksInPython(rest, { io: { stdin, files } });
  return (first === "" || first === "-") && stdin !== null && stdin.length > 0 && stdin.every(isShort);
}

/** `python3 -m json.tool` is a way to print. */
const pythonEffect: EffectRule = ([, ...args], state) => {
  if (looksInPython(args, state)) return "reads";
  if (args.every((arg) => /^(-V+|--version|-h|--help)$/.test(arg)) && args.length > 0) return "reads";
  const [module, first = "", ...more] = args[0] === "-m" ? args.slice(1) : [];
  if (module === "json.tool") return more.filter((arg) => !arg.startsWith("-")).length > 0 ? "unknown" : "reads";
  if (module === "pip") return /^(list|show|freeze|check|--version)$/.test(first) ? "reads" : "unknown";
  return /^(site|platform|sysconfig)$/.test(module ?? "") ? "reads" : "unknown";
};

const onlyVersion: EffectRule = ([, ...args]) =>
  args.length > 0 && args.every((arg) => /^-{1,2}(v|V|version|h|help)$/.test(arg)) ? "reads" : "unknown";

const phpEffect: EffectRule = ([, first = ""]) =>
  /^-([vilm]|-version|-info|-modules|-syntax-check)$/.test(first) ? "reads" : "unknown";

const runsShellScripts = runsTexts((args) =>
  args.flatMap((arg) => [...arg.matchAll(/do shell script "([^"]*)"/g)].map(([, text = ""]) => text)),
);
const runPython = codeProgram({ code: /^-\w*c$/ });
const runScript = codeProgram({ code: /^(-e|-p|-pe|--eval|--print|eval)$/ });
const runPerl = codeProgram({ code: /^-\w*[eE]$/ });
const runExpression = codeProgram({ code: /^-e$/ });

export const LANGUAGES: readonly ProgramRecord[] = [
  { names: "python", runs: runPython, effect: pythonEffect, versions: true },
  { names: "python2 python3", effect: pythonEffect, kinds: true },
  { names: "pypy", runs: runPython, versions: true },
  { names: "pypy3", effect: pythonEffect },
  { names: "node", runs: runScript, effect: onlyVersion, versions: true },
  { names: "nodejs deno", runs: runScript, effect: onlyVersion },
  { names: "tsx", runs: runScript },
  { names: "perl ruby", runs: runPerl, effect: onlyVersion, versions: true },
  { names: "php", runs: codeProgram({ code: /^-r$/ }), effect: phpEffect, versions: true },
  { names: "lua", runs: runExpression, effect: onlyVersion, versions: true },
  { names: "luajit", runs: runExpression, versions: true },
  { names: "Rscript", runs: runExpression, effect: onlyVersion },
  { names: "julia", runs: runExpression },
  { names: "java", effect: onlyVersion },
  { names: "osascript", runs: runsShellScripts, effect: onlyVersion },
];
