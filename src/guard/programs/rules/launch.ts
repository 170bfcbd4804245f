// Runs the command that comes after a program's own options.
import { setVariable } from "../../interpreter/arithmetic.ts";
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { deeper, fork, keepFiles, type State, weightOf } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { optionTable, optionValue, parseOptions } from "../../words/options.ts";
import { UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { shell } from "./shell.ts";

/**
 * `skip`: operands before the command. `assigns`: NAME=value may come first. `text`: an option that holds shell text.
 * `directory`: an option that holds the working directory. `joined`: the words are joined and given to a shell.
 */
type Launch = {
  readonly skip?: number;
  readonly assigns?: boolean;
  readonly text?: readonly string[];
  readonly directory?: readonly string[];
  readonly joined?: boolean;
  /** Operands name an account and the command is in `text`, unless an option names the account. */
  readonly account?: boolean;
};

export const launched = (state: State): State => fork(state, { frame: { launches: state.frame.launches + 1 } });

/** `valued`: the program's own options that take a value. */
export function launches(valued: string, launch: Launch = {}): Program {
  const table = optionTable(valued);
  return ([, ...args], state, machine) => {
    const named = args.some((arg) => /^(-u.*|--user(=.*)?)$/.test(arg));
    const permute = launch.account === true && !named;
    const parsed = parseOptions(args, table, permute);
    const inner = launched(state);
    const directory = optionValue(parsed, ...(launch.directory ?? []));
    if (directory !== null) inner.location.cwd = state.location.cwd.map((cwd) => absolute(directory, cwd));
    const text = optionValue(parsed, ...(launch.text ?? []));
    if (text !== null) return runDeeper(text, inner, machine);
    const words = permute ? [] : parsed.operands.slice(launch.skip ?? 0);
    const rest = launch.assigns === true ? assignedWords(words, inner, machine) : words;
    if (rest.length === 0) return shell(["sh"], inner, machine);
    if ((rest[0] === "-c" || rest[0] === "--command") && rest[1] !== undefined)
      return runDeeper(rest[1], inner, machine);
    const output = launch.joined === true ? runDeeper(rest.join(" "), inner, machine) : machine.runArgv(rest, inner);
    keepFiles(state, inner);
    return output;
  };
}

export const runDeeper = (text: string, state: State, machine: Machine): Output => machine.runText(text, deeper(state));

export function assignedWords(words: readonly string[], state: State, machine: Machine): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_][\w%]*=/.test(word));
  for (const word of first < 0 ? words : words.slice(0, first)) {
    machine.tick(weightOf(state));
    const equals = word.indexOf("=");
    // An exported function: bash defines it before anything else.
    const [, exported] = /^BASH_FUNC_(.+)%%=/.exec(word) ?? [];
    if (exported !== undefined) machine.runText(`${exported} ${word.slice(equals + 1)}`, state);
    setVariable(word.slice(0, equals), [word.slice(equals + 1)], state, machine);
    state.bindings.exported = new Set([...state.bindings.exported, word.slice(0, equals)]);
  }
  return first < 0 ? [] : words.slice(first);
}

/** The first word is another program, which is judged by itself: `k3s kubectl get pods`. */
export const passes = (programs: RegExp, own: EffectRule): Pick<ProgramRecord, "runs" | "effect"> => ({
  runs: ([, program = "", ...args], state, machine) =>
    programs.test(program)
      ? machine.runArgv([program, ...(args[0] === "--" ? args.slice(1) : args)], launched(state))
      : [UNKNOWN],
  effect: Object.assign(
    (argv: readonly string[], state: State) => (programs.test(argv[1] ?? "") ? "reads" : own(argv, state)),
    { named: true } as const,
  ),
});
