// Makes a space: mounts, and for an account other than root an identity, that commands enter one after the other (D-249). It is
// made once by mount and unshare of util-linux; afterwards no process holds it, only the open files here.
import { spawn } from "node:child_process";
import { closeSync, openSync, statfsSync } from "node:fs";
import { STAGE } from "./mounts.ts";
import { BASH, BOUND, filesOf, pipeOf, programIn, unsharing } from "./programs.ts";
import type { NetworkEntry, NeverBegan } from "./sandbox.ts";
import type { Mounting } from "./space-plan.ts";

export type Space = {
  /** What enters the network that it was made in, where that is not the machine's; to be put before what enters the space. */
  readonly network: readonly string[];
  /** Open files of its namespaces, for the process that enters it, in the order in which they have to be entered. */
  readonly namespaces: readonly { readonly kind: "user" | "mount"; readonly fd: number }[];
  /** What its own directories hold, in bytes of memory. */
  readonly usedBytes: () => number;
  /** Processes that have entered it keep it. */
  readonly close: () => void;
};

export type SpaceMaking = {
  /** `root`: this account has the rights of root over the space, in which no command keeps them. */
  readonly identity: "root" | "itself";
  readonly mountings: readonly Mounting[];
  /** Whether it has devices of its own. */
  readonly devices: boolean;
  /** What its own directories may hold together, in memory; 1 MiB where no command writes there. */
  readonly max_bytes?: number;
  readonly network?: NetworkEntry | undefined;
};

/** What is mounted on the machine later appears in the space of plain steps only. */
const PROPAGATION = { root: "private", itself: "slave" };

export async function makeSpace({
  identity,
  mountings,
  devices,
  max_bytes = 2 ** 20,
  network: entry,
}: SpaceMaking): Promise<Space | NeverBegan> {
  const given = [max_bytes, Math.floor(max_bytes / BYTES_OF_INODE), devices ? CLOSED : "", ...mountings.flat()];
  // Another user's namespace opens only from within the one that it was made in.
  const network = entry?.enter ?? [];
  const apart = unsharing(["mount"], identity, "--propagation", PROPAGATION[identity]);
  const [program, ...bound] = BOUND;
  const making = [...network, ...apart, ...BASH, SPACE_SCRIPT, "orch", STAGE, ...given.map(String)];
  const child = spawn(program, [...bound, ...making], {
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
  const namespaces = filesOf(child.pid, "mount").map(({ kind, file }) => ({ kind, fd: openSync(file, "r") }));
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

/** The script that makes the mounts of a space, in namespaces that were made for it. */
export const SPACE_SCRIPT = programIn(import.meta.dirname, "space.sh");

/** The table of mounts that make files of the kernel read-only in a command's own /proc, in one call of mount. No command can write it. */
export const CLOSED = "/dev/.closed";

/** An empty file takes memory too. */
const BYTES_OF_INODE = 2_048;
