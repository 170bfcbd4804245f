// Says what a record holds: all that the guard knows of a program. A field is data where data can decide; a function is written
// only where it cannot. The files in rules/ read the fields.
import type { Consequence } from "../codes.ts";
import type { Program, Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";

/** `changes` completes "this step ...", as in "deletes files". */
export type Effect = "reads" | "unknown" | { readonly changes: string };

/** The first word is the program, or the verb that the rule is for. `shown`: what the rule knows, for the page of the programs. */
export interface EffectRule {
  (argv: readonly string[], state: State): Effect;
  readonly shown?: ShownEffect;
  /** Its first words name what is done. */
  readonly named?: true;
}

export type ShownEffect = { readonly reads?: string; readonly changes?: string };

/** Reports a use that is always blocked, or one that may be. */
export type BlockRule = (argv: readonly string[], state: State, report: Report) => void;

/** Paths as the program would name them, from the words after it. */
export type FilesRule = (args: readonly string[], state: State) => readonly string[];

/** Some of the words of a command line, or other words for it. */
export type WordsRule = (argv: readonly string[]) => readonly string[];

/** Whether what the use changes is on this machine. `why` is the sentence of its effect; empty where that is unknown. */
export type StayRule = (argv: readonly string[], why: string, reachesHost: boolean) => boolean;

/** Which words of a command line are meant, as data. */
export type Selection = {
  /** All words after the program, joined: only for these, or not for these. */
  readonly when?: RegExp;
  readonly unless?: RegExp;
  /** The first operand, which is then none of those that are meant. */
  readonly verb?: RegExp;
  /** How many operands come first that are not meant. */
  readonly skip?: number;
  /** Options whose value is meant, and others that have a value: letters and long names, without dashes. */
  readonly options?: string;
  readonly valued?: string;
  /** The first operand ends the options. */
  readonly stops?: true;
  readonly operands?: "all" | "first" | "second" | "last" | "rest" | RegExp;
  /** Words that hold what is meant as their first group. */
  readonly words?: RegExp;
};

/** What the program writes to, whether it is a device. */
export type Written = Selection & {
  /** Operands are devices: an unknown one is a question, and `sda` is /dev/sda. */
  readonly devices?: true;
  /** It destroys a pool, a group or an array, with any operand; or what may be one. */
  readonly always?: "block" | "ask";
};

/** What the program deletes, each with all below it. */
export type Deleted = Selection & {
  /** The operands are accounts, whose homes are deleted. */
  readonly accounts?: true;
  /** It packs files and then deletes them. */
  readonly packs?: true;
};

/** Files that decide what the program does, besides scripts. What it only reads, such as a log, is none. */
export type Applied = Selection & {
  /** Files that the program reads without being asked. `directory` is the option that names another directory for them. */
  readonly names?: string;
  readonly directory?: string;
  /** The program also obeys its standard input: `all` always, `redirected` only if a redirection opens it from a file. */
  readonly input?: "all" | "redirected";
  /** Finds the paths that such a file includes. They are relative to that file or to the working directory. */
  readonly includes?: RegExp;
  /** If the file is a directory: the names of the files in it that include others. */
  readonly includesIn?: string;
  /** Finds paths within the words, or within the value of the variable. */
  readonly within?: RegExp;
  readonly variable?: string;
  /** Of words, only those of this form are meant. */
  readonly form?: RegExp;
  /** Of files that it obeys: where the text is known, only one that has this is a question. */
  readonly holds?: RegExp;
  /** Of words that it obeys: repositories of a forge by their short names, `user/name`. */
  readonly forge?: RegExp;
};

export type CommandsRow = Selection & {
  readonly variables?: string;
  /** Finds commands within what is meant, and within the variables: the first group that has matched. */
  readonly within?: RegExp;
  /** Standard input is meant as well. */
  readonly input?: true;
};

export type AppliesRule = (argv: readonly string[], state: State) => readonly string[];

/** Options and words with which a program that otherwise looks does more. */
type SideEffect = {
  /** Long options, without dashes; they may be shortened. */
  readonly long?: string;
  /** Words as they are. */
  readonly words?: RegExp;
  /** All words after the name, joined. */
  readonly when?: RegExp;
  readonly effect: Effect;
};

/** Matched with the words from the verb on, joined by blanks; `true`: every use has it. */
type Use = RegExp | true;

export type Consequences = { readonly [Is in Consequence]?: Use | readonly Use[] };

export type PathsRule = WordsRule;

/** One row or more; a text are the options of the only one. */
export type Rows<Row> = string | Row | readonly Row[];

/** Files that something runs later without being named, and which of their text is commands (D-283). `files`: absolute paths. */
export type StartedBy = {
  readonly files: RegExp;
  readonly commands: (text: string) => readonly string[];
  /** It starts them without another command, so that a text that was fetched is a question where it is written. */
  readonly at_once?: true;
};

export type ProgramRecord = {
  /** Base names that the guard treats alike, separated by blanks. */
  readonly names: string;
  /** Options with a value that may come before the verb: letters and long names, without dashes. */
  readonly valued?: string;

  // What it does.
  /** What it does to the world. Without it that is unknown. */
  readonly effect?: Effect | EffectRule;
  /** The words of the uses that only look; all others are unknown (rules/looks.ts). `unless`: options that do more than look. */
  readonly looks?: string;
  readonly unless?: string;
  readonly sideEffects?: SideEffect | readonly SideEffect[];
  /** Consequences that the sentence of its effect does not name, in the order in which people read them. One that is here is decided here alone. */
  readonly consequences?: Consequences;
  /** Words with which it does not do what the sentence says. */
  readonly cancels?: RegExp;
  /** It changes what is attached, and writes nothing to it. */
  readonly attaches?: true;
  /** Its words and its standard input are statements. */
  readonly statements?: true;
  /** Its words from the verb on, where the options before the verb cannot be listed. */
  readonly verbOf?: WordsRule;
  /** Another command line that this one is, for its consequences. */
  readonly runsAs?: WordsRule;
  /** What it changes is on this machine, unless its words name a host. */
  readonly here?: true | StayRule;

  // What it reaches.
  /** The paths that it changes. Without it they are the absolute paths among its words. No path: its working directory. */
  readonly paths?: Selection | string | PathsRule;
  readonly hosts?: (Selection & { readonly variable?: string }) | string;
  /** Its words are text for people, and name no host. */
  readonly speaks?: true;
  /** Words such as `host:/path` name a host. */
  readonly between?: true;
  /** Whether the use names a host at all; then only `account@host:path` does. */
  readonly talks?: (argv: readonly string[]) => boolean;
  /** It takes `host/path` and `host:port` without a scheme. */
  readonly bare?: true;
  /** Containers, services, volumes and resources of a cluster. */
  readonly resources?: WordsRule;

  // What of it is blocked.
  readonly alwaysBlocked?: BlockRule;
  readonly writes?: Rows<Written>;
  readonly deletes?: Rows<Deleted>;
  /** Its `-o` names no file that it writes. */
  readonly otherOutput?: true;

  // What it runs.
  /** What it launches, evaluates, writes or prints. Without it the words after the program may be a command. */
  readonly runs?: Program;
  /** Modules of Python that are the program as well: `python3 -m`. */
  readonly modules?: string;
  /** It does nothing but start another program. */
  readonly launches?: true;
  /** The option that gives it code: with that, a program that is not known has launched it. */
  readonly code?: RegExp;
  /** Its standard input is code, unless a word names another text. */
  readonly readsCode?: true;
  /** Files whose text it runs. */
  readonly files?: FilesRule;
  /** It interprets a language: where `files` does not say more, its first operand is the script. */
  readonly script?: true;
  /** Files that it runs of a directory that it is given as the script. */
  readonly mainFiles?: string;
  /** Files that it runs by itself: only those that the plan wrote are of interest. */
  readonly armed?: FilesRule;
  readonly startedBy?: readonly StartedBy[];
  readonly applies?: Rows<Applied | AppliesRule>;
  /** The same for what runs and the guard does not read: a file that the plan wrote is a question, and so is an address. */
  readonly obeys?: Rows<Applied | AppliesRule>;
  /** Options and variables with a command in them. The variables count where they are set. */
  readonly commands?: Rows<CommandsRow>;
  /** A sentence about what it runs and orch does not list. */
  readonly unfollowed?: (argv: readonly string[], state: State) => string | null;
  /** Remembers what a file that was written sets for later uses. */
  readonly learns?: (path: string, texts: readonly string[], state: State) => void;

  // What it prints.
  /** It runs nothing of its words. What it prints is text for people, nothing at all, or a number or a name. */
  readonly prints?: "anything" | "nothing" | "a word";
  /** Whether it prints nothing but numbers, or an identifier, when it is given these words. */
  readonly numbers?: (args: readonly string[]) => boolean;
  /** It prints what it reads, as it is. */
  readonly passes?: true;
  /** Whether it prints what another host sends. */
  readonly downloads?: true | ((args: readonly string[]) => boolean);
  /** What it prints is made for `eval`: always, or when one of these words is the first. */
  readonly printsSetup?: true | string;

  // What it writes without its text being known.
  /** It names files without writing them, or what it writes is known to the interpreter. */
  readonly writesKnown?: true;
  /** It fetches a file under the name that its address or its path ends in. */
  readonly fetches?: "its address" | "its path" | "with cp";
  /** The directory that it fills with the files of an archive or a clone; null where it does neither. */
  readonly unpacks?: (args: readonly string[]) => string | null;
  /** It may write any file of its directory. */
  readonly rewrites?: true | ((argv: readonly string[]) => boolean);
  /** It may write any file below the directories that it names. */
  readonly fills?: true;
  /** Its operands: the directories that it copies, and at last the one to which. */
  readonly mirrors?: (args: readonly string[]) => readonly string[];
  /** Of a word that is code, only this names a file that it writes. */
  readonly writtenAfter?: RegExp;

  // What its name may be.
  /** Tried where the text has only a pattern of the program's name, in this order. */
  readonly suspected?: number;
  /** Tried also where an unknown program has it as a word. */
  readonly suspectedInWords?: true;
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
};
