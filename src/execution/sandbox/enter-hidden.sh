#!/bin/sh
# Enters the directory of the first parameter, before the launcher of the words after it. It is entered inside of the space: a directory
# that was entered earlier bypasses the mounts.
exec 5<&- 6<&-
cd -P -- "$1" || exit
unset OLDPWD
shift
