#!/bin/bash
# Enters the namespaces of one command, before the launcher: what the kernel shows to root, and what has appeared since the space was
# made, is covered. What waits for process 1 holds the output open, so after the command it calls `outlast`: process 1 ends when no other
# process is left. Its parameters: 1 a table of mounts or nothing, 2 how many paths to cover, these paths, of which a directory ends with
# a slash, the directory to work in, then the words of the command.
exec 5<&- 6<&- 7<&-
[ -z "$1" ] || /bin/mount --no-mtab --all --fstab "$1" || exit
shift
for ((count = $1; count > 0; count--)); do
  shift
  case $1 in
    */) /bin/mount --no-mtab -t tmpfs -o ro,nosuid,nodev,noexec,mode=0555,size=4k hidden "$1" || exit ;;
    *) /bin/mount --no-mtab --bind /dev/null "$1" || exit ;;
  esac
done
shift
cd -P -- "$1" || exit
shift
unset OLDPWD
outlast() {
  while kill -0 -1 2>/dev/null; do
    read -r -t 0.01
    (($? > 128)) || exit
  done
}
