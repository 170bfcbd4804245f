#!/bin/bash
# Makes the mounts of a space, says `ready`, and ends with its input. What it mounts is nowhere else, and no mount that is made elsewhere
# later appears in it. Its parameters: 1 the directory where it prepares them, 2 how many bytes and 3 how many files its own directories
# may hold, 4 where the table that closes files of the kernel goes in a space with devices of its own, else empty; then mountings, three
# words each: the verb, the path, and what the verb needs to know.
set -eu
mount() { /bin/mount --no-mtab --options-source mtab "$@"; }
declare -A staged=()
rooms=0
# An empty directory at $1 with the mode $2, of the account $3. All of them share one limit: what is in them is in memory.
own() {
  local at=$stage/own
  if ((rooms == 0)); then
    /bin/mkdir "$at"
    mount -t tmpfs -o nosuid,nodev,mode=0755,size="$size",nr_inodes="$inodes" own "$at"
  fi
  rooms=$((rooms + 1))
  /bin/mkdir -m "$2" "$at/$rooms"
  [ -z "$3" ] || /bin/chown "$3" "$at/$rooms"
  mount --bind "$at/$rooms" "$1"
}
stage=$1 size=$2 inodes=$3 closed=$4
shift 4
cd /
umask 022
mount -t tmpfs -o nosuid,nodev,noexec,mode=0755,size=64k stage "$stage"
if [ -n "$closed" ]; then
  /bin/mkdir "$stage/dev"
  mount -t tmpfs -o nosuid,noexec,mode=0755,size=64k dev "$stage/dev"
  cd "$stage/dev"
  # Read-only: what they are used for goes on, and root cannot change their mode and owner, which are the machine's.
  for node in null zero full random urandom tty; do
    : > "$node"
    mount --bind "/dev/$node" "$stage/dev/$node"
    mount -o remount,bind,ro "$stage/dev/$node"
  done
  /bin/mkdir pts shm
  mount -t devpts -o nosuid,noexec,newinstance,ptmxmode=0666,mode=0620 devpts "$stage/dev/pts"
  own "$stage/dev/shm" 1777 ""
  /bin/ln -s pts/ptmx /proc/self/fd .
  for fd in 0:stdin 1:stdout 2:stderr; do /bin/ln -s "/proc/self/fd/${fd%:*}" "${fd#*:}"; done
  # Through these, root could make the kernel run programs outside of the space.
  for file in /proc/sys /proc/sysrq-trigger /proc/bus /proc/fs /proc/irq /proc/acpi /proc/scsi; do [ ! -e "$file" ] || echo "$file $file none bind,ro 0 0"; done > "$stage$closed"
  cd /
fi
while (($# > 0)); do
  case $1 in
    stage)
      at=$stage/${#staged[@]} staged[$2]=$at
      if [ "$3" = dir ]; then
        # The directory that was planned, also where a link has taken its place since.
        /bin/mkdir "$at"
        cd -P -- "$2"
        [ "$PWD" = "$2" ] || { echo "$2 has become a link" >&2; exit 1; }
        mount --rbind . "$at"
        cd /
      else
        : > "$at"
        mount --rbind "$2" "$at"
      fi ;;
    place)
      if [ "$3" = dir ]; then [ -d "$2" ] || /bin/mkdir -p -- "$2"
      elif [ ! -e "$2" ]; then /bin/mkdir -p -- "${2%/*}/" && : > "$2"; fi
      mount --move "${staged[$2]}" "$2" ;;
    own)
      [ -d "$2" ] || /bin/mkdir -p -- "$2"
      own "$2" "${3% *}" "${3#* }" ;;
    dir) mount -t tmpfs -o ro,nosuid,nodev,noexec,mode=0555,size=4k hidden "$2" ;;
    file) mount --bind /dev/null "$2" ;;
    bind) mount --rbind "$2" "$2" ;;
    ro) mount -o remount,bind,ro "$2" ;;
    staged)
      [ ! -d "$stage/dev" ] || { mount --move "$stage/dev" /dev; mount -o remount,bind,ro /dev; }
      ((rooms == 0)) || /bin/umount --no-mtab "$stage/own"
      /bin/umount --no-mtab "$stage" ;;
    owned)
      /bin/mkdir "$stage/owned"
      mount -t tmpfs -o nosuid,nodev,noexec,mode=0755,size=1m owned "$stage/owned"
      /bin/cp -rL -- "$2/." "$stage/owned" 2> /dev/null || : # What it cannot read, ssh cannot either.
      mount --move "$stage/owned" "$2" ;;
  esac
  shift 3
done
echo ready
read -r || :
