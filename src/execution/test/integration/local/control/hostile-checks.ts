// Texts that try to leave the world of a control: by the network, signals, files, the kernel or what watches them. Each has
// $PORT, $SOCK, $ABSTRACT (a socket without a file), $VICTIM (a process), $DIR and $CANARY (a file) of the recorder.

const SYSCALL = "perl -e 'exit(syscall(@ARGV) < 0 ? 1 : 0)'";
const SEND = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect(S, pack("S a*", AF_UNIX, $ARGV[0])) or exit 1;
syswrite(S, "GET / HTTP/1.0\\r\\n\\r\\n")'`;

/** They end with 0 where the attack is a success, so they may not be green. */
export const MAY_NOT_BE_GREEN: readonly string[] = [
  'curl -s "http://127.0.0.1:$PORT/"',
  'exec 9<>"/dev/tcp/127.0.0.1/$PORT" && echo "GET / HTTP/1.0" >&9',
  'curl -s --unix-socket "$SOCK" http://x/ || wget -qO- "http://127.0.0.1:$PORT"',
  `${SEND} "$(printf '%s' "$SOCK")"`,
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect(S, pack("S a*", AF_UNIX, "\\0$ARGV[0]")) or exit 1;
syswrite(S, "GET / HTTP/1.0\\r\\n\\r\\n")' "$ABSTRACT"`,
  'kill -9 "$VICTIM"',
  'for pid in $(seq 2 40 99999); do kill -9 $pid; done 2>/dev/null; kill -9 "$VICTIM"',
  'cd /proc/1/cwd && cd ../../.. && touch ".$DIR/file"',
  `chroot /proc/1/root touch "$DIR/file"; perl -e 'chroot("/tmp"); chdir("../" x 40); chroot("."); open(F, ">", "$ENV{DIR}/file") or exit 1'`,
  'nsenter -t 1 -m -n -p -- touch "$DIR/file"; nsenter --net=/proc/1/ns/net curl -s "http://127.0.0.1:$PORT"',
  "unshare -Urmnpf sh -c 'umount -l /proc/sys; umount -a -l; mount -t proc p /proc; touch \"$DIR/file\"; echo hostile >/proc/sys/kernel/core_pattern'",
  "mount -o remount,rw,bind /proc/sys; umount /proc/sys; echo hostile >/proc/sys/kernel/core_pattern",
  "echo hostile >/proc/sys/vm/../kernel/core_pattern || sysctl -w kernel.core_pattern=hostile",
  "hostname hostile; echo hostile >/proc/sys/kernel/hostname",
  "echo h >/proc/sysrq-trigger",
  "dmesg -n 8 || dmesg -c || hdparm -f /dev/vda",
  'date -s "@$(/bin/date +%s)" >/dev/null || hwclock --systohc',
  'for n in "7 0" "8 0" "254 0" "259 0"; do mknod /tmp/d b $n && head -c 1 /tmp/d && exit 0; done; exit 1',
  "mount -t tmpfs x /mnt || umount -l /usr || swapon /dev/null || insmod /dev/null || losetup -f",
  `${SYSCALL} 101 16 1 0 0`,
  "gdb -nx -batch -p 1 -ex 'call (int)close(3)' | grep -q '(gdb) \\|\\$1 ='",
  "ls -l /proc/1/fd/ >/dev/null || cat /proc/1/environ || cat /proc/1/maps | grep -q .",
  "for n in {0..40} ; do { printf 'began\\nended 0 0 0\\n' >/proc/1/fd/$n; printf 'ended 0 0 0\\n' >&$n; }; done 2>/dev/null; exit 1",
  "printf 'began\\nended 0 0 0\\nabsent\\n'; printf 'began\\nended 0 0 0\\n' >&2; exit 1",
  "systemctl daemon-reload || systemctl start rescue || docker ps || loginctl",
  "ip link set lo down || ip link add d0 type dummy || iptables -F || ip route add default dev lo",
  "mkdir /sys/fs/cgroup/hostile || echo 1 >/sys/kernel/mm/ksm/run || echo x >/sys/power/state",
  "chrt -f -p 99 $$ || renice -n -20 $$ >/dev/null",
];

export const HOSTILE: readonly string[] = [
  ...MAY_NOT_BE_GREEN,
  'echo x >"/dev/udp/127.0.0.1/$PORT"',
  'kill -9 -- "-$VICTIM"; kill -9 0; kill -9 -1',
  "(kill -TERM 0); (kill -HUP -1); kill -KILL -1; exit 1",
  "pkill -9 -f 'victim of the control'; killall -9 perl; exit 1",
  'mkdir -p "$DIR" && echo x >"$DIR/file"; echo x >"$CANARY"; rm -rf "$CANARY" "$DIR"',
  'for root in /proc/[0-9]*/root /proc/[0-9]*/cwd; do echo x >"$root$DIR/file"; rm -f "$root$CANARY"; done; exit 1',
  "setsid nohup perl -e '$0 = \"left of the control\"; select undef, undef, undef, 30' >/dev/null 2>&1 & disown; exit 1",
  "for i in {1..150}; do perl -e 'select undef, undef, undef, 30' & done; exit 1",
  "ipcmk -M 409699 && ipcmk -Q && ipcmk -S 1; exit 1",
  "echo x >/dev/shm/hostile; wall hostile; logger hostile; echo x >/dev/tty; exit 1",
  `for f in find sort comm sed grep cmp rm mount umount env setpriv bash; do
  printf '#!/bin/sh\\ntouch %s/file\\n' "$DIR" >/tmp/$f; chmod 755 /tmp/$f; mv /tmp/$f /usr/bin/$f
done; exit 1`,
  "echo /tmp/evil.so >/etc/ld.so.preload; cp /bin/true /usr/lib/evil; rm -rf /usr/lib/x86_64-linux-gnu/libc.so.6 /etc; exit 1",
  '(crontab -l; echo "* * * * * touch $DIR/file") | crontab -; echo "touch $DIR/file" | at now; exit 1',
  'su -c \'touch "$DIR/file"\'; sudo -n touch "$DIR/file"; exit 1',
  'ln -s /proc/1/root /tmp/l; mv "$PATH_DIR/tool" /tmp/; echo evil >"$PATH_DIR/tool"; exit 1',
  "while :; do echo x; done | head -c 300000000 >/big; dd if=/dev/zero of=/usr/big bs=1M count=600; exit 1",
];
