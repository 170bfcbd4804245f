// Runs the command after a program's own options, as `sudo`, `timeout` and their kind do.
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { deeper, fork, keepFiles, type State } from "../interpreter/state.ts";
import { setVariable } from "../interpreter/variables.ts";
import { absolute } from "../paths.ts";
import { type OptionTable, optionValue, parseOptions } from "../words/options.ts";
import { shell } from "./shells.ts";

/**
 * `skip`: operands before the command. `assigns`: NAME=value may come first. `text`: an option that holds shell text.
 * `directory`: an option that holds the working directory. `joined`: the words are joined and given to a shell.
 */
export type Launcher = OptionTable & {
  readonly skip?: number;
  readonly assigns?: boolean;
  readonly text?: readonly string[];
  readonly directory?: readonly string[];
  readonly joined?: boolean;
  /** Operands name an account and the command is in `text`, unless an option names the account. */
  readonly account?: boolean;
};

export const launched = (state: State): State => fork(state, { frame: { launches: state.frame.launches + 1 } });

export function launches(table: Launcher): Program {
  return ([, ...args], state, machine) => {
    const named = args.some((arg) => /^(-u.*|--user(=.*)?)$/.test(arg));
    const permute = table.account === true && !named;
    const parsed = parseOptions(args, table, permute);
    const inner = launched(state);
    const directory = optionValue(parsed, ...(table.directory ?? []));
    if (directory !== null) inner.place.cwd = state.place.cwd.map((cwd) => absolute(directory, cwd));
    const text = optionValue(parsed, ...(table.text ?? []));
    if (text !== null) return runDeeper(text, inner, machine);
    const words = permute ? [] : parsed.operands.slice(table.skip ?? 0);
    const rest = table.assigns === true ? assignedWords(words, inner, machine) : words;
    if (rest.length === 0) return shell(["sh"], inner, machine);
    if ((rest[0] === "-c" || rest[0] === "--command") && rest[1] !== undefined)
      return runDeeper(rest[1], inner, machine);
    const output = table.joined === true ? runDeeper(rest.join(" "), inner, machine) : machine.runArgv(rest, inner);
    keepFiles(state, inner);
    return output;
  };
}

export const runDeeper = (text: string, state: State, machine: Machine): Output => machine.runText(text, deeper(state));

export function assignedWords(words: readonly string[], state: State, machine: Machine): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_][\w%]*=/.test(word));
  for (const word of first < 0 ? words : words.slice(0, first)) {
    const equals = word.indexOf("=");
    // An exported function: bash defines it before anything else.
    const [, exported] = /^BASH_FUNC_(.+)%%=/.exec(word) ?? [];
    if (exported !== undefined) machine.runText(`${exported} ${word.slice(equals + 1)}`, state);
    setVariable(word.slice(0, equals), [word.slice(equals + 1)], state, machine);
    state.bindings.exported = new Set([...state.bindings.exported, word.slice(0, equals)]);
  }
  return first < 0 ? [] : words.slice(first);
}
