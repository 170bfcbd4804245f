// The shape of an entry in the table of commands, and the arguments and options that several commands share.
import type { Json } from "../../domain/json.ts";
import { readWait } from "../option-values.ts";

/** `<needed>` or `[optional]`, as commander writes it; a name that begins with `file` is completed with files. */
type Argument = readonly [syntax: string, summary: string, choices?: readonly string[]];
export type CommandOption = readonly [flags: string, summary: string, allowed?: readonly string[] | Read];
/** Reads one value, given those before it; throws InvalidArgumentError. */
type Read = (value: string, before: unknown) => unknown;

export type CommandEntry = {
  /** Of one word, or of two: a group and a command in it. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly CommandOption[];
  /** Further help, below the options. */
  readonly more?: string;
  /** The operations behind the command. */
  readonly calls?: readonly OperationCall[];
};

/** How a call of an operation is written as a command line. */
export type OperationCall = {
  readonly operation: string;
  /** Fields of the input that choose this command among several. */
  readonly chosen_by?: Readonly<Record<string, Json>>;
  /** The argument (`<id>`) or option (`--task`) of each field. Other fields are in a file, or have no place. */
  readonly places: Readonly<Record<string, string>>;
  /** Further words, in capitals what the caller fills in. */
  readonly always?: readonly string[];
};

export const WAIT: CommandOption = [
  "--wait [seconds]",
  "wait until it ends or asks, at most so long; alone: as long as it takes",
  readWait,
];
export const FOLLOW: CommandOption = ["--follow", "tell what happens, event by event, until the task has ended"];
export const ALL: CommandOption = ["--all", "every page"];
export const LIMIT: CommandOption = ["--limit <n>", "so many at most (default: 50)"];
export const REASON: CommandOption = ["--reason <text>", "why, for the record"];
export const CONTRACT: Argument = ["<file>", "a task contract in JSON or YAML; - is stdin"];
export const TASK: Argument = ["<id>", "a task"];
export const SOP: Argument = ["<id>", "an SOP: its UUID, the beginning of it, or a version that only one SOP has"];
export const FORCE: CommandOption = ["--force", "overwrite the file"];
