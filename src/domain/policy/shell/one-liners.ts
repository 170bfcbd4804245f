// Code of another language on the command line. It is not interpreted: where it calls something that runs a command or
// deletes a tree, its string literals are judged as if they were given to that call.
import type { Machine, Program } from "./machine.ts";
import { fork, type State } from "./state.ts";
import { UNKNOWN } from "./symbols.ts";

type Language = { readonly code: RegExp; readonly file: boolean };

const LANGUAGES: readonly (readonly [string, Language])[] = [
  ...["python", "python2", "python3", "pypy3"].map((name) => [name, { code: /^-\w*c$/, file: true }] as const),
  ...["node", "nodejs", "bun"].map((name) => [name, { code: /^(-e|-p|-pe|--eval|--print)$/, file: true }] as const),
  ...["perl", "ruby"].map((name) => [name, { code: /^-\w*[eE]$/, file: true }] as const),
  ["php", { code: /^-r$/, file: true }],
  ["lua", { code: /^-e$/, file: true }],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, { code: /^(-e|--source)$/, file: false }] as const),
];

const RUNS = /system|exec|popen|spawn|subprocess|check_call|check_output|`|%x|qx|\|\s*getline|\|\s*"/;
const DELETES =
  /rmtree|rmSync|rmdirSync|fs\.rm|promises\.rm|\.rm\(|rimraf|rm_rf|rm_r\b|remove_tree|remove_entry|removeSync|FileUtils/;
const FORK = /\bfork\b/;
const ENDLESS = /fork\s+while\s+fork|while\s*\(?\s*(1|True|true)\b|loop\s*\{|for\s*\(\s*;\s*;\s*\)/;
const WRITES = /open|write/i;

/** Code given with an option, as the first word (awk), or on standard input. */
function codeOf(args: readonly string[], { code, file }: Language, state: State): readonly string[] {
  const at = args.findIndex((arg) => code.test(arg));
  if (at >= 0) return args.slice(at + 1, at + 2);
  const operand = args.find((arg) => !arg.startsWith("-") || arg === "-");
  if (!file) return operand === undefined ? [] : [operand];
  return operand === undefined || operand === "-" ? (state.stdin ?? []) : [];
}

/** `curl ... | python3`: code that is not known runs. */
function unknownCode(code: string, line: readonly string[], machine: Machine): void {
  if (code !== UNKNOWN) return;
  const reason = "unknown text would be run as a program; write the program out, or put it in a file";
  machine.report("ask", "dyn.pipe_to_shell", reason, line);
}

function judge(code: string, line: readonly string[], state: State, machine: Machine): void {
  if (FORK.test(code) && ENDLESS.test(code)) {
    machine.report("block", "disk.write", "code that starts itself again without end is a fork bomb; remove it", line);
  }
  unknownCode(code, line, machine);
  const runs = literalRuns(code);
  const literals = runs.flat();
  // Asking about every literal that is not a command would make one-liners useless, so only what is proved counts.
  const strict: Machine = {
    ...machine,
    report: (verdict, ...rest) => verdict === "block" && machine.report(verdict, ...rest),
  };
  const inner = fork(state, { depth: state.depth + 1, stdin: null });
  if (RUNS.test(code)) {
    for (const text of literals) strict.runText(text, fork(inner));
    for (const words of runs) if (words.length > 1) strict.runArgv(words, fork(inner));
  }
  if (DELETES.test(code))
    for (const path of literals) strict.runArgv(["rm", "-r", "--", homed(path, state)], fork(inner));
  if (WRITES.test(code)) for (const path of literals) if (path.startsWith("/dev/")) machine.write(path, inner);
}

const homed = (path: string, state: State): string =>
  /^~(\/|$)/.test(path) ? `${state.vars.get("HOME")?.[0] ?? UNKNOWN}${path.slice(1)}` : path;

/** String literals in order; those with only commas, brackets and white space between them make one run. */
function literalRuns(code: string): readonly (readonly string[])[] {
  const runs: string[][] = [];
  const pattern =
    /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:qx|%x|qq|qw|q)[{(/]([^})/]*(?:\/[^})]*)?)[})/]/gs;
  let end = -1;
  for (const match of code.matchAll(pattern)) {
    const text = unescapedLiteral(match.slice(1).find((group) => group !== undefined) ?? "");
    const between = end < 0 ? "x" : code.slice(end, match.index);
    const last = runs.at(-1);
    if (last !== undefined && /^\s*[+.]?\s*$/.test(between)) last.push(`${last.pop() ?? ""}${text}`);
    else if (last !== undefined && /^[\s,[(]*$/.test(between)) last.push(text);
    else runs.push([text]);
    end = match.index + match[0].length;
  }
  return runs;
}

const unescapedLiteral = (text: string): string =>
  text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([^nt])/g, "$1")
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");

export const ONE_LINERS: readonly (readonly [string, Program])[] = LANGUAGES.map(([name, language]) => [
  name,
  (argv, state, machine) => {
    for (const code of codeOf(argv.slice(1), language, state)) judge(code, argv, state, machine);
    return [UNKNOWN];
  },
]);
