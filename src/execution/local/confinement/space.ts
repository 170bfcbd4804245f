// Makes a space: mounts, and for an account other than root an identity, that commands enter one after the other (D-249). It is
// made once by mount and unshare of util-linux; afterwards no process holds it, only the open files here.
import { spawn } from "node:child_process";
import { closeSync, openSync, statfsSync } from "node:fs";
import type { NetworkEntry, NeverBegan } from "../containment/containment.ts";
import { BASH } from "../containment/launcher.ts";
import { pipeOf } from "../containment/spawn-detached.ts";
import { STAGE } from "./mount-table.ts";
import type { Mounting } from "./space-plan.ts";

/** The order in which a command has to enter them: the rights in the first one open the others. */
const KINDS = ["user", "mnt"] as const;

type Kind = (typeof KINDS)[number];

export type Space = {
  /** What enters the network that it was made in, where that is not the machine's; to be put before what enters the space. */
  readonly network: readonly string[];
  /** Open files of its namespaces, for the process that enters it. */
  readonly namespaces: readonly { readonly kind: Kind; readonly fd: number }[];
  /** What its own directories hold, in bytes of memory. */
  readonly usedBytes: () => number;
  /** Processes that have entered it keep it. */
  readonly close: () => void;
};

export type SpaceMaking = {
  /** `root_inside`: this account has the rights of root over the space, in which no command keeps them. */
  readonly identity: "root_inside" | "its_own";
  readonly mountings: readonly Mounting[];
  /** Whether it has devices of its own. */
  readonly devices: boolean;
  /** What its own directories may hold together, in memory; 1 MiB where no command writes there. */
  readonly max_bytes?: number;
  readonly network?: NetworkEntry;
};

const AS = { root_inside: ["--map-root-user"], its_own: ["--map-current-user", "--keep-caps"] };

/** What is mounted on the machine later appears in the space of plain steps only. */
const PROPAGATION = { root_inside: "private", its_own: "slave" };

