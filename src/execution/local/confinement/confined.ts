// Runs a command that cannot see some paths (D-143), in either containment: util-linux gives it mounts and pids of its own,
// which it cannot undo because it loses the rights for that. Where this is impossible, nothing of the command runs.
import { pipeline, Transform } from "node:stream";
import type { Confine, Contained, Ending, NeverBegan } from "../containment/containment.ts";
import { type Mounting, mountingsFor } from "./confinement-plan.ts";

type Argv = readonly [string, ...string[]];

const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;
/** It ends when its parent ends. */
const UNSHARE = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "/usr/bin/unshare", "--mount", "--pid"] as const;
/** An account other than root may mount only in a user namespace of its own, where it keeps its identity. */
const AS_ITSELF = ["--user", "--map-current-user", "--keep-caps"];
/**
 * What root keeps: no right to mount, trace, make devices, load modules or read by file handle, and none to raw network
 * access, because tokens pass there.
 */
const OF_ROOT =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setfcap,+net_bind_service,+sys_chroot,+audit_write";

/**
 * Process 1 of the namespace, whose end kills everything in it: at once when the process that waits for the command is lost.
 * After the end of the command, its remaining processes have 6 s to write their last lines; then they are killed.
 */
const HOLD = `read -r || exit
SECONDS=0
while kill -0 -1 && ((SECONDS < 6)); do /bin/sleep 0.02; done`;

/** Printed by the last process before the command, and by none that has failed. */
const BEGAN = "\0began\0";
const BEGIN = `printf '\\0began\\0' >&2; exec "$0" "$@"`;

// All its input is arguments. It works in /, because a directory that was entered earlier bypasses the mounts. When a signal
// ends the command, bash prints a message (to 6) and then ends in the same way.
const SCRIPT = `set -eu
bash=(${BASH.join(" ")}) drop=(/usr/bin/setpriv --no-new-privs --bounding-set "$1" --inh-caps -all --ambient-caps -all)
hold=$2 begin=$3 place=$4 count=$5
shift 5
mount() { /bin/mount --no-mtab --options-source mtab "$@"; }
cd /
exec 3> >(exec "\${drop[@]}" "\${bash[@]}" "$hold" > /dev/null 2>&1) 6<> <(:)
mount -t proc -o nosuid,nodev,noexec proc /proc
mount -t tmpfs -o nosuid,noexec,mode=0755,size=64k dev /tmp
for node in null zero full random urandom tty; do : > "/tmp/$node"; mount --bind "/dev/$node" "/tmp/$node"; done
/bin/mkdir /tmp/pts /tmp/shm
mount -t devpts -o nosuid,noexec,newinstance,ptmxmode=0666,mode=0620 devpts /tmp/pts
mount -t tmpfs -o nosuid,nodev,mode=1777 shm /tmp/shm
/bin/ln -s pts/ptmx /proc/self/fd /tmp
for fd in 0:stdin 1:stdout 2:stderr; do /bin/ln -s "/proc/self/fd/\${fd%:*}" "/tmp/\${fd#*:}"; done
mount --move /tmp /dev
for ((; count > 0; count--)); do
  case $1 in
    bind) mount --rbind "$2" "$2" ;;
    ro) mount -o remount,bind,ro "$2" ;;
    dir) mount -t tmpfs -o ro,nosuid,nodev,noexec,mode=0555,size=4k hidden "$2" ;;
    file) mount --bind /dev/null "$2" ;;
  esac
  shift 2
done
cd -P -- "$place"
unset OLDPWD
trap : TERM
exec 4>&2 2>&6
code=0
SHLVL=$((SHLVL - 1)) "\${drop[@]}" --pdeathsig KILL "\${bash[@]}" "$begin" "$@" 2>&4 3>&- 4>&- 6>&- || code=$?
trap '' PIPE
echo >&3 || :
trap - TERM
if read -r -t 0 -u 6; then kill -"$((code - 128))" "$$"; fi
exit "$code"`;

export const confine: Confine = (containment, confinement) => ({
  ...containment,
  start: async (argv, place) => {
    const plan = await mountingsFor(confinement, place.cwd).catch(unknown);
    if ("fault" in plan) return plan;
    const contained = await containment.start(confined(argv, place.cwd, plan.mountings), place);
    return "fault" in contained ? contained : watchBeginning(contained);
  },
});

const unknown = (error: unknown): NeverBegan => ({ fault: `cannot determine what to hide from it: ${String(error)}` });

function confined(argv: Argv, cwd: string, mountings: readonly Mounting[]): Argv {
  const [who, rights] = process.getuid?.() === 0 ? [[], OF_ROOT] : [AS_ITSELF, "-all"];
  const told = [rights, HOLD, BEGIN, cwd, String(mountings.length), ...mountings.flat()];
  return [...UNSHARE, ...who, ...BASH, SCRIPT, "orch", ...told, ...argv];
}

/** Output before the command begins is that of the set-up: a fault if the command never begins, otherwise irrelevant. */
function watchBeginning(contained: Contained): Contained {
  let before: Buffer | null = Buffer.alloc(0);
  const begun = Promise.withResolvers<void>();
  const stderr = new Transform({
    transform: (chunk: Buffer, _, pass) => {
      if (before === null) return pass(null, chunk);
      before = Buffer.concat([before, chunk]);
      const at = before.indexOf(BEGAN);
      if (at < 0) return pass();
      pass(null, before.subarray(at + BEGAN.length));
      before = null;
      begun.resolve();
    },
  });
  pipeline(contained.stderr, stderr, () => begun.resolve());
  const ended = async (): Promise<Ending | NeverBegan> => {
    const ending = await contained.ended;
    if ("fault" in ending) return ending;
    // The output may arrive after the end.
    await begun.promise;
    if (before === null) return ending;
    const said = before.toString().trim();
    return { fault: `it cannot be confined here: ${said || `stopped by ${ending.signal ?? ending.exit_code}`}` };
  };
  return { ...contained, stderr, ended: ended() };
}
