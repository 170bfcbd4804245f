// What the parts of the interpreter ask of one another. interpreter.ts ties them together.
import type { CompoundList, Function as FunctionNode, parse, Script, Statement, Word } from "unbash";
import type { GuardCode } from "../codes.ts";
import type { PastCommand, SourceFile, State } from "./state.ts";

export type GuardVerdict = "block" | "ask";

/** Alternatives of the text that a command writes to its standard output. */
export type Output = readonly string[];

export const SILENT: Output = [""];

export type Report = (verdict: GuardVerdict, code: GuardCode, reason: string, argv?: readonly string[]) => void;

/**
 * Follows a program while it is interpreted. Each simple command arrives with its launchers first, then without them.
 * `certain` is false for text that may or may not be run: there only what is proved counts. `report` gets what the walk
 * itself finds.
 */
export type Watcher = {
  readonly command: (argv: readonly string[], state: State, certain: boolean) => void;
  /** `text` is what is written. */
  readonly write: (path: string, state: State, certain: boolean, text: Output) => void;
  readonly report: Report;
};

/** Code of `by` loads `name`, which is the first of the candidates that is there. */
export type Load = { readonly by: string; readonly name: string; readonly candidates: readonly string[] };

/** Beside the files that are run. Paths are absolute, and may be patterns. */
export type FilesUsed = {
  /** What a program does as these say, in a language of its own. */
  readonly applied: readonly string[];
  readonly loads: readonly Load[];
  /** What is run and cannot be followed, as sentences. */
  readonly uncovered: readonly string[];
  /** Those of the files that are run which the commands themselves may write. */
  readonly rewrites: readonly string[];
};

/** What the interpreter asks about programs. It knows none itself. */
export type Programs = {
  readonly run: (argv: readonly string[], state: State, machine: Machine) => Output;
  /** Lines that begin with the same word, followed at once; null where that is no function. */
  readonly call: (lines: readonly (readonly string[])[], state: State, machine: Machine) => Output | null;
  /** Whether its words may be assignments. */
  readonly declares: (name: string) => boolean;
  /** Whether its words are data. */
  readonly takesData: (name: string) => boolean;
  /** Whether the word names a program that is known, or a file that the commands so far wrote. */
  readonly isProgram: (word: string, state: State) => boolean;
  /** A file now holds the text: it may be the configuration of a program, or scheduled work. */
  readonly wrote: (path: string, text: Output, state: State, machine: Machine) => void;
  /** The program that a module of Python is as well. */
  readonly ofModule: (module: string) => string | undefined;
  /** A variable now holds the text: it may be a command that a program runs. */
  readonly assigned: (name: string, texts: Output, state: State, machine: Machine) => void;
  /** Whether it prints what it reads, as it is. */
  readonly passes: (name: string) => boolean;
  /** Whether somebody else decides what a file holds whose text is not known. */
  readonly isForeignFile: (path: string, state: State, machine: Machine) => boolean;
  /** Whether the command may write the file at this path. */
  readonly mayWrite: (path: string, command: PastCommand, state: State) => boolean;
};

export type Machine = {
  readonly programs: Programs;
  readonly report: Report;
  /** False for text that may or may not be run. */
  readonly certain: boolean;
  readonly command: (argv: readonly string[], state: State) => void;
  /** Without `text`, what is written is not known. */
  readonly write: (path: string, state: State, text?: Output) => void;
  /** Counts work, one for a simple command. At the cap the interpretation ends here: it does not return. */
  readonly tick: (cost?: number) => void;
  /** Text that a shell would run, in this very state. */
  readonly runText: (text: string, state: State) => Output;
  /** The text of a file, in this very state: findings name its line. */
  readonly runFile: (path: string, text: string, state: State) => Output;
  /** This file is run. `known` are its texts, where they are known. */
  readonly runsFile: (path: string, known: readonly string[] | undefined) => void;
  /** Each file that matches is run. */
  readonly runsMatching: (pattern: string) => void;
  /** A program does what this file or directory says, in a language of its own. */
  readonly applies: (path: string) => void;
  readonly loads: (load: Load) => void;
  /** Whether the file holds what it held before the plan. */
  readonly isOnDisk: (path: string, state: State) => boolean;
  /** Returns the target of a symbolic link, and any other path unchanged. */
  readonly linkTarget: (path: string) => string;
  /** What is run and cannot be followed, as a sentence. */
  readonly cannotFollow: (what: string) => void;
  /** Commands that may have written files, oldest first, of the steps before as well. */
  readonly past: PastCommand[];
  /** What texts were parsed to. */
  readonly scripts: Map<string, ReturnType<typeof parse>>;
  /** Those of them that have not ended, outermost first. */
  readonly running: PastCommand[];
  readonly origin: string | null;
  readonly runScript: (script: Script, state: State) => Output;
  readonly runBody: (body: FunctionNode["body"], state: State) => Output;
  readonly runArgv: (argv: readonly string[], state: State) => Output;
  /** Text that runs when the shell of this state ends, with all that it knows then. */
  readonly atEnd: (text: string, state: State) => void;
  /** The shell has ended in the second of the states, and may go on in the first. */
  readonly ends: (state: State, ended: State) => void;
  /** This machine, but for text that may or may not be run: only what is proved dangerous in it is reported. */
  readonly provedOnly: () => Machine;
};

export type Program = (argv: readonly string[], state: State, machine: Machine) => Output;

/** How deep text that is run by a command may hold further text that is run, functions included. */
export const MAX_DEPTH = 8;
export const MAX_LAUNCHES = 32;

/** The place in a file that is being run; null for text of the command itself. */
export type Place = { at: { readonly file: SourceFile; readonly offset: number } | null };

/** What a statement holds: a simple command, a pipeline, a list or a compound command. */
export type Node = Statement["command"];

export type Walk = {
  readonly machine: Machine;
  readonly place: Place;
  readonly list: (list: CompoundList, state: State) => Output;
  readonly node: (node: Node, state: State) => Output;
};

/** `text` expands a word to its alternatives without splitting it into fields. */
export type ExpansionScope = {
  readonly state: State;
  readonly machine: Machine;
  readonly text: (word: Word) => readonly string[];
};
