// The shape of an entry in the table of commands, and the arguments and options that several commands share.
import type { Json } from "../../domain/json.ts";
import type { CommandRun } from "../context.ts";
import { readWait } from "../option-values.ts";

/** `<required>` or `[optional]`, as in commander. A name that begins with `file` is completed with file names. */
type Argument = readonly [syntax: string, summary: string, choices?: readonly string[]];
export type CommandOption = readonly [flags: string, summary: string, allowed?: readonly string[] | Read];
/** Reads one value; `before` holds the earlier values of the option. Throws InvalidArgumentError. */
type Read = (value: string, before: unknown) => unknown;

export type CommandEntry = {
  /** One word, or two: a group and a command in it. */
  readonly name: string;
  readonly summary: string;
  /** Loads the code of the command. It is called only when the command runs, so that every command starts fast. */
  readonly run: () => Promise<CommandRun>;
  /** Printed with its help. A test runs each of them through the parser. */
  readonly examples: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: readonly CommandOption[];
  /** Help text that is printed after the options. */
  readonly more?: string;
  /** The operations that the command calls. */
  readonly calls?: readonly OperationCall[];
};

/** How a call of an operation is written as a command line. */
export type OperationCall = {
  readonly operation: string;
  /** Fields of the input that choose this command among several. */
  readonly chosen_by?: Readonly<Record<string, Json>>;
  /** The argument (`<id>`) or option (`--task`) of each field. Other fields are in a file, or cannot be given. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Further words. The caller replaces those in capitals. */
  readonly always?: readonly string[];
};

export const WAIT: CommandOption = [
  "--wait [seconds]",
  "wait until the task ends or asks, at most this long; without a number: no limit",
  readWait,
];
export const FOLLOW: CommandOption = [
  "--follow",
  "print the events of the task until it has ended, and what its running step writes",
];
export const ALL: CommandOption = ["--all", "every page"];
export const LIMIT: CommandOption = ["--limit <n>", "at most this many (default: 50)"];
export const REASON: CommandOption = ["--reason <text>", "the reason, for the record"];
export const CONTRACT: Argument = ["<file>", "a task contract in JSON or YAML; - is stdin"];
export const TASK: Argument = ["<id>", "a task"];
export const SOP: Argument = [
  "<id>",
  "an SOP: its UUID, the beginning of its UUID, or a version number that only one SOP has",
];
export const FORCE: CommandOption = ["--force", "overwrite the file"];
