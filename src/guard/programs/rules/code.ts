// Judges code of another language on the command line, on standard input or in a file that the program wrote. It is not
// interpreted: the literals that it gives to calls which run or delete something are judged.
import { runsWhatWasRead } from "../../interpreter/files-of-run.ts";
import { MAX_DEPTH, type Machine, type Program } from "../../interpreter/machine.ts";
import { isKnownScript, scriptTexts, textAt } from "../../interpreter/redirects.ts";
import { deeper, entered, fork, homesOf, type State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { globbed, hasGlob, isAnything, isOpen, UNKNOWN } from "../../words/symbols.ts";
import { type CodeDialect, callsUnknown, deletesUnknown } from "./code-calls.ts";
import {
  boundIn,
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

const RUNS =
  /system|exec|popen|spawn|subprocess|check_call|check_output|getattr|eval|passthru|proc_open|capture[23]|open3|Command|System\.cmd|\.execute\s*\(\s*\)|\bshell|\brun\b|`|%x|qx|\|\s*getline|\|\s*"/;

/** Calls that give a text to a shell, with the text, and what shows that it is all that they give. */
const RUNS_TEXT =
  /\b(?:system|popen|getoutput|getstatusoutput|execSync|shell_exec|passthru)\b\s*\(?\s*("(?:[^"\\]|\\.)*")(\s*(?:[;)}]|$))?/g;

/** Perl's `open F, "command |"`. */
const OPENS_PIPE = /\bopen\b[^;\n]*\|/;

const DECODES = /b64|base64|atob|fromhex|unhexlify|unpack|"hex"|'hex'|decode/;

const EVALUATES = /\b(?:eval|exec|Function|instance_eval|create_function)\b/;

const FORK = /\bfork\b/;

const ENDLESS =
  /fork\s+while\s+fork|while\s*\(?\s*(1|True|true)\b|loop\s*\{|for\s*\(\s*;\s*;\s*\)|iter\(int|itertools\.count/;

const WRITES = /open|write|copy|dump|>/i;

const MAX_CODE = 8_192;

/** `file`: where the code lies, as the command names it. */
export type CodeSource = {
  readonly codes: readonly string[];
  readonly args: readonly string[];
  readonly file?: string | undefined;
  /** Modules are looked for in the working directory, and not beside the file. */
  readonly from_cwd?: true;
};

/** `line` is the whole command, `args` the words after the code. */
type CodeCall = { readonly args: readonly string[]; readonly line: readonly string[]; readonly dialect: CodeDialect };

function judgeCode(code: string, { args, line, dialect }: CodeCall, state: State, machine: Machine): void {
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
  if (isAnything(code)) {
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
  // What such a call is given whole, or from the command line, is run for certain.
  for (const [, given = "", end] of text.matchAll(RUNS_TEXT)) {
    const isWhole = end !== undefined && dialect.interpolates?.test(given) !== true;
    for (const [word = ""] of literalRuns(given))
      if (isWhole || args.includes(word)) machine.runText(word, fork(inner));
  }
  const outside = `${outsideLiterals(uncommented(code))}\n${outsideLiterals(text)}`;
  judgeLiterals(outside, text, inner, machine);
  const literals = literalRuns(text).flat();
  const hidden = DECODES.test(code) ? literals.flatMap((literal) => decodedLiteral(literal) ?? []) : [];
  for (const found of [...hidden, ...(EVALUATES.test(outside) ? literals : [])]) {
    machine.provedOnly().runText(found, fork(inner));
    judgeCode(found, { args, line, dialect }, inner, machine);
  }
  if (callsUnknown(text, dialect) || deletesUnknown(text)) {
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
  readonly loads?: LoadRule;
  /** The variable with more directories that modules are looked for in. */
  readonly path?: string;
  /** The option that gives code. */
  readonly code: RegExp;
  readonly dialect: CodeDialect;
  /** Finds the code where no option gives it. */
  readonly source?: (args: readonly string[], state: State) => CodeSource;
  /** The words after the code are files. */
  readonly isFilter?: true;
};

/** Options after a script belong to the script, not to the interpreter. */
function sourceOf(args: readonly string[], { code, source = scriptOf }: Language, state: State): CodeSource {
  const at = placeOfScript(args);
  const isScript = at >= 0 && isKnownScript(args[at] ?? "", state) && !args.slice(0, at).some((arg) => code.test(arg));
  return (isScript ? null : optionCode(args, code)) ?? source(args, state);
}

/** In a file whose text is known, or on standard input. */
export function scriptOf(args: readonly string[], state: State): CodeSource {
  const named = placeOfScript(args);
  const isVerb = SCRIPT_VERB.test(args[named] ?? "") && !isKnownScript(args[named] ?? "", state);
  const first = isVerb ? placeOfScript(args, SCRIPT_VERB) : named;
  const operand = args[first];
  const rest = args.slice(first + 1);
  if (operand === undefined || operand === "-") return { codes: state.io.stdin ?? [], args: rest };
  const known = isKnownScript(operand, state) || operand.startsWith("/dev/fd/");
  return { codes: known ? scriptTexts(operand, state) : [], args: rest, file: operand };
}

/** `-e A -e B` is one program; `-eA` and `--eval=A` bring their text along. Null without such an option. */
function optionCode(args: readonly string[], code: RegExp): CodeSource | null {
  const parts: string[] = [];
  let end = args.findIndex((arg) => code.test(arg));
  for (let at = end; at >= 0 && at < args.length; ) {
    const match = code.exec(args[at] ?? "");
    if (match === null) break;
    const [whole] = match;
    const attached = (args[at] ?? "").slice(whole.length);
    parts.push(attached === "" ? (args[at + 1] ?? "") : attached.replace(/^=/, ""));
    at += attached === "" ? 2 : 1;
    end = at;
  }
  return parts.length === 0 ? null : { codes: [parts.join("\n")], args: args.slice(end) };
}

const MAX_FILES = 512;

/** Texts of what the code loads, and of what that loads. */
function loadedBy(
  { codes, file, from_cwd }: CodeSource,
  { loads, path }: Language,
  state: State,
  machine: Machine,
): readonly string[] {
  if (loads === undefined || codes.length === 0) return [];
  const [cwd = "/"] = state.location.cwd;
  const { here } = state.location;
  const started = file === undefined || hasGlob(file) ? null : machine.linkTarget(absolute(file, cwd));
  const more = (path === undefined ? [] : (state.bindings.vars.get(path) ?? [])).flatMap((all) => all.split(":"));
  const roots = [
    started === null || from_cwd === true ? cwd : `${started}/..`,
    ...more.filter((one) => one !== "" && !isOpen(one)),
  ].map((one) => absolute(one, cwd));
  const texts: string[] = [];
  const seen = new Set<string>();
  const pending = codes.map((code) => ({ code, at: started }));
  for (const { code, at } of pending) {
    machine.tick(code.length / 64);
    const own = at === null ? cwd : absolute(`${at}/..`, cwd);
    for (const { name, paths, of_language } of loads(code, { roots, here: own, cwd })) {
      const candidates = paths.map((one) => absolute(one, cwd)).filter((one) => one.startsWith("/") && !isOpen(one));
      if (here && of_language !== true) machine.loads({ by: at === null ? "this code" : nameOf(at), name, candidates });
      for (const candidate of candidates) {
        if (seen.has(candidate) || seen.size >= MAX_FILES) continue;
        seen.add(candidate);
        const known = textAt(candidate, state);
        if (here) machine.runsFile(candidate, known);
        for (const text of known ?? []) {
          texts.push(text);
          pending.push({ code: text, at: candidate });
        }
      }
    }
  }
  return texts;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function codeProgram(language: Language): Program {
  return (argv, state, machine) => {
    const source = sourceOf(argv.slice(1), language, state);
    const { codes: given, args } = source;
    const codes = [...given, ...loadedBy(source, language, state, machine)];
    for (const code of codes) runsWhatWasRead(code, isOpen(code), state, machine);
    for (const code of codes) judgeCode(code, { args, line: argv, dialect: language.dialect }, state, machine);
    // Only the language of a filter has such a pipe; in others the bar is an operator.
    const piping = language.isFilter === true ? machine : machine.provedOnly();
    for (const [, command = ""] of codes.join("\n").matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/g))
      piping.runText(command, deeper(state, { io: { stdin: [UNKNOWN] } }));
    if (language.isFilter === true) return [UNKNOWN];
    // The words after the code are data to it, but for those that it may run.
    const [first = ""] = args;
    if (args.length > 0 && machine.programs.isProgram(first, state)) {
      const runs = codes.some((code) => /\b(exec|system)\s*\(?\s*@ARGV/.test(code)) ? machine : machine.provedOnly();
      runs.runArgv(args, fork(state, { frame: { launches: state.frame.launches + 1 } }));
    }
    const printed = codes.length === 1 ? printedBy(codes[0] ?? "") : [];
    return printed.length > 0 ? printed : [UNKNOWN];
  };
}

/** Options whose value is not the script. */
const VALUED = /^(?:-r|--(?:require|import|loader|experimental-loader|env-file|conditions))$/;

/** Options that have a value in some interpreters only. */
const MAYBE_VALUED = /^-[WXC]$/;

/** Has a value in Perl and Ruby, but not in Python. */
const INCLUDES = "-I";

/** The verbs before a script of deno and bun. */
export const SCRIPT_VERB = /^(run|eval|repl|test|x|install|add)$/;

/**
 * Finds the word that names the script in the command line of an interpreter. Finds the first word that is not an option, a value
 * of an option or a verb.
 */
export const placeOfScript = (args: readonly string[], verb = /^(?!)/): number =>
  args.findIndex((arg, at) => {
    const before = args[at - 1] ?? "";
    if (arg !== "-" && arg.startsWith("-")) return false;
    if (before === INCLUDES && !/\.py$/.test(arg)) return false;
    if (VALUED.test(before) || (MAYBE_VALUED.test(before) && !/[./]/.test(arg))) return false;
    return !verb.test(arg);
  });

/** `roots`: the directories that an absolute name is looked for in. `here`: that of the file with the code. */
type LoadPlace = { readonly roots: readonly string[]; readonly here: string; readonly cwd: string };

/** `of_language`: a module of the language itself, where no file beside the code takes its place. */
export type Loaded = { readonly name: string; readonly paths: readonly string[]; readonly of_language?: true };

export type LoadRule = (code: string, place: LoadPlace) => readonly Loaded[];

const MAX_LOADED = 256;

export const COMPUTED = "a name that is computed";

export const under = (directories: readonly string[], paths: readonly string[]): readonly string[] =>
  directories.flatMap((directory) => paths.map((path) => `${directory}/${path}`));

/** The file, where the name is its path; else that name in each of the directories. */
export const at = (name: string, ...directories: readonly string[]): readonly string[] =>
  name.startsWith("/") ? [name] : under(directories, [name]);

export const matchesOf = (code: string, pattern: RegExp): readonly RegExpExecArray[] =>
  [...code.matchAll(pattern)].slice(0, MAX_LOADED);

/** What the first group of the pattern finds. */
export const namesOf = (
  code: string,
  pattern: RegExp,
  pathsOf: (name: string) => readonly string[],
): readonly Loaded[] => matchesOf(code, pattern).map(([, name = ""]) => ({ name, paths: pathsOf(name) }));
