#!/bin/bash
# Enters the world and becomes its process 1. The old root is gone before anything of the check is read. Its parameters are the files
# in $W, and of the script that makes the world: $base, where it is mounted, and $world, its kind.
set -eu
. "$W/snapshot"
cd "$base"
mount -n -a -T "$W/inner"
mapfile -t -d '' items <"$W/scanned"
[ "$world" = bare ] || snapshot >"$W/before"
name=$(<"$W/first")
exec 3>&1 1>&2 5<"$W/check" 7<"$W/init" 8<"$W/text"
# A server that is killed leaves nothing of the check on the disk.
rm -f "$W/check" "$W/text"
ln -s /bin/bash "root/dev/$name"
cd root
pivot_root . mnt
umount -l /mnt
cd /
exec -c -a /sbin/init "/dev/$name" <&7 7<&-
