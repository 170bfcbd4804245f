#!/bin/sh
# Launches a command that leads a session and a process group, whose number is said before it begins. Parameters, files and the rest are
# those of launch-inside.sh.
{ printf orch-launcher > /proc/self/comm; } 2>/dev/null
orch_script=$ORCH_LAUNCHED_SCRIPT SHLVL=1
unset ORCH_LAUNCHED_SCRIPT
(
  read -r orch_pid orch_rest </proc/self/stat && echo "ready $orch_pid" >&2
  read -r orch_line && echo began >&2 || exit 1
  exec /usr/bin/setsid "$@" "$orch_script" </dev/null >&3 2>&4 3>&- 4>&-
)
orch_code=$?
exec 3>&- 4>&-
echo "ended $orch_code others" >&2
