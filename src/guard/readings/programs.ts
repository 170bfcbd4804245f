// Reads which programs a command runs, for the `cmd:<program>` entries of implicit_scope.
import type { Reading } from "./reading.ts";

/** Part of the shell itself: they start no program. Those that run text show the programs in it. */
const SHELL_BUILTINS = new Set(
  `. : [ alias bg break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit
  export false fc fg getopts hash history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly
  return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** Base names, each once, wrappers and what they run alike. `unresolved`: something may run that cannot be named. */
export type CommandPrograms = { readonly programs: string[]; readonly unresolved: boolean };

export function programsReading(): Reading<CommandPrograms> {
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
    result: () => ({ programs: [...programs].filter((name) => !SHELL_BUILTINS.has(name)), unresolved }),
  };
}
