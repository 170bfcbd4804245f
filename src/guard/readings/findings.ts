// Reads what the guard has against a command: always-blocked operations, and what it cannot decide from the text. Reads which
// programs it runs, for the `cmd:<program>` entries of implicit_scope.
import type { GuardCode } from "../codes.ts";
import type { GuardVerdict, Place, Report, Watcher } from "../interpreter/machine.ts";
import { judgeUse } from "../programs/consequences.ts";
import { recordOf } from "../programs/registry.ts";
import { judgeWrite } from "../programs/rules/blocked.ts";
import { hasGlob, isOpen, readable } from "../words/symbols.ts";

export type GuardReading<T> = Watcher & {
  /** The interpretation broke off with an error: what it saw until then is not the whole command. */
  readonly failed: (error: unknown) => void;
  readonly result: () => T;
};

/** `reason` is one sentence: what was seen and what to do instead. `command` is the resolved command it is about. */
export type CommandFinding = {
  readonly verdict: GuardVerdict;
  readonly code: GuardCode;
  readonly reason: string;
  readonly command: string | null;
};

/** Of a command that is shown; what is longer is cut. */
const MAX_WORDS = 64;

export const shownCommand = (argv: readonly string[]): string => readable(argv.slice(0, MAX_WORDS).join(" "));

/** Blocks come first. `place`: where the interpretation is, in a file that the command runs. */
export function findingsReading(place: Place = { at: null }): GuardReading<CommandFinding[]> {
  const findings = new Map<string, CommandFinding>();
  const report: Report = (verdict, code, why, argv) => {
    const command = argv === undefined ? null : shownCommand(argv);
    const reason = `${why}${lineOf(place)}`;
    const key = `${code} ${command}`;
    if (verdict === "block" || findings.get(key)?.verdict !== "block")
      findings.set(key, { verdict, code, reason, command });
  };
  const reportBlocks: Report = (verdict, ...rest) => {
    if (verdict === "block") report(verdict, ...rest);
  };
  return {
    report,
    command: (argv, state, certain) => judgeUse(argv, state, certain ? report : reportBlocks),
    write: (path, state, certain) => judgeWrite(path, state, certain ? report : reportBlocks),
    failed: (error) => {
      const name = error instanceof Error ? error.name : "unknown error";
      report("ask", "guard.failed", `the guard could not judge this command (${name}); write it more simply`);
    },
    result: () => [...findings.values()].sort((a, b) => Number(b.verdict === "block") - Number(a.verdict === "block")),
  };
}

const MAX_NAME = 200;

function lineOf({ at }: Place): string {
  if (at === null) return "";
  const { path, text } = at.file;
  return ` (${readable(path).slice(0, MAX_NAME)}, line ${text.slice(0, at.offset).split("\n").length})`;
}

/** Base names, each once, wrappers and what they run alike. `unresolved`: something may run that cannot be named. */
export type CommandPrograms = { readonly programs: string[]; readonly unresolved: boolean };

export function programsReading(): GuardReading<CommandPrograms> {
  const programs = new Set<string>();
  let unresolved = false;
  const note = (): void => {
    unresolved = true;
  };
  return {
    report: note,
    command: ([name = ""]) => {
      if (isOpen(name) || hasGlob(name)) note();
      else programs.add(name);
    },
    write: () => undefined,
    // What cannot be followed cannot be named either, and that refuses the step.
    failed: note,
    result: () => ({ programs: [...programs].filter((name) => recordOf(name)?.builtin !== true), unresolved }),
  };
}
