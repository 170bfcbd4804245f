// Holds what the interpreter knows at one point of a program. A value is a list of alternatives: one per path that leads here.
import type { Function as FunctionNode, Script } from "unbash";
import { words } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";

/** What the guard cannot guess: the home and the working directory of the step, and the variables that are set. */
export type ShellContext = {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Texts of files, by absolute path, where they are known. */
  readonly files?: ReadonlyMap<string, string>;
  /** The targets of those that are symbolic links. */
  readonly targets?: ReadonlyMap<string, string>;
  /** What the commands before this one have left in the world. */
  readonly world?: World | undefined;
  /** Names the text in what is said of files that it wrote: `step 2`. */
  readonly origin?: string | undefined;
};

/** `below`: a symbolic link, which deleting deletes itself and not what it leads to. */
export type Mount = { readonly host: string; readonly inside: string; readonly below?: true };

/** A file that is being run, for findings that name its line. */
export type SourceFile = { readonly path: string; readonly text: string };

/** Alternatives of a list of words: one per path that leads here. */
export type Lists = readonly (readonly string[])[];

/** What names are bound to. */
type Bindings = {
  vars: ReadonlyMap<string, readonly string[]>;
  arrays: ReadonlyMap<string, Lists>;
  functions: ReadonlyMap<string, readonly FunctionNode["body"][]>;
  aliases: ReadonlyMap<string, readonly string[]>;
  /** Names that are references to another variable: `declare -n`. */
  references: ReadonlyMap<string, string>;
  /** Letters of `declare` that change a value whenever it is assigned: i, l, u. */
  attributes: ReadonlyMap<string, string>;
  gitAliases: ReadonlyMap<string, readonly string[]>;
  /** Names that processes started from here see. */
  exported: ReadonlySet<string>;
  /** What the shell that started this one knew; of it only the exported names are seen here. Null for the first one. */
  inherited: ReadonlyMap<string, readonly string[]> | null;
  /** Whether a variable that was never assigned is known to be unset: until a file of unknown text was sourced. */
  sealed: boolean;
  /** Whether only files of this machine that were sourced can have assigned it otherwise. */
  configured: boolean;
};

/** Standard input, and what is known of files. */
type Io = {
  /** Null: nothing of interest is connected to standard input. */
  stdin: readonly string[] | null;
  /** Files that standard input was opened from, and files that what comes through a pipe was read from. */
  input: readonly string[];
  sources: readonly string[];
  /** Files that were read so far, within a command of a pipeline by that command. One for all forks. */
  reads: Set<string>;
  /** Text that the program itself wrote, by absolute path. */
  files: ReadonlyMap<string, readonly string[]>;
  /** Programs that were copied or linked, and from where, by the absolute path of the copy. */
  copies: ReadonlyMap<string, string>;
  /** Where a path leads: symbolic links and bind mounts, newest first. */
  links: readonly Mount[];
  /** What containers that were started see of the host, by name. */
  containers: ReadonlyMap<string, readonly Mount[]>;
  /** Directories of the host that volumes are bound to, by name. */
  volumes: ReadonlyMap<string, string>;
  /** The payload of the contract, and whether a program has made something of it that is not known. One for all forks. */
  payload: { readonly text: string; isUnresolved: boolean };
  /** Variables that a test has shown to be numbers. One for all forks. */
  readonly checked: Set<string>;
  /** Files of other machines and of containers, by the name of the machine. */
  others: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Commands that read what is written to a path: `>(bash)`. */
  readers: ReadonlyMap<string, Script>;
};

/** Where the program runs. */
type Location = {
  cwd: readonly string[];
  /** Where the program started. */
  start: readonly string[];
  mounts: readonly Mount[];
  /** Whether paths are those of a container: of its own trees only those of a system are protected. */
  contained: boolean;
  /** Whether paths are those of this machine: neither of a container nor of another host. */
  here: boolean;
};

/** The shell itself. */
type Shell = {
  /** `$0`. */
  name: string;
  /** `$_`: the last word of the command before. */
  last: string;
  /** Whether the shell may be another one than bash: no braces, no `$'...'`, `echo` with escapes. */
  posix: boolean;
  /** The standard input that this shell reads its commands from. */
  reading: readonly string[] | null;
  /** Whether text that does not parse is being searched for its substitutions. */
  recovering: boolean;
};

/** The call that is being followed. */
type Frame = {
  positional: Lists;
  /** Names of the functions being called, outermost first. */
  calls: readonly string[];
  /** The variables that each of them has found. */
  found: ReadonlyMap<string, Bindings["vars"]>;
  /** Variables that the function being called has declared as its own. */
  locals: Set<string>;
  /** Inside a pipeline or a background job, where a call to itself multiplies. */
  concurrent: boolean;
  /** Whether the next command is a file whose text is known, which is judged instead of its name. */
  own: boolean;
  /** Whether the next command is an installed program, found by its name. */
  installed: boolean;
  /** The file whose text is being run; null for text of another origin. */
  file: SourceFile | null;
  /** Files that are being run, each with what it was given. */
  scripts: readonly string[];
  depth: number;
  /** How many launchers come before the command: `sudo env nice ...`. */
  launches: number;
  /** How many rounds of loops are being followed one by one. */
  rounds: number;
  /** Whether the next command is the builtin or program itself, no function and no alias. */
  direct: boolean;
};

export type State = { bindings: Bindings; io: Io; location: Location; shell: Shell; frame: Frame };

