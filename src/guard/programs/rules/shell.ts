// Runs what a shell is given: `-c` text, a script file whose text is known, or standard input.
import { expandedAsText } from "../../interpreter/arithmetic.ts";
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { contentsOf, isKnownScript, scriptTexts } from "../../interpreter/redirects.ts";
import { deeper, fork, homesOf, keepFiles, type State, startedShell } from "../../interpreter/state.ts";
import { reportInvisible } from "../../interpreter/unreadable.ts";
import { absolute } from "../../paths.ts";
import { words } from "../../words/options.ts";
import { UNKNOWN } from "../../words/symbols.ts";

const VALUED = new Set(["--rcfile", "--init-file"]);

type ShellCall = {
  readonly text: boolean;
  readonly reads: boolean;
  readonly stdin: boolean;
  readonly start: string | null;
  readonly operands: readonly string[];
};

export const shell: Program = ([name = "", ...args], state, machine) => {
  const call = callOf(args);
  const { text, reads, start, operands } = call;
  if (reads) return [""];
  const inner = deeper(state, {
    bindings: { aliases: new Map(), ...startedShell(state) },
    frame: { calls: [] },
    shell: { posix: !/^(bash|rbash)$/.test(name) },
  });
  startUpFiles(args, inner, machine);
  if (start !== null) for (const file of scriptTexts(start, state)) machine.runFile(start, file, inner);
  const texts = textsOf(call, state);
  if (texts === null) return [UNKNOWN];
  if (text) inner.shell.name = operands[1] ?? "bash";
  else if (texts.file !== undefined) inner.shell.name = texts.file;
  else if (operands.length === 0 || call.stdin) inner.shell.reading = state.io.stdin;
  const output = run(texts, inner, machine);
  keepFiles(state, inner);
  return output;
};

/** Null: a file whose text is not known. */
function textsOf({ text, stdin, operands }: ShellCall, state: State): Texts | null {
  const [first, ...rest] = operands;
  if (text) return { texts: first === undefined ? [] : [first], positional: rest.slice(1) };
  if (first === undefined || stdin) return { texts: inputOf(state), positional: operands };
  if (!isKnownScript(first, state) && !first.startsWith("/dev/fd/")) return null;
  return { texts: scriptTexts(first, state), positional: rest, file: first };
}

/** A shell in a script on standard input reads the rest of that script, which is judged as part of it. */
function inputOf({ io: { stdin }, shell: { reading } }: State): readonly string[] {
  return stdin === null || stdin === reading ? [] : stdin;
}

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

type Texts = { readonly texts: readonly string[]; readonly positional: readonly string[]; readonly file?: string };

/** `file`: where the texts lie. What they write stays. */
function run({ texts, positional, file }: Texts, state: State, machine: Machine): Output {
  return texts.flatMap((text) => {
    const inner = fork(state, { frame: { positional: [positional] } });
    if (machine.certain)
      reportInvisible(text, machine.report, file === undefined && texts.length === 1 ? "block" : "ask");
    const output =
      file === undefined ? machine.runText(text, inner) : machine.runFile(pathOf(file, inner), text, inner);
    keepFiles(state, inner);
    return output;
  });
}

const pathOf = (file: string, { location: { cwd } }: State): string => absolute(file, cwd[0] ?? "/");

const INTERACTIVE = words(".bashrc .bash_aliases .zshrc .zshenv .kshrc");

const LOGIN = words(".bash_profile .bash_login .profile .zprofile .zlogin .zshenv .bashrc .bash_aliases");

/** Files that a shell runs by itself when it starts for a human, or as a login. */
export function startFiles(args: readonly string[], state: State): readonly string[] {
  const letters = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg)).join("");
  const login = letters.includes("l") || args.includes("--login");
  if (!login && !letters.includes("i")) return [];
  const homes = homesOf(state).filter((home) => home.startsWith("/"));
  const own = (login ? LOGIN : INTERACTIVE).flatMap((file) => homes.map((home) => absolute(file, home)));
  return [...(login ? ["/etc/profile"] : []), "/etc/bash.bashrc", "/etc/bashrc", "/etc/environment", ...own];
}

/** `BASH_ENV=file bash -c ...` runs the file first. */
function startUpFiles(args: readonly string[], state: State, machine: Machine): void {
  for (const path of startFiles(args, state))
    for (const text of scriptTexts(path, state)) machine.runFile(path, text, state);
  for (const path of [...(state.bindings.vars.get("BASH_ENV") ?? []), ...(state.bindings.vars.get("ENV") ?? [])]) {
    const names = /[$`]/.test(path) ? expandedAsText(path, fork(state), machine) : [path];
    for (const name of names)
      if (name !== "") run({ texts: contentsOf(name, state), positional: [] }, fork(state), machine);
  }
}