export async function makeSpace({
  identity,
  mountings,
  devices,
  max_bytes = 2 ** 20,
  network: entry,
}: SpaceMaking): Promise<Space | NeverBegan> {
  const isRoot = process.getuid?.() === 0;
  const apart = ["--mount", "--propagation", PROPAGATION[identity], ...(isRoot ? [] : ["--user", ...AS[identity]])];
  const given = [String(max_bytes), devices ? "devices" : "", ...mountings.flat()];
  // Another user's namespace opens only from within the one that it was made in.
  const network = entry?.enter ?? [];
  const made = ["/usr/bin/unshare", ...apart, ...BASH, SPACE_SCRIPT, "orch", ...given];
  const child = spawn("/usr/bin/setpriv", ["--pdeathsig", "KILL", ...network, ...made], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LANG: "C.UTF-8" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<boolean>();
  pipeOf(child, 1).on("data", (chunk: Buffer) => {
    said.stdout += chunk;
    if (said.stdout === READY) ready.resolve(true);
  });
  pipeOf(child, 2).on("data", (chunk: Buffer) => (said.stderr += chunk));
  child.once("error", (error) => {
    said.stderr += String(error);
    ready.resolve(false);
  });
  child.once("close", () => ready.resolve(false));
  if (!(await ready.promise) || child.pid === undefined)
    return { fault: `it cannot be confined here: ${inWords(said.stderr.trim()) || `stopped by ${child.signalCode}`}` };
  const kinds = KINDS.filter((kind) => !isRoot || kind !== "user");
  const namespaces = kinds.map((kind) => ({ kind, fd: openSync(`/proc/${child.pid}/ns/${kind}`, "r") }));
  // All its own directories are in one file system.
  const own = devices ? openSync(`/proc/${child.pid}/root/dev/shm`, "r") : null;
  child.stdin.end();
  const usedBytes = () => {
    if (own === null) return 0;
    const { blocks, bfree, bsize, files, ffree } = statfsSync(`/proc/self/fd/${own}`);
    return (blocks - bfree) * bsize + (files - ffree) * BYTES_OF_INODE;
  };
  const close = () => {
    for (const { fd } of namespaces) closeSync(fd);
    if (own !== null) closeSync(own);
  };
  return { network, namespaces, usedBytes, close };
}

/** The kernel says so where the number of user namespaces is limited to none. */
const inWords = (said: string): string =>
  /unshare failed: No space left on device$/.test(said)
    ? "this account may create no user namespaces (user.max_user_namespaces is 0, or reached)"
    : said;

const READY = "ready\n";

const NSENTER = { user: "--user", mnt: "--mount" };

/**
 * What enters the space and becomes the program after it, in /: a directory that was entered earlier bypasses the mounts. `first` is
 * the number that the first of the open files has in that process.
 */
export const entering = ({ namespaces }: Space, first: number): readonly [string, ...string[]] => [
  "/usr/bin/nsenter",
  ...namespaces.map(({ kind }, at) => `${NSENTER[kind]}=/proc/self/fd/${first + at}`),
  "--preserve-credentials",
  "--",
];

/** Through these, root could make the kernel run programs outside of the space. */
const OF_THE_KERNEL = "/proc/sys /proc/sysrq-trigger /proc/bus /proc/fs /proc/irq /proc/acpi /proc/scsi";

/** The table of mounts that make them read-only in a command's own /proc, in one call of mount. No command can write it. */
export const CLOSED = "/dev/.closed";

/** An empty file takes memory too. */
const BYTES_OF_INODE = 2_048;

/**
 * The script that makes the mounts of a space, in namespaces that were made for it. All its input is arguments. What it mounts is
 * nowhere else, and no mount that is made elsewhere later appears in it.
 */
export const SPACE_SCRIPT = `set -eu
mount() { /bin/mount --no-mtab --options-source mtab "$@"; }
declare -A staged=()
rooms=0
# An empty directory at $1 with the mode $2, of the account $3. All of them share one limit: what is in them is in memory.
own() {
  local at=${STAGE}/own
  if ((rooms == 0)); then
    /bin/mkdir "$at"
    mount -t tmpfs -o nosuid,nodev,mode=0755,size="$size",nr_inodes="$((size / ${BYTES_OF_INODE}))" own "$at"
  fi
  rooms=$((rooms + 1))
  /bin/mkdir -m "$2" "$at/$rooms"
  [ -z "$3" ] || /bin/chown "$3" "$at/$rooms"
  mount --bind "$at/$rooms" "$1"
}
size=$1
shift
cd /
umask 022
mount -t tmpfs -o nosuid,nodev,noexec,mode=0755,size=64k stage ${STAGE}
if [ -n "$1" ]; then
  /bin/mkdir ${STAGE}/dev
  mount -t tmpfs -o nosuid,noexec,mode=0755,size=64k dev ${STAGE}/dev
  cd ${STAGE}/dev
  # Read-only: what they are used for goes on, and root cannot change their mode and owner, which are the machine's.
  for node in null zero full random urandom tty; do
    : > "$node"
    mount --bind "/dev/$node" "${STAGE}/dev/$node"
    mount -o remount,bind,ro "${STAGE}/dev/$node"
  done
  /bin/mkdir pts shm
  mount -t devpts -o nosuid,noexec,newinstance,ptmxmode=0666,mode=0620 devpts ${STAGE}/dev/pts
  own ${STAGE}/dev/shm 1777 ""
  /bin/ln -s pts/ptmx /proc/self/fd .
  for fd in 0:stdin 1:stdout 2:stderr; do /bin/ln -s "/proc/self/fd/\${fd%:*}" "\${fd#*:}"; done
  for file in ${OF_THE_KERNEL}; do [ ! -e "$file" ] || echo "$file $file none bind,ro 0 0"; done > ${STAGE}${CLOSED}
  cd /
fi
shift
while (($# > 0)); do
  case $1 in
    stage)
      at=${STAGE}/\${#staged[@]} staged[$2]=$at
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
      elif [ ! -e "$2" ]; then /bin/mkdir -p -- "\${2%/*}/" && : > "$2"; fi
      mount --move "\${staged[$2]}" "$2" ;;
    own)
      [ -d "$2" ] || /bin/mkdir -p -- "$2"
      own "$2" "\${3% *}" "\${3#* }" ;;
    dir) mount -t tmpfs -o ro,nosuid,nodev,noexec,mode=0555,size=4k hidden "$2" ;;
    file) mount --bind /dev/null "$2" ;;
    bind) mount --rbind "$2" "$2" ;;
    ro) mount -o remount,bind,ro "$2" ;;
    staged)
      [ ! -d ${STAGE}/dev ] || { mount --move ${STAGE}/dev /dev; mount -o remount,bind,ro /dev; }
      ((rooms == 0)) || /bin/umount --no-mtab ${STAGE}/own
      /bin/umount --no-mtab ${STAGE} ;;
    owned)
      /bin/mkdir ${STAGE}/owned
      mount -t tmpfs -o nosuid,nodev,noexec,mode=0755,size=1m owned ${STAGE}/owned
      /bin/cp -rL -- "$2/." ${STAGE}/owned 2> /dev/null || : # What it cannot read, ssh cannot either.
      mount --move ${STAGE}/owned "$2" ;;
  esac
  shift 3
done
echo ready
read -r || :`;
