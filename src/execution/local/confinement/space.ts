// Makes a space: mounts, and for an account other than root an identity, that commands enter one after the other (D-249). It is
// made once by mount and unshare of util-linux; afterwards no process holds it, only the open files here.
import { spawn } from "node:child_process";
import { closeSync, openSync, statfsSync } from "node:fs";
import type { NetworkEntry, NeverBegan } from "../containment/containment.ts";
import { BASH, programIn } from "../containment/launcher.ts";
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
  const given = [max_bytes, Math.floor(max_bytes / BYTES_OF_INODE), devices ? CLOSED : "", ...mountings.flat()];
  // Another user's namespace opens only from within the one that it was made in.
  const network = entry?.enter ?? [];
  const made = ["/usr/bin/unshare", ...apart, ...BASH, SPACE_SCRIPT, "orch", STAGE, ...given.map(String)];
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

/** The script that makes the mounts of a space, in namespaces that were made for it. */
export const SPACE_SCRIPT = programIn(import.meta.dirname, "space.sh");

/** The table of mounts that make files of the kernel read-only in a command's own /proc, in one call of mount. No command can write it. */
export const CLOSED = "/dev/.closed";

/** An empty file takes memory too. */
const BYTES_OF_INODE = 2_048;
