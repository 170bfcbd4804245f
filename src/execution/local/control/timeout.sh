#!/bin/bash
# Runs timeout, and notes its deadline in microseconds of the clock for the commands below it. Its parameters are those of timeout.
for ((i = 1; i <= $#; i++)); do
  case ${!i} in -k | -s | --kill-after | --signal) ((i++)) ;; --) ((i++)); break ;; -*) ;; *) break ;; esac
done
__us=0
if ((i <= $#)) && __duration "${!i}" && ((__us > 0)); then
  __clock
  export _DEADLINES="${_DEADLINES:+$_DEADLINES }$$:$((__now + __us))"
fi
exec -a timeout "$__programs/timeout" "$@"
