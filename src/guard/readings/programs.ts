// Reads which programs a command runs, for the `cmd:<program>` entries of implicit_scope.
import { recordOf } from "../programs/registry.ts";
import type { GuardReading } from "./findings.ts";

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
      programs.add(name);
    },
    write: () => undefined,
    // What cannot be followed cannot be named either, and that refuses the step.
    failed: note,
    result: () => ({ programs: [...programs].filter((name) => recordOf(name)?.builtin !== true), unresolved }),
  };
}
