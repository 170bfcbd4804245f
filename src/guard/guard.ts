// The door of the guard: judges the text of a shell command and runs nothing. It prevents accidents; containing a hostile
// command is the operating system's work. README.md beside this file explains how it works.
import { isPlanCut, isPlanSpent, withPlanWork } from "./interpreter/budget.ts";
import { interpret } from "./interpreter/interpret.ts";
import type { FilesUsed, GuardVerdict, Place, Report, Watcher } from "./interpreter/machine.ts";
import type { ShellContext, World } from "./interpreter/state.ts";
import { absolute, pathOwner as ownerOfPaths, type PathOwner, protectAlso } from "./paths.ts";
import { PROGRAMS } from "./programs/run-program.ts";
import { type CommandConsequences, consequencesReading } from "./readings/consequences.ts";
import { type CommandEffect, effectReading } from "./readings/effect.ts";
import {
  type CommandFinding,
  type CommandPrograms,
  findingsReading,
  type GuardReading,
  programsReading,
  shownCommand,
} from "./readings/findings.ts";
import { type LastingChange, lastingReading } from "./readings/lasting.ts";
import { misjudgedLines } from "./self-test.ts";
import { matches } from "./words/glob.ts";
import { DEEP, hasGlob, readable, scrub, UNKNOWN, unglobbed } from "./words/symbols.ts";

export type { FilesUsed } from "./interpreter/machine.ts";
export type { ShellContext, World } from "./interpreter/state.ts";
export type { PathOwner } from "./paths.ts";
export type { CommandConsequences } from "./readings/consequences.ts";
export type { CommandEffect } from "./readings/effect.ts";
export type { CommandFinding, CommandPrograms } from "./readings/findings.ts";
export type { LastingChange } from "./readings/lasting.ts";

/** `commands` are what the guard saw run, words resolved, launchers before what they launch; the first of each, bounded. */
export type CommandVerdict = {
  readonly verdict: GuardVerdict | "allow";
  readonly findings: readonly CommandFinding[];
  readonly commands: readonly string[];
};

/**
 * Null where it was not asked for. `world` is for the context of the next command of the same plan. `wanted` are absolute
 * paths of files that the command runs and whose texts are not known.
 */
export type CommandExamination = {
  readonly world: World | undefined;
  readonly wanted: readonly string[];
  /** Absolute paths of files that it runs and whose texts were known before it began. */
  readonly held: readonly string[];
  readonly uses: FilesUsed;
  readonly findings: readonly CommandFinding[];
  readonly programs: CommandPrograms | null;
  readonly effect: CommandEffect | null;
  readonly consequences: CommandConsequences;
  /** Those that were seen, as in `CommandVerdict`. */
  readonly commands: readonly string[];
};

const MAX_COMMANDS = 200;

/** No finding means that the guard has nothing against the command; blocks come first. Never throws. */
export const judge = (source: string, context: ShellContext): CommandFinding[] => {
  const place: Place = { at: null };
  return answer(source, context, findingsReading(place), place);
};

/** The verdict on a command with all that led to it, for people and models who ask why. Never throws. */
export function inspect(source: string, context: ShellContext): CommandVerdict {
  const place: Place = { at: null };
  const [findings, commands] = [findingsReading(place), commandsReading()];
  read(source, context, [findings, commands], place);
  const all = findings.result();
  return { verdict: all[0]?.verdict ?? "allow", findings: all, commands: commands.result() };
}

function commandsReading(): GuardReading<string[]> {
  const commands = new Set<string>();
  return {
    command: (argv) => void (commands.size < MAX_COMMANDS && commands.add(shownCommand(argv))),
    write: () => undefined,
    report: () => undefined,
    failed: () => undefined,
    result: () => [...commands],
  };
}

/** The strongest effect of the command on the world. Never throws. */
export const effectOf = (source: string, context: ShellContext): CommandEffect =>
  answer(source, context, effectReading(source));

/** The first thing that a check would change and not undo; null where it only reads, writes files, or undoes what it does. Never throws. */
export const lastingChangeOf = (source: string, context: ShellContext): LastingChange | null =>
  answer(source, context, lastingReading());

/** What the command does beyond changing something, and what it reaches. Never throws. */
export const consequencesOf = (source: string, context: ShellContext): CommandConsequences =>
  answer(source, context, consequencesReading(source));

/** The programs that the command runs. Never throws. */
export const programsOf = (source: string, context: ShellContext): CommandPrograms =>
  answer(source, context, programsReading());

