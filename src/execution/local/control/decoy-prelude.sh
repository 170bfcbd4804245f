#!/bin/bash
# Begins the prelude of a decoy: the processes of the check are its first one and all below it. One that has outlived the look ends.
# Assignments before this text: __clock_file, __fifo, __programs.
export _TOP="${_TOP:-$$}"
[[ -p $__fifo ]] || "$__programs/mkfifo" -m 0600 "$__fifo"
__processes() {
  [[ -e $__clock_file ]] || builtin kill -s KILL "$BASHPID"
  local __todo=("$_TOP") __kids
  while ((${#__todo[@]})); do
    __p=${__todo[0]} __todo=("${__todo[@]:1}") __kids=()
    __all+=("/proc/$__p")
    builtin read -r -a __kids </proc/$__p/task/$__p/children
    __todo+=("${__kids[@]}")
  done
}
