// Code of another language on the command line. It is not interpreted: where it calls something that runs a command or
// deletes a tree, its string literals are judged as if they were given to that call.
import { awkOutput } from "./awk.ts";
import { callsUnknown, decodedLiteral, folded, literalRuns, outsideLiterals } from "./code-literals.ts";
import { MAX_DEPTH, type Machine, type Program } from "./machine.ts";
import { fork, homesOf, type State } from "./state.ts";
import { UNKNOWN } from "./symbols.ts";

type Language = { readonly code: RegExp; readonly file: boolean };

const LANGUAGES: readonly (readonly [string, Language])[] = [
  ...["python", "python2", "python3", "pypy3"].map((name) => [name, { code: /^-\w*c$/, file: true }] as const),
  ...["node", "nodejs", "bun", "deno"].map(
    (name) => [name, { code: /^(-e|-p|-pe|--eval|--print|eval)$/, file: true }] as const,
  ),
  ...["perl", "ruby"].map((name) => [name, { code: /^-\w*[eE]$/, file: true }] as const),
  ["php", { code: /^-r$/, file: true }],
  ["lua", { code: /^-e$/, file: true }],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, { code: /^(-e|--source)$/, file: false }] as const),
];

const RUNS = /system|exec|popen|spawn|subprocess|check_call|check_output|getattr|eval|`|%x|qx|\|\s*getline|\|\s*"/;
const DELETES =
  /rmtree|rmSync|rmdirSync|fs\.rm|promises\.rm|\.rm\(|rimraf|rm_rf|rm_r\b|remove_tree|remove_entry|removeSync|FileUtils/;
const DECODES = /b64|base64|atob|fromhex|unhexlify|unpack|"hex"|'hex'|decode/;
const EVALUATES = /\b(?:eval|exec|Function|instance_eval|create_function)\b/;
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
  if (!machine.tick(code.length / 64)) return;
  if (FORK.test(code) && ENDLESS.test(code)) {
    machine.report("block", "disk.write", "code that starts itself again without end is a fork bomb; remove it", line);
  }
  unknownCode(code, line, machine);
  const inner = fork(state, { depth: state.depth + 1, stdin: null });
  const text = folded(code, homesOf(state)[0] ?? UNKNOWN);
  const runs = literalRuns(text);
  const outside = outsideLiterals(code);
  judgeLiterals(outside, runs, inner, machine);
  const hidden = DECODES.test(code) ? runs.flat().flatMap((literal) => decodedLiteral(literal) ?? []) : [];
  const evaluated = EVALUATES.test(outside) ? runs.flat() : [];
  judgeHidden([...hidden, ...evaluated], line, inner, machine);
  if (callsUnknown(text)) {
    const reason = "what this code runs or deletes cannot be told from the text; write it out as a command";
    machine.report("ask", "dyn.operand", reason, line);
  }
}

function judgeLiterals(code: string, runs: readonly (readonly string[])[], state: State, machine: Machine): void {
  const literals = runs.flat();
  // Asking about every literal that is not a command would make one-liners useless, so only what is proved counts.
  const strict = machine.provedOnly();
  if (RUNS.test(code)) {
    for (const text of literals) strict.runText(text, fork(state));
    for (const words of runs) if (words.length > 1) strict.runArgv(words, fork(state));
  }
  if (DELETES.test(code))
    for (const path of literals) strict.runArgv(["rm", "-r", "--", homed(path, state)], fork(state));
  if (WRITES.test(code)) for (const path of literals) if (path.startsWith("/dev/")) machine.write(path, state);
}

/** Text that was encoded, or that is evaluated, may be code of the same language or a command. */
function judgeHidden(texts: readonly string[], line: readonly string[], state: State, machine: Machine): void {
  if (state.depth > MAX_DEPTH) return;
  for (const text of texts) {
    judgeLiterals("system", [[text]], state, machine);
    judge(text, line, state, machine);
  }
}

const homed = (path: string, state: State): string =>
  /^~(\/|$)/.test(path) ? `${state.vars.get("HOME")?.[0] ?? UNKNOWN}${path.slice(1)}` : path;

export const ONE_LINERS: readonly (readonly [string, Program])[] = LANGUAGES.map(([name, language]) => [
  name,
  (argv, state, machine) => {
    for (const code of codeOf(argv.slice(1), language, state)) judge(code, argv, state, machine);
    return language.file ? [UNKNOWN] : awkOutput(argv.slice(1), state);
  },
]);
