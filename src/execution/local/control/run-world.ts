// Makes one world, runs the check in it by the scripts below, and says what was seen. The lists for the scripts are in a private
// directory, which is removed afterwards.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readPipes } from "../../../proof/pipes.ts";
import { baseEnvironment } from "../environment.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import type { ControlCheck, WorldPlan } from "./world-plan.ts";

/** `absent`: programs of the check that the world has not; `missing`: names that the shell did not find while it ran. */
export type WorldEnd =
  | {
      readonly kind: "ended" /** Null: it waited for longer than its own time limit. */;
      readonly exit_code: number | null;
      readonly wrote: boolean;
      readonly absent: readonly string[];
      readonly missing: readonly string[] | null;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "lost" }
  | { readonly kind: "fault"; readonly reason: string };

export type WorldRun = {
  readonly runCommand: RunCommand;
  readonly unshare: string;
  readonly plan: WorldPlan;
  readonly check: ControlCheck;
  readonly first: string;
  /** Private and empty. */
  readonly directory: string;
  readonly limit_ms: number;
};

export async function inPrivateDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "w-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function runWorld(run: WorldRun, abort: AbortSignal): Promise<WorldEnd> {
  await writeWorld(run);
  const as = process.getuid?.() === 0 ? "" : "--user --map-current-user --keep-caps";
  const env = { ...baseEnvironment({ home: "/" }), W: run.directory, UNSHARE: run.unshare, AS: as };
  const { runCommand, limit_ms } = run;
  const end = await runCommand({ script: OPEN, strict: true, cwd: "/", env, limit_ms, grace_ms: 0 }, abort);
  return readEnd(end);
}

async function writeWorld({ plan, check, first, directory }: WorldRun): Promise<void> {
  const put = (name: string, text: string, mode = 0o600) => writeFile(join(directory, name), text, { mode });
  const list = (name: string, items: readonly string[]) => put(name, items.map((item) => `${item}\0`).join(""));
  const rights = process.getuid?.() === 0 ? RIGHTS_OF_ROOT : "-all";
  const env = Object.entries(check.env).map(([name, value]) => `${name}=${value}`);
  await Promise.all([
    ...[put("base", plan.base), put("world", plan.world), put("first", first)],
    ...[put("hold", HOLD), put("enter", ENTER), put("init", INIT), put("text", textOf(check))],
    ...[put("mounts", `${plan.mounts}\n`), put("inner", `${plan.inner}\n`), put("exempt", exemptions(check))],
    list("directories", plan.directories),
    list(
      "copied",
      plan.copied.map((path) => `.${path}`),
    ),
    list("whiteouts", plan.whiteouts),
    list("clock", [plan.clock.directory, ...plan.clock.programs]),
    list(
      "scanned",
      plan.covered.map((path) => `root${path}`),
    ),
    list("check", [
      ...[check.directory, rights, String(env.length), ...env],
      ...[String(check.programs.length), ...check.programs, ...plan.lent],
    ]),
    writeTree(join(directory, "tree"), plan),
  ]);
}

async function writeTree(tree: string, { files, programs, links }: WorldPlan): Promise<void> {
  const paths = [...Object.keys(files), ...Object.keys(programs), ...links.map(([path]) => `root${path}`)];
  const above = new Set([".", ...paths.map(dirname)]);
  for (const path of above) await mkdir(join(tree, path), { recursive: true, mode: 0o755 });
  await Promise.all([
    ...Object.entries(files).map(([path, text]) => writeFile(join(tree, path), text, { mode: 0o644 })),
    ...Object.entries(programs).map(async ([path, text]) => {
      await writeFile(join(tree, path), text, { mode: 0o755 });
      await chmod(join(tree, path), 0o755);
    }),
    ...links.map(([path, target]) => symlink(target, join(tree, "root", path))),
  ]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Read once and closed before the check runs: its text is in no argument, and in no file of the world. */
function textOf({ script }: ControlCheck): string {
  const pipes = readPipes(script, { strict: false }).last_part_decides ? "; set +o pipefail" : "";
  return `. /etc/bash.bashrc\nREPLY=${quoted(`unset REPLY${pipes}\n${script}`)}\nexec 8<&-\n`;
}

/** Lines of the list of changes that are no sign of a write: the clock, devices, files for a moment, names of mktemp. */
function exemptions({ env, script }: ControlCheck): string {
  const literal = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const home = literal(env["HOME"] ?? "/root");
  const temporary = env["TMPDIR"];
  const lines = [
    ...["^root/proc", "^root/dev\t", "^root/dev/([^s]|st)", "^root/dev/shm\t", "^root/sys"],
    ...["^root/run/(adjtime|motd\\.dynamic|initctl)\t", "^root(/var)?/tmp\t"],
    ...[`^root${home}(/\\.ssh)?\t`],
    ...(temporary === undefined ? [] : [`^root${literal(temporary)}(/|\t)`]),
    ...(script.includes("tmp.") ? [] : ["^root/tmp/tmp\\.[A-Za-z0-9]{10}(/|\t)"]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function readEnd(end: CommandEnd): WorldEnd {
  if (!end.ran) return { kind: "fault", reason: end.reason };
  if (end.stopped !== null) return { kind: "stopped" };
  const lines = end.stdout.text.split("\n");
  if (lines[0] !== "began")
    return { kind: "fault", reason: end.stderr.text.trim() || `the set-up ended with ${end.signal ?? end.exit_code}` };
  const [, code, missing] = /^ended (\d+) ([01])$/m.exec(end.stdout.text) ?? [];
  if (code === undefined) return { kind: "lost" };
  return {
    kind: "ended",
    exit_code: Number(code),
    wrote: lines.includes("wrote"),
    absent: wordsAfter("absent", lines),
    missing: missing === "1" ? wordsAfter("names", lines) : null,
  };
}

/** The check may have written the names. */
function wordsAfter(name: string, lines: readonly string[]): string[] {
  const line = lines.find((one) => one.startsWith(name)) ?? name;
  const words = line.slice(name.length).split(" ");
  return [...new Set(words.filter((word) => /^[\w.+-]{1,64}$/.test(word)))];
}

/** What root keeps: as an agent's command, and in addition no writing to the audit log. */
const RIGHTS_OF_ROOT =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setfcap,+net_bind_service,+sys_chroot";

/** The first process: everything else is in its namespaces, which end with it. */
const OPEN = `exec /usr/bin/setpriv --pdeathsig KILL "$UNSHARE" $AS --mount --net --ipc --uts --cgroup -- \\
  /bin/bash --noprofile --norc -p "$W/hold"`;

/** Overlays mark directories that are read: only the time of the contents of a directory counts. */
const SNAPSHOT = `snapshot() {
  find root u "\${items[@]}" -xdev \\( -type d -printf '%p\\t%y %T@\\0' \\) -o -printf '%p\\t%y %s %C@\\0'
}`;

const BASH = "/bin/bash --noprofile --norc -p";

/**
 * The scripts that make a world and run a check in it. What they work on are lists in a private directory ($W), which the world
 * never sees. What was done in the world is looked at after its last process has ended, with programs from outside.
 */
const HOLD = `set -eu
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
const ENTER = `set -eu
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
const INIT = `trap 'missing=1' USR1
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
