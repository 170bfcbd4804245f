#!/bin/bash
# Makes a world in namespaces that were made for it, runs the check in it, and says `wrote` where a comparison shows that it did. Its
# parameters are files in the directory $W, which the world never sees: lists, tables of mounts, and the scripts beside this one.
set -eu
. "$W/snapshot"
base=$(<"$W/base") world=$(<"$W/world")
list() { mapfile -t -d '' items <"$W/$1"; }
mount -n -t tmpfs -o nosuid,nodev,mode=0755,size=256m tmpfs "$base"
cd "$base"
mkdir root u w
mount -n -t tmpfs -o nosuid,mode=0755,size=256m tmpfs "$base/root"
list directories
mkdir -p -- "${items[@]}"
chmod 1777 root/tmp root/var/tmp root/dev/shm
cp -a "$W/tree/." .
mkfifo -m 0600 root/run/initctl
(cd root/dev && for node in null zero full random urandom tty; do : >$node; done)
list copied
(cd / && cp -L --parents -t "$base/root" -- "${items[@]}")
list clock
cp -L -t "${items[0]}" -- "${items[@]:1}"
list whiteouts
((${#items[@]} == 0)) || mkdir -p -- "${items[@]%/*}"
for path in "${items[@]}"; do mknod -- "$path" c 0 0; done
mount -n -a -T "$W/mounts"
if [ "$world" = empty ] && ! mount -n -t sysfs -o ro,nosuid,nodev,noexec sysfs "$base/root/sys" 2>/dev/null; then
  mkdir -p root/sys/block root/sys/bus root/sys/class/net root/sys/devices root/sys/fs/cgroup root/sys/kernel
fi
# Without a loopback that is up, programs fail in another way.
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null ||
  perl -e 'socket(S,2,2,0); ioctl(S,0x8914,pack("a16s","lo",0x49)."\0"x14)' 2>/dev/null || :
{ echo localhost >/proc/sys/kernel/hostname || hostname localhost; } 2>/dev/null || :
export base world
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child -- setsid /bin/bash --noprofile --norc -p "$W/enter" || :
[ "$world" = empty ] || exit 0
list scanned
snapshot >"$W/after"
cmp -s "$W/before" "$W/after" && exit
export LC_ALL=C
sort -z "$W/before" -o "$W/before"
sort -z "$W/after" | comm -z -3 "$W/before" - | sed -z 's/^\t//' | grep -zvE -f "$W/exempt" >"$W/written" || :
[ ! -s "$W/written" ] || echo wrote