/** The findings, and what else is wanted, from one interpretation. Never throws. */
export function examine(
  source: string,
  context: ShellContext,
  wanted: { readonly programs: boolean; readonly effect: boolean },
): CommandExamination {
  const place: Place = { at: null };
  const findings = findingsReading(place);
  const programs = wanted.programs ? programsReading() : null;
  const effect = wanted.effect ? effectReading(source) : null;
  const [consequences, commands] = [consequencesReading(source), commandsReading()];
  const readings = [findings, programs, effect, consequences, commands].filter((reading) => reading !== null);
  const after = read(source, context, readings, place);
  return {
    findings: findings.result(),
    programs: programs?.result() ?? null,
    effect: effect?.result() ?? null,
    consequences: consequences.result(),
    commands: commands.result(),
    world: after?.world ?? context.world,
    wanted: [...(after?.wanted ?? [])],
    held: [...(after?.held ?? [])],
    uses: after?.uses ?? NONE_USED,
  };
}

const NONE_USED: FilesUsed = { applied: [], loads: [], uncovered: [], rewrites: [] };

/** What a command leaves for those after it. Never throws. */
export const worldLeftBy = (source: string, context: ShellContext): World | undefined =>
  read(source, context, [], { at: null })?.world ?? context.world;

function answer<T>(source: string, context: ShellContext, reading: GuardReading<T>, place?: Place): T {
  read(source, context, [reading], place);
  return reading.result();
}

/** Null: it broke off with an error, which the readings know of. */
function read(source: string, context: ShellContext, readings: readonly GuardReading<unknown>[], place?: Place) {
  try {
    return interpret({ source, context, watchers: readings, programs: PROGRAMS, ...(place && { place }) });
  } catch (error) {
    for (const reading of readings) reading.failed(error);
    return null;
  }
}

/** Sees each simple command with its words resolved, each file that is written, and what cannot be decided. */
export type CommandObserver = {
  readonly command: (words: readonly string[], directories: readonly string[]) => void;
  readonly write: (path: string, directories: readonly string[]) => void;
  readonly report?: Report;
};

/** `directories` are all that may be the working directory there. False: the command cannot be followed to its end. */
export function observe(source: string, context: ShellContext, observer: CommandObserver): boolean {
  const watcher: Watcher = {
    command: (argv, { location: { cwd } }) => observer.command(argv, cwd),
    write: (path, { location: { cwd } }) => observer.write(path, cwd),
    report: observer.report ?? (() => undefined),
  };
  try {
    interpret({ source, context, watchers: [watcher], programs: PROGRAMS });
    return true;
  } catch {
    return false;
  }
}

/** What is judged in it is one plan, with one budget of work for all its texts. */
export const asOnePlan = <T>(judge: () => T): T => withPlanWork(judge);

/** Whether the texts of the plan have used the work for what is judged whole. */
export const isPlanWorkOver = (): boolean => isPlanSpent();

/** Whether the clock has kept the judgement of a text of the plan from its end. */
export const isPlanCutOff = (): boolean => isPlanCut();

/** Trees that this site protects beside those of every system, for the whole process. It can add trees only. */
export const protectPaths = (paths: readonly string[]): void => protectAlso(paths);

/** The lines of the self-test that this process judges wrongly, each with its verdict; empty when the guard works. */
export const selfTest = (): readonly string[] =>
  misjudgedLines((command, context) => inspect(command, context).verdict);

/** The text of a file before a command runs: what was written before, else what was read; null where it is not wholly known. */
export function knownText(path: string, { files, world }: ShellContext): string | null {
  const [text, ...others] = world?.files.get(path) ?? [files?.get(path) ?? UNKNOWN];
  return text === undefined || others.length > 0 || text !== scrub(text) ? null : text;
}

/** Whether a path that a command runs means all files that match it. */
export const isPattern = (path: string): boolean => hasGlob(path);

export const matchesPattern = (pattern: string, path: string): boolean => matches(pattern, path);

/** Whether files of directories below match as well. */
export const isDeepPattern = (pattern: string): boolean => pattern.includes(DEEP);

/** As people write it. */
export const spelledPattern = (pattern: string): string => unglobbed(pattern.replaceAll(DEEP, "**"));

/** The pattern of all files below a directory. */
export const everythingBelow = (directory: string): string => `${directory}/${DEEP}`;

/** The path of an observed word from the directory. What the text does not tell stays in it as a marker. */
export const pathFrom = (word: string, directory: string): string => absolute(word, directory);

/** An observed word for people: markers are spelled out and long text is cut. */
export const readableText = (text: string): string => readable(text);

/** An observed word with file name patterns as they are spelled. */
export const spelledText = (text: string): string => unglobbed(text);

/** Finds the one of the paths that an observed path names, or lies below. `paths` are absolute, without `.` and `..`. */
export const pathOwner = (paths: readonly string[]): PathOwner => ownerOfPaths(paths);
