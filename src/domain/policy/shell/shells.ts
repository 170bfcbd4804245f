// Shells: `-c` text, a script file whose text is known, or what stands on standard input.
import type { Machine, Output, Program } from "./machine.ts";
import { contentsOf, isWritten } from "./redirects.ts";
import { fork, type State } from "./state.ts";
import { UNKNOWN } from "./symbols.ts";

const NAMES = ["bash", "sh", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "fish"];
const VALUED = new Set(["--rcfile", "--init-file"]);

type Call = {
  readonly text: boolean;
  readonly reads: boolean;
  readonly stdin: boolean;
  readonly operands: readonly string[];
};

export const shell: Program = ([, ...args], state, machine) => {
  const { text, reads, stdin, operands } = callOf(args);
  if (reads) return [""];
  const inner = fork(state, { depth: state.depth + 1, aliases: new Map(), calls: [] });
  startUpFiles(inner, machine);
  const [first, ...rest] = operands;
  if (text)
    return first === undefined ? [""] : run([first], rest.slice(1), fork(inner, { name: rest[0] ?? "bash" }), machine);
  if (first === undefined || stdin) return run(state.stdin ?? [""], operands, inner, machine);
  if (isWritten(first, state) || first.startsWith("/dev/fd/"))
    return run(contentsOf(first, state), rest, inner, machine);
  return [UNKNOWN];
};

function callOf(args: readonly string[]): Call {
  let text = false;
  let stdin = false;
  let reads = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--" || arg === "-") return { text, reads, stdin, operands: args.slice(at + 1) };
    if (!/^[-+]/.test(arg)) return { text, reads, stdin, operands: args.slice(at) };
    if (VALUED.has(arg)) at += 1;
    else if (!arg.startsWith("--")) {
      text ||= arg.startsWith("-") && arg.includes("c");
      stdin ||= arg.startsWith("-") && arg.includes("s");
      reads ||= /^-[a-zA-Z]*n/.test(arg) || (/o$/.test(arg) && args[at + 1] === "noexec");
      if (/[oO]$/.test(arg)) at += 1;
    }
  }
  return { text, reads, stdin, operands: [] };
}

function run(texts: readonly string[], positional: readonly string[], state: State, machine: Machine): Output {
  return texts.flatMap((text) => machine.runText(text, fork(state, { positional })));
}

/** `BASH_ENV=file bash -c ...` runs the file first. */
function startUpFiles(state: State, machine: Machine): void {
  for (const path of state.vars.get("BASH_ENV") ?? []) {
    if (path !== "") run(contentsOf(path, state), [], fork(state), machine);
  }
}

export const SHELLS: readonly (readonly [string, Program])[] = NAMES.map((name) => [name, shell] as const);
