#!/bin/bash
# Begins the prelude of a world: a program that is not found is noted, its name for the reason, and that there is one by a signal to
# process 1. All processes of a world are those of the check. An assignment before this text: __missing_file.
command_not_found_handle() {
  builtin kill -s USR1 1 2>/dev/null
  builtin printf '%s\n' "$1" 2>/dev/null >>"$__missing_file"
  builtin printf '%s: line %s: %s: command not found\n' "$0" "${BASH_LINENO[0]}" "$1" >&2
  return 127
}
readonly -f command_not_found_handle
__processes() {
  __all=(/proc/[0-9]*)
}
