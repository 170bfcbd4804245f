#!/bin/sh
# Launches a command as process 1 of a pid namespace does, which is its parent. The parameters are the words of the command, and
# ORCH_LAUNCHED_SCRIPT is its last word: as an argument, `pgrep -f` would find the script in the launcher. File 0 is read for the
# beginning, 2 says what happens, and the command writes to 3 and 4, which the launcher keeps out of what the shell itself says.
# The name of the process is no sh: what ends all that is called sh ends no launcher. SHLVL is what the command is given, also under a
# shell that counts it. Where no orch is left to begin it, the command does not run. When a signal has ended the command, the shell
# prints a message before `ended`.
{ printf orch-launcher > /proc/self/comm; } 2>/dev/null
orch_script=$ORCH_LAUNCHED_SCRIPT SHLVL=1
unset ORCH_LAUNCHED_SCRIPT
read -r orch_line && echo began >&2 || exit 1
( exec "$@" "$orch_script" </dev/null >&3 2>&4 3>&- 4>&- )
orch_code=$?
exec 3>&- 4>&-
kill -0 -1 2>/dev/null && orch_rest=others || orch_rest=alone
echo "ended $orch_code $orch_rest" >&2
