// Code of another language on the command line, on standard input or in a file that the program wrote. It is not
// interpreted: the literals that it gives to calls which run or delete something are judged.
import { absolute } from "../paths.ts";
import { awkOutput } from "./awk.ts";
import { boundIn, folded, uncommented } from "./code-folding.ts";
import {
  callsUnknown,
  changedBy,
  decodedLiteral,
  deletedBy,
  directoryOf,
  literalRuns,
  movedBy,
  outsideLiterals,
  printedBy,
} from "./code-literals.ts";
import { MAX_DEPTH, type Machine, type Program } from "./machine.ts";
import { contentsOf, isWritten } from "./redirects.ts";
import { entered, fork, homesOf, type State } from "./state.ts";
import { globbed, isOpen, UNKNOWN } from "./symbols.ts";

type Language = { readonly code: RegExp; readonly file: boolean };

const LANGUAGES: readonly (readonly [string, Language])[] = [
  ...["python", "pypy"].map((name) => [name, { code: /^-\w*c$/, file: true }] as const),
  ...["node", "nodejs", "bun", "deno", "tsx"].map(
    (name) => [name, { code: /^(-e|-p|-pe|--eval|--print|eval)$/, file: true }] as const,
  ),
  ...["perl", "ruby"].map((name) => [name, { code: /^-\w*[eE]$/, file: true }] as const),
  ["php", { code: /^-r$/, file: true }],
  ...["lua", "luajit", "Rscript", "julia"].map((name) => [name, { code: /^-e$/, file: true }] as const),
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, { code: /^(-e|--source)$/, file: false }] as const),
];

