// The jumping clock of a decoy, on this machine: its files are in a directory of the run, and it sees and ends only the
// processes of the check. A loop that waits for a target that does not exist would otherwise take minutes.
import { access, constants, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CLOCK_START, jumpingClock } from "./control/clock.ts";

export type DecoyClock = {
  /** To be put before the text. */
  readonly begin: string;
  /** Before the PATH of the check. */
  readonly programs: string;
  /** Exists once the check has waited for longer than its own time limit. */
  readonly late: string;
};

const REAL = ["sleep", "date", "timeout", "curl", "mkfifo"];

/** `directory`: private, empty, with a plain path. `limit_ms`: of the step. */
export async function makeDecoyClock(directory: string, path: string, limit_ms: number): Promise<DecoyClock> {
  const at = (name: string) => join(directory, name);
  const [prelude, programs, real, late] = [at("prelude"), at("programs"), at("real"), at("late")] as const;
  const { preludeFor, timers, retryingCurl, python } = jumpingClock({
    ...{ clock: at("clock"), prelude, fifo: at("fifo"), programs: real, python: at("python") },
    begin: `export _TOP="\${_TOP:-$$}"\n[[ -p ${at("fifo")} ]] || ${real}/mkfifo -m 0600 ${at("fifo")}`,
    processes: processesOf(at("clock")),
    late: `: >${late}\n    builtin kill -s KILL "$_TOP"\n    builtin kill -s KILL "$BASHPID"`,
  });
  await Promise.all([programs, real, at("python")].map((one) => mkdir(one)));
  const found = await Promise.all(REAL.map(async (name) => [name, await onPath(name, path)] as const));
  const there = new Map(found.flatMap(([name, file]) => (file === null ? [] : [[name, file]])));
  const doubles = Object.entries({ ...timers, curl: retryingCurl }).filter(([name]) => there.has(name));
  await Promise.all([
    writeFile(prelude, preludeFor(limit_ms)),
    writeFile(at("clock"), CLOCK_START),
    writeFile(join(at("python"), "sitecustomize.py"), python),
    ...doubles.map(([name, text]) => writeFile(join(programs, name), text, { mode: 0o755 })),
    ...[...there].map(([name, file]) => symlink(file, join(real, name))),
  ]);
  return { begin: `. ${prelude}\n`, programs, late };
}

/** The first process of the check and all below it. One that has outlived the look ends. */
const processesOf = (clock: string): string => `[[ -e ${clock} ]] || builtin kill -s KILL "$BASHPID"
  local __todo=("$_TOP") __kids
  while ((\${#__todo[@]})); do
    __p=\${__todo[0]} __todo=("\${__todo[@]:1}") __kids=()
    __all+=("/proc/$__p")
    builtin read -r -a __kids </proc/$__p/task/$__p/children
    __todo+=("\${__kids[@]}")
  done`;

async function onPath(name: string, path: string): Promise<string | null> {
  for (const place of path.split(delimiter).filter((one) => one.startsWith("/"))) {
    const file = join(place, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