/** A command that may have written a file, with the directories that it may have run in. */
export type PastCommand = {
  readonly argv: readonly string[];
  readonly directories: readonly string[];
  readonly stdin: readonly string[] | null;
  /** Files that it has run itself. */
  readonly ran: Set<string>;
  /** The step, where the command is one of a plan. */
  readonly origin: string | null;
};

/** Never changed in place. */
export type World = Pick<State["io"], "files" | "copies" | "links" | "containers" | "volumes" | "others"> & {
  readonly gitAliases: State["bindings"]["gitAliases"];
  readonly past: readonly PastCommand[];
  readonly isPayloadUnresolved: boolean;
};

/** Of any groups, any fields. */
type StateChanges = { readonly [G in keyof State]?: Partial<State[G]> };

/** Any variable may have been assigned, by any text. */
export const UNSEALED = { sealed: false, configured: false };

export const DEFAULT_IFS = " \t\n";

export const PATH = `/usr/${UNKNOWN}`;

/** Variables of bash, each of them a plain word. */
export const PLAIN_WORDS = words(
  `BASH_VERSION BASH_VERSINFO BASHOPTS SHELLOPTS SHLVL OPTIND OPTERR TERM LANG PIPESTATUS HOSTNAME HOSTTYPE OSTYPE
  MACHTYPE GROUPS COLUMNS LINES RANDOM SECONDS UID EUID PPID LINENO BASHPID EPOCHSECONDS SRANDOM`,
);

const copied = <G extends object>(group: G, changes: Partial<G> | undefined): G =>
  changes === undefined ? { ...group } : { ...group, ...changes };

/** A state of its own. Tables are never changed in place, so both share them. */
export const fork = (state: State, changes: StateChanges = {}): State => ({
  bindings: copied(state.bindings, changes.bindings),
  io: copied(state.io, changes.io),
  location: copied(state.location, changes.location),
  shell: copied(state.shell, changes.shell),
  frame: copied(state.frame, changes.frame),
});

/** A fork for text that this state runs, one level deeper. */
export const deeper = (state: State, changes: StateChanges = {}): State =>
  fork(state, { ...changes, frame: { ...changes.frame, depth: state.frame.depth + 1 } });

/** Goes on as the branch, which is not used any more. */
export const continueAs = (state: State, branch: State): State => Object.assign(state, branch);

export const entered = <V>(table: ReadonlyMap<string, V>, name: string, value: V): ReadonlyMap<string, V> =>
  new Map(table).set(name, value);

export const without = <V>(table: ReadonlyMap<string, V>, name: string): ReadonlyMap<string, V> =>
  table.has(name) ? restored(table, [name], EMPTY) : table;

export const EMPTY = new Map<string, never>();

/** The names as they are in the other table. */
export function restored<V>(table: Table<V>, names: Iterable<string>, before: Table<V>): Table<V> {
  const result = new Map(table);
  for (const name of names) {
    const held = before.get(name);
    if (held === undefined) result.delete(name);
    else result.set(name, held);
  }
  return result;
}

type Table<V> = ReadonlyMap<string, V>;

/** What a change of this state costs, in simple commands. */
export const weightOf = ({ bindings, io }: State): number => {
  const { vars, arrays, functions, aliases, gitAliases } = bindings;
  return (vars.size + arrays.size + functions.size + aliases.size + gitAliases.size + io.files.size) / 16;
};

export const valuesOf = (state: State, name: string): readonly string[] => state.bindings.vars.get(name) ?? [UNKNOWN];

export const homesOf = (state: State): readonly string[] => valuesOf(state, "HOME");

/** A shell that is started from here: it splits words at blanks, as every shell that starts. */
export const startedShell = ({ bindings: { vars } }: State): Pick<Bindings, "vars" | "inherited"> => ({
  vars: vars.get("IFS")?.[0] === DEFAULT_IFS ? vars : entered(vars, "IFS", [DEFAULT_IFS]),
  inherited: vars,
});

/** A process on another machine, or in a container: it sees the files that were written there, and nothing of this program. */
export const elsewhere = (state: State, cwd: readonly string[], files: Io["files"] = EMPTY): State =>
  fork(state, {
    location: { cwd, start: cwd, here: false, contained: false },
    bindings: {
      ...startedShell(state),
      aliases: EMPTY,
      functions: EMPTY,
      sealed: false,
      configured: false,
      exported: new Set(["HOME", "USER", "LOGNAME", "PATH", "SHELL", "IFS", "BASH", ...PLAIN_WORDS]),
    },
    io: { files, copies: EMPTY, links: [] },
  });

/** Whether the variable is one of the starting shell's own, which it did not export. */
export const isLeftBehind = ({ bindings: { inherited, exported, vars } }: State, name: string): boolean =>
  inherited?.has(name) === true && !exported.has(name) && inherited.get(name) === vars.get(name);

const MAX_REFERENCES = 8;

/** The variable that a name refers to. */
export function targetOf(state: State, name: string): string {
  let target = name;
  for (let n = 0; n < MAX_REFERENCES; n += 1) target = state.bindings.references.get(target) ?? target;
  return target;
}

export const isPathChanged = ({ bindings }: State): boolean => bindings.vars.get("PATH")?.[0] !== PATH;

/** Files, and what else is no part of a process, outlive the process that made them. */
export function keepFiles(into: State, inner: State): void {
  into.io.files = inner.io.files;
  into.io.copies = inner.io.copies;
  into.io.links = inner.io.links;
  into.io.containers = inner.io.containers;
  into.io.volumes = inner.io.volumes;
  into.io.others = inner.io.others;
  into.bindings.gitAliases = inner.bindings.gitAliases;
}