const RUNS =
  /system|exec|popen|spawn|subprocess|check_call|check_output|getattr|eval|passthru|proc_open|capture[23]|open3|\brun\b|`|%x|qx|\|\s*getline|\|\s*"/;
/** Perl's `open F, "command |"`. */
const OPENS_PIPE = /\bopen\b[^;\n]*\|/;
/** Programs whose words are data. */
const PLAIN = new Set("echo printf grep rg git ls cat logger print".split(" "));
const DECODES = /b64|base64|atob|fromhex|unhexlify|unpack|"hex"|'hex'|decode/;
const EVALUATES = /\b(?:eval|exec|Function|instance_eval|create_function)\b/;
const FORK = /\bfork\b/;
const ENDLESS =
  /fork\s+while\s+fork|while\s*\(?\s*(1|True|true)\b|loop\s*\{|for\s*\(\s*;\s*;\s*\)|iter\(int|itertools\.count/;
const WRITES = /open|write|>/i;

const MAX_CODE = 8_192;

type Source = { readonly codes: readonly string[]; readonly args: readonly string[] };

/** Code given with an option, as the first word (awk), in a file whose text is known, or on standard input. */
function sourceOf(args: readonly string[], { code, file }: Language, state: State): Source {
  const at = args.findIndex((arg) => code.test(arg));
  if (at >= 0) return { codes: args.slice(at + 1, at + 2), args: args.slice(at + 2) };
  const place = args.findIndex((arg) => !arg.startsWith("-") || arg === "-");
  const operand = args[place];
  const rest = args.slice(place + 1);
  if (!file) return awkSource(args, state);
  if (operand === undefined || operand === "-") return { codes: state.stdin ?? [], args: rest };
  const known = isWritten(operand, state) || operand.startsWith("/dev/fd/");
  return { codes: known ? contentsOf(operand, state) : [], args: rest };
}

/** Variables of `-v` stand before the program, and the fields of a known line in it. */
function awkSource(args: readonly string[], state: State): Source {
  const assigned: string[] = [];
  let codes: readonly string[] | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const [, option = "", attached = ""] = /^-([vfF])(.*)$/s.exec(arg) ?? [];
    const value = attached === "" && option !== "" ? (args[++at] ?? "") : attached;
    if (option === "v")
      assigned.push(value.replace(/^(\w+)=([\s\S]*)$/, (_, name, text) => `${name}=${JSON.stringify(text)};`));
    else if (option === "f") codes = contentsOf(value, state);
    else if (option === "" && !arg.startsWith("-")) codes ??= [arg];
  }
  const lines = (state.stdin ?? [])
    .map((text) => text.replace(/\n$/, ""))
    .filter((text) => !/\n/.test(text) && !isOpen(text));
  const withFields = (code: string) =>
    lines.map((line) =>
      code.replace(/\$(\d)/g, (_, n: string) =>
        JSON.stringify(n === "0" ? line : (line.trim().split(/\s+/)[Number(n) - 1] ?? "")),
      ),
    );
  const programs = (codes ?? []).flatMap((code) =>
    lines.length > 0 && /system|\|/.test(code) ? withFields(code) : [code],
  );
  return { codes: programs.map((code) => `${assigned.join("\n")}\n${code}`), args: [] };
}

function judge(code: string, args: readonly string[], line: readonly string[], state: State, machine: Machine): void {
  machine.tick(code.length / 64);
  if (state.depth > MAX_DEPTH) return;
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
  const inner = fork(state, { depth: state.depth + 1, stdin: null });
  const text = folded(uncommented(code), { home: homesOf(state)[0] ?? UNKNOWN, args });
  const directory = directoryOf(text);
  if (directory !== null) inner.cwd = state.cwd.map((cwd) => absolute(directory, cwd));
  for (const [, name, value] of boundIn(text)) {
    inner.vars = entered(inner.vars, name.replace(/^[$@]/, ""), [literalRuns(value)[0]?.join(" ") ?? ""]);
  }
  const outside = outsideLiterals(uncommented(code));
  judgeLiterals(outside, text, inner, machine);
  const literals = literalRuns(text).flat();
  const hidden = DECODES.test(code) ? literals.flatMap((literal) => decodedLiteral(literal) ?? []) : [];
  for (const found of [...hidden, ...(EVALUATES.test(outside) ? literals : [])]) {
    machine.provedOnly().runText(found, fork(inner));
    judge(found, args, line, inner, machine);
  }
  if (callsUnknown(text)) {
    const reason = "what this code runs or deletes cannot be told from the text; write it out as a command";
    machine.report("ask", "dyn.operand", reason, line);
  }
}

function judgeLiterals(code: string, text: string, state: State, machine: Machine): void {
  // Asking about every literal that is not a command would make one-liners useless, so only what is proved counts.
  const strict = machine.provedOnly();
  const runs = literalRuns(text);
  if (RUNS.test(code) || OPENS_PIPE.test(text)) for (const words of runs) judgeRun(words, state, strict);
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
  if (words.length > 1 && PLAIN.has(first)) return;
  for (const word of words) {
    const text = word.replace(/^\s*\||\|\s*$/g, "").replace(/#?\{(\w+)\}/g, "$${$1}");
    strict.runText(text, fork(state));
    if (text !== word) strict.runText(word, fork(state));
  }
}

const homed = (path: string, state: State): string =>
  /^~(\/|$)/.test(path) ? `${homesOf(state)[0] ?? UNKNOWN}${path.slice(1)}` : path;

export const ONE_LINERS: readonly (readonly [string, Program])[] = LANGUAGES.map(([name, language]) => [
  name,
  (argv, state, machine) => {
    const { codes, args } = sourceOf(argv.slice(1), language, state);
    for (const code of codes) judge(code, args, argv, state, machine);
    for (const [, command = ""] of codes.join("\n").matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/g))
      machine.runText(command, fork(state, { depth: state.depth + 1, stdin: [UNKNOWN] }));
    if (!language.file) return awkOutput(argv.slice(1), state);
    if (args.length > 0) {
      const runs = codes.some((code) => /\b(exec|system)\s*\(?\s*@ARGV/.test(code)) ? machine : machine.provedOnly();
      runs.runArgv(args, fork(state, { launches: state.launches + 1 }));
    }
    const printed = codes.length === 1 ? printedBy(codes[0] ?? "") : [];
    return printed.length > 0 ? printed : [UNKNOWN];
  },
]);
