// Makes the jumping clock of a decoy, on this machine: its files are in a directory of the run, and it sees and ends only the
// processes of the check. A loop that waits for a target that does not exist would otherwise take minutes.
import { constants, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { programIn } from "./containment/launcher.ts";
import { CLOCK_START, jumpingClock, PERL_MODULE } from "./control/clock.ts";
import { isAllowed } from "./control/shown-machine.ts";

export const filesIn = (directories: readonly string[], name: string): string[] =>
  directories.map((directory) => join(directory, name));

export async function firstWith(right: number, files: readonly string[]): Promise<string | null> {
  for (const file of files) if (await isAllowed(file, right)) return file;
  return null;
}

type DecoyClock = {
  /** To be put before the text. */
  readonly begin: string;
  /** Before the PATH of the check. */
  readonly programs: string;
};

const DECOY_PRELUDE = programIn(import.meta.dirname, "decoy-prelude.sh");
const REAL = ["sleep", "date", "timeout", "curl", "mkfifo"];

/** `directory`: private, empty, with a plain path. */
export async function makeDecoyClock(directory: string, path: string): Promise<DecoyClock> {
  const at = (name: string) => join(directory, name);
  const [prelude, programs, real] = [at("prelude"), at("programs"), at("real")] as const;
  const modules = at("modules");
  const clock = jumpingClock({
    clock: at("clock"),
    prelude,
    fifo: at("fifo"),
    programs: real,
    python: modules,
    perl: modules,
    begin: DECOY_PRELUDE,
  });
  await Promise.all([programs, real, modules].map((one) => mkdir(one)));
  const places = path.split(delimiter).filter((one) => one.startsWith("/"));
  const found = await Promise.all(
    REAL.map(async (name) => [name, await firstWith(constants.X_OK, filesIn(places, name))] as const),
  );
  const there = new Map(found.flatMap(([name, file]) => (file === null ? [] : [[name, file]])));
  const doubles = Object.entries({ ...clock.timers, curl: clock.retryingCurl }).filter(([name]) => there.has(name));
  await Promise.all([
    writeFile(prelude, clock.prelude),
    writeFile(at("clock"), CLOCK_START),
    writeFile(join(modules, "sitecustomize.py"), clock.python),
    writeFile(join(modules, `${PERL_MODULE}.pm`), clock.perl),
    ...doubles.map(([name, text]) => writeFile(join(programs, name), text, { mode: 0o755 })),
    ...[...there].map(([name, file]) => symlink(file, join(real, name))),
  ]);
  return { begin: `. ${prelude}\n`, programs };
}
