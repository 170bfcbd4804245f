// The clock of a world. It is in places that every machine has, because the check may see them.
import { jumpingClock } from "./clock.ts";

export const CLOCK_FILE = "/run/adjtime";
export const PRELUDE_FILE = "/etc/bash.bashrc";
/** Programs that were not found, one a line: only for the reason. That there are some is known by a signal to process 1. */
export const MISSING_FILE = "/run/motd.dynamic";
export const PROGRAMS = "/usr/libexec/coreutils";
export const PYTHON = "/etc/python3";
export const PERL = "/etc/perl";

const NOTE_MISSING = `command_not_found_handle() {
  builtin kill -s USR1 1 2>/dev/null
  builtin printf '%s\\n' "$1" 2>/dev/null >>${MISSING_FILE}
  builtin printf '%s: line %s: %s: command not found\\n' "$0" "\${BASH_LINENO[0]}" "$1" >&2
  return 127
}
readonly -f command_not_found_handle`;

export const WORLD_CLOCK = jumpingClock({
  ...{ clock: CLOCK_FILE, prelude: PRELUDE_FILE, fifo: "/run/initctl", programs: PROGRAMS, python: PYTHON, perl: PERL },
  begin: NOTE_MISSING,
  processes: "__all=(/proc/[0-9]*)",
});
