// The scripts that make a world and run a check in it. What they work on are lists in a private directory ($W), which
// the world never sees. What was done in the world is looked at after its last process has ended, with programs from outside.

/** What root keeps: as an agent's command, and in addition no writing to the audit log. */
export const RIGHTS_OF_ROOT =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setfcap,+net_bind_service,+sys_chroot";

/** The first process: everything else is in its namespaces, which end with it. */
export const OPEN = `exec /usr/bin/setpriv --pdeathsig KILL "$UNSHARE" $AS --mount --net --ipc --uts --cgroup -- \\
  /bin/bash --noprofile --norc -p "$W/hold"`;

/** Overlays mark directories that are read: only the time of the contents of a directory counts. */
const SNAPSHOT = `snapshot() {
  find root u "\${items[@]}" -xdev \\( -type d -printf '%p\\t%y %T@\\0' \\) -o -printf '%p\\t%y %s %C@\\0'
}`;

const BASH = "/bin/bash --noprofile --norc -p";

export const HOLD = `set -eu
${SNAPSHOT}
base=$(<"$W/base") world=$(<"$W/world")
list() { mapfile -t -d '' items <"$W/$1"; }
mount -n -t tmpfs -o nosuid,nodev,mode=0755,size=256m tmpfs "$base"
cd "$base"
mkdir root u w
mount -n -t tmpfs -o nosuid,mode=0755,size=256m tmpfs "$base/root"
list directories
mkdir -p -- "\${items[@]}"
chmod 1777 root/tmp root/var/tmp root/dev/shm
cp -a "$W/tree/." .
mkfifo -m 0600 root/run/initctl
(cd root/dev && for node in null zero full random urandom tty; do : >$node; done)
list copied
(cd / && cp -L --parents -t "$base/root" -- "\${items[@]}")
list clock
cp -L -t "\${items[0]}" -- "\${items[@]:1}"
list whiteouts
((\${#items[@]} == 0)) || mkdir -p -- "\${items[@]%/*}"
for path in "\${items[@]}"; do mknod -- "$path" c 0 0; done
mount -n -a -T "$W/mounts"
if [ "$world" = empty ] && ! mount -n -t sysfs -o ro,nosuid,nodev,noexec sysfs "$base/root/sys" 2>/dev/null; then
  mkdir -p root/sys/block root/sys/bus root/sys/class/net root/sys/devices root/sys/fs/cgroup root/sys/kernel
fi
# Without a loopback that is up, programs fail in another way.
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null ||
  perl -e 'socket(S,2,2,0); ioctl(S,0x8914,pack("a16s","lo",0x49)."\\0"x14)' 2>/dev/null || :
{ echo localhost >/proc/sys/kernel/hostname || hostname localhost; } 2>/dev/null || :
export base world
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child -- setsid ${BASH} "$W/enter" || :
[ "$world" = empty ] || exit 0
list scanned
snapshot >"$W/after"
cmp -s "$W/before" "$W/after" && exit
export LC_ALL=C
sort -z "$W/before" -o "$W/before"
sort -z "$W/after" | comm -z -3 "$W/before" - | sed -z 's/^\\t//' | grep -zvE -f "$W/exempt" >"$W/written" || :
[ ! -s "$W/written" ] || echo wrote
`;

/** The old root is gone before anything of the check is read. */
export const ENTER = `set -eu
${SNAPSHOT}
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
`;

/**
 * Process 1 of the world, whose end kills everything in it. It has rights that the check has not, so that the check can
 * neither trace it nor open its files. After the check it runs no program: the check may have exchanged them.
 */
export const INIT = `trap 'missing=1' USR1
missing=0 absent= file=
PATH=/usr/sbin:/usr/bin:/sbin:/bin
rm -f /dev/init /dev/systemd
mapfile -t -d '' given <&5
exec 5<&-
directory=\${given[0]} rights=\${given[1]} n=\${given[2]}
env=("\${given[@]:3:n}") rest=("\${given[@]:3+n}")
n=\${rest[0]}
programs=("\${rest[@]:1:n}") lent=("\${rest[@]:1+n}")
for item in "\${env[@]}"; do case $item in PATH=*) PATH=\${item#*=} ;; esac; done
for program in "\${programs[@]}"; do
  case $program in
    */*) [[ -x $program ]] || absent+=" \${program##*/}"; continue ;;
  esac
  type -t -- "$program" >/dev/null || { absent+=" $program"; continue; }
  hash -- "$program" 2>/dev/null || continue
  for place in "\${lent[@]}"; do
    file=\${BASH_CMDS[$program]-}
    [[ $file == "$place"/* ]] && read -rN2 start <"$file" && [[ $start == '#!' ]] && absent+=" $program"
  done
done 2>/dev/null
cd -- "$directory" || exit
echo began >&3
/usr/bin/setpriv --no-new-privs --bounding-set "$rights" --inh-caps -all --ambient-caps -all /usr/bin/env -i "\${env[@]}" \\
  /bin/bash --noprofile --norc -p -o pipefail -c '. /dev/fd/8; eval "$REPLY"' </dev/null 3>&-
code=$?
:
names=
while read -r -t 1 name && ((\${#names} < 200)); do names+=" $name"; done 2>/dev/null </run/motd.dynamic
echo "ended $code $missing" >&3
echo "absent$absent" >&3
echo "names $names" >&3
exit 0
`;
