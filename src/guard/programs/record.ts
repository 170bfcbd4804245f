// All that the guard knows of a program is one record: what it runs, what it does to the world, and what of it is always
// blocked.
import type { Program, Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import type { EffectRule } from "./effect-rules.ts";

/** Reports a use that is always blocked, or one that may be. */
export type BlockRule = (argv: readonly string[], state: State, report: Report) => void;

export type ProgramRecord = {
  /** Base names that the guard treats alike, separated by blanks. */
  readonly names: string;
  /** What it launches, evaluates, writes or prints. Without it the words after the program may be a command. */
  readonly runs?: Program;
  /** What it does to the world. Without it that is unknown. */
  readonly effect?: EffectRule;
  readonly alwaysBlocked?: BlockRule;
  /** Tried where the text has only a pattern of the program's name, or also where an unknown program has it as a word. */
  readonly suspected?: "as a pattern" | "anywhere";
  /** Part of the shell: it starts no program. */
  readonly builtin?: true;
  /** Its words may be assignments, which are not split into fields. */
  readonly declares?: true;
  /** Its words are data even within code of another language. */
  readonly takesData?: true;
  /** `lua5.4` is run as lua is. */
  readonly versions?: true;
  /** `mkfs.ext4` has the effect of mkfs. */
  readonly kinds?: true;
  /** What it prints is made for `eval`: always, or when one of these words is the first. */
  readonly printsSetup?: true | string;
};
