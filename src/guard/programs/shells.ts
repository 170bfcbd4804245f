// Shells run `-c` text, a script file whose text is known, or standard input. Other programs print text for their `eval`.
import { expandedAsText } from "../interpreter/arithmetic.ts";
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { COMPLETIONS, type EffectRule, type ProgramRecord } from "./record.ts";

const VALUED = new Set(["--rcfile", "--init-file"]);

type ShellCall = {
  readonly text: boolean;
  readonly reads: boolean;
  readonly stdin: boolean;
  readonly start: string | null;
  readonly operands: readonly string[];
};

export const shell: Program = ([name = "", ...args], state, machine) => {
  const { text, reads, stdin, start, operands } = callOf(args);
  if (reads) return [""];
  const inner = deeper(state, {
    bindings: { aliases: new Map(), inherited: state.bindings.vars },
    frame: { calls: [] },
    shell: { posix: !/^(bash|rbash)$/.test(name) },
  });
  startUpFiles(inner, machine);
  if (start !== null) for (const file of contentsOf(start, state)) machine.runText(file, inner);
  const [first, ...rest] = operands;
  if (text)
    return first === undefined
      ? [""]
      : run([first], rest.slice(1), fork(inner, { shell: { name: rest[0] ?? "bash" } }), machine);
  if (first === undefined || stdin) return runInput(operands, inner, machine);
  if (isWritten(first, state) || first.startsWith("/dev/fd/"))
    return run(contentsOf(first, state), rest, inner, machine);
  return [UNKNOWN];
};

function callOf(args: readonly string[]): ShellCall {
  let text = false;
  let stdin = false;
  let reads = false;
  let start: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--" || arg === "-") return { text, reads, stdin, start, operands: args.slice(at + 1) };
    if (!/^[-+]/.test(arg)) return { text, reads, stdin, start, operands: args.slice(at) };
    if (VALUED.has(arg)) {
      at += 1;
      start = args[at] ?? null;
    } else if (!arg.startsWith("--")) {
      text ||= arg.startsWith("-") && arg.includes("c");
      stdin ||= arg.startsWith("-") && arg.includes("s");
      if (/^\+[a-zA-Z]*n/.test(arg)) reads = false;
      reads ||= /^-[a-zA-Z]*n/.test(arg) || (/o$/.test(arg) && args[at + 1] === "noexec");
      if (/[oO]$/.test(arg)) at += 1;
    }
  }
  return { text, reads, stdin, start, operands: [] };
}

function run(texts: readonly string[], positional: readonly string[], state: State, machine: Machine): Output {
  return texts.flatMap((text) => machine.runText(text, fork(state, { frame: { positional: [positional] } })));
}

/** A shell in a script on standard input reads the rest of that script, which is judged as part of it. */
function runInput(positional: readonly string[], state: State, machine: Machine): Output {
  const { stdin } = state.io;
  if (stdin === null || stdin === state.shell.reading) return [""];
  return run(stdin, positional, fork(state, { shell: { reading: stdin } }), machine);
}

/** `BASH_ENV=file bash -c ...` runs the file first. */
function startUpFiles(state: State, machine: Machine): void {
  for (const path of [...(state.bindings.vars.get("BASH_ENV") ?? []), ...(state.bindings.vars.get("ENV") ?? [])]) {
    const names = /[$`]/.test(path) ? expandedAsText(path, fork(state), machine) : [path];
    for (const name of names) if (name !== "") run(contentsOf(name, state), [], fork(state), machine);
  }
}

/** `bash file` runs unknown text, unless the program wrote that file itself. */
const shellEffect: EffectRule = ([, ...args], state) => {
  const { options: flags, operands } = parseOptions(args, { short: "oO", long: ["rcfile", "init-file"] }, false);
  const [script] = operands;
  const shown = flags.some(({ name }) => /^(c|n|s|version|help)$/.test(name));
  return shown || script === undefined || isWritten(script, state) ? "reads" : "unknown";
};

const GIVEN = /^-[a-z]*c$/;

export const SHELLS: readonly ProgramRecord[] = [
  { names: "bash sh dash zsh", runs: shell, effect: shellEffect, suspected: "anywhere", code: GIVEN },
  { names: "ksh ash mksh rbash fish", runs: shell, effect: shellEffect, code: GIVEN },
  { names: "dircolors lesspipe register-python-argcomplete", printsSetup: true },
  { names: "fnm opam asdf", printsSetup: "env" },
  { names: "mise", printsSetup: "activate env hook-env" },
  { names: "direnv", printsSetup: "hook export" },
  { names: "starship zoxide atuin pyenv rbenv nodenv goenv jenv", printsSetup: "init" },
  { names: "thefuck", printsSetup: "--alias" },
  { names: "micromamba", printsSetup: "shell" },
  { names: "luarocks", printsSetup: "path" },
  { names: "hugo istioctl velero cilium", printsSetup: COMPLETIONS },
];
