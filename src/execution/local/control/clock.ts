// Makes a clock that jumps instead of passing, for checks that wait, in bash, Python and Perl. `sleep` and `read -t` move a
// shared clock, which `date`, SECONDS and EPOCHSECONDS follow; a jump over the deadline of a `timeout` ends that timeout as its
// own timer would.
import { programIn } from "../../sandbox/programs.ts";

/** Where the clock of a run has its files. The paths are plain. */
export type ClockPlace = {
  /** In microseconds. */
  readonly clock: string;
  /** What bash reads before each script. */
  readonly prelude: string;
  /** A fifo in which nothing ever is: to wait on it needs no process. */
  readonly fifo: string;
  /** The directory of the real programs. */
  readonly programs: string;
  /** The directory of what Python reads when it starts. */
  readonly python: string;
  /** The directory of a module that Perl reads when it starts. */
  readonly perl: string;
  /** Read before the functions: makes the one that finds the processes of the check, as they expect it. */
  readonly begin: string;
};

export type JumpingClock = {
  /** What bash reads before each script. */
  readonly prelude: string;
  /** Programs by their names: what is not bash, or names a program by its path, runs these. */
  readonly timers: Readonly<Record<string, string>>;
  /** Without another process, curl has only one attempt: the others would fail in the same way. */
  readonly retryingCurl: string;
  /** `sitecustomize.py`: the clock of Python is that of the programs. */
  readonly python: string;
  /** The text of the module. */
  readonly perl: string;
};

export const CLOCK_START = `${"0".repeat(20)}\n`;

const FUNCTIONS = programIn(import.meta.dirname, "jumping-clock.sh");
const TIMEOUT = programIn(import.meta.dirname, "timeout.sh");
const CURL = programIn(import.meta.dirname, "curl.sh");
const PYTHON = programIn(import.meta.dirname, "jumping_clock.py");
export const PERL_MODULE = "JumpingClock";
const PERL = programIn(import.meta.dirname, `${PERL_MODULE}.pm`);

const preludeAt = ({ clock, prelude, fifo, programs, begin, python, perl }: ClockPlace): string =>
  `export BASH_ENV=${prelude} PYTHONPATH=${python} PYTHONDONTWRITEBYTECODE=1 PERL5LIB=${perl} PERL5OPT=-M${PERL_MODULE}
__clock_file=${clock} __fifo=${fifo} __programs=${programs}
${begin}${FUNCTIONS}`;

export function jumpingClock(place: ClockPlace): JumpingClock {
  const program = (text: string): string => `#!/bin/bash -p\n. ${place.prelude}\n__exec=exec\n${text}`;
  return {
    prelude: preludeAt(place),
    timers: {
      sleep: program('sleep "$@"\n'),
      date: program('date "$@"\n'),
      timeout: program(TIMEOUT),
    },
    retryingCurl: program(CURL),
    python: PYTHON,
    perl: `$${PERL_MODULE}::clock_file = "${place.clock}";\n${PERL}`,
  };
}
