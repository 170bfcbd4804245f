// Derives the arguments of the programs that change what a command is in (setpriv, unshare, nsenter of util-linux, and shells), and starts
// one. Each becomes what comes after its arguments.
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Argv, NeverBegan, Place, StepAccount } from "./sandbox.ts";

/**
 * A program in another language, from its file in the directory. The comment at its head is left out: the text of a shell that runs is
 * its argument, in which `pgrep -f` would find the words. For the script of the flow, build.ts puts the text in place of the call.
 */
export const programIn = (directory: string, name: string): string =>
  readFileSync(join(directory, name), "utf8").replace(/^(?:(?:#|\/\/).*\n)+/, "");

/** To be followed by a text, a name, and what the text expects. */
export const SHELL = ["/bin/sh", "-c"] as const;
/** For what the language of /bin/sh does not have. It starts in twice the time. */
export const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;

const SETPRIV = "/usr/bin/setpriv";

/** Is killed with its parent. */
export const BOUND = [SETPRIV, "--pdeathsig", "KILL"] as const;

/** The names that unshare and nsenter have for kinds of namespaces. */
type Kind = "mount" | "pid" | "ipc" | "uts" | "cgroup" | "net";
/** `root`: an account other than root has the rights of root over what is made with them. */
type Identity = "itself" | "root";

const isRoot = (): boolean => process.getuid?.() === 0;

const AS = { root: ["--map-root-user"], itself: ["--map-current-user", "--keep-caps"] };

/** In new namespaces. An account other than root makes them in a user namespace of its own. */
export const unsharing = (kinds: readonly Kind[], as: Identity, ...options: readonly string[]): string[] => [
  "/usr/bin/unshare",
  ...(isRoot() ? [] : ["--user", ...AS[as]]),
  ...kinds.map((kind) => `--${kind}`),
  ...options,
];

/** In the pids of its own, which all end with the one that waits for them, and that with its parent. */
export const unsharingPids: readonly string[] = [
  ...BOUND,
  ..."/usr/bin/unshare --mount --pid --ipc --fork --kill-child --mount-proc --".split(" "),
];

export type NamespaceFile = { readonly kind: Kind | "user"; readonly file: string };

/** Files of the namespaces that `unsharing` has made for a process: the user namespace first, because the rights in it open the other. */
export const filesOf = <One extends Kind>(pid: number, kind: One): { kind: One | "user"; file: string }[] =>
  (isRoot() ? [kind] : (["user", kind] as const)).map((one) => ({
    kind: one,
    file: `/proc/${pid}/ns/${one === "mount" ? "mnt" : one}`,
  }));

/** In namespaces that exist. */
export const entering = (namespaces: readonly NamespaceFile[]): [string, ...string[]] => [
  "/usr/bin/nsenter",
  ...namespaces.map(({ kind, file }) => `--${kind}=${file}`),
  "--preserve-credentials",
  "--",
];

/** What root keeps in a sandbox: no right to mount, trace, make devices or load modules, and none to raw network access, because tokens pass there. */
const OF_ROOT = "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+net_bind_service,+sys_chroot";

/** The rights that a command keeps, as setpriv spells them: an account other than root has none. */
export const rightsWith = (further: string): string => (isRoot() ? `${OF_ROOT},+${further}` : "-all");

/** With few rights, and without a way to gain others. A space names an account other than root as root: the command is itself again. */
export function withFewRights(account: StepAccount | null): string[] {
  const limits = [SETPRIV, ..."--no-new-privs --inh-caps -all --ambient-caps -all --bounding-set".split(" ")];
  if (!isRoot()) {
    const itself = [`--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`, "--keep-caps"];
    return ["/usr/bin/unshare", "--user", ...itself, ...limits, "-all"];
  }
  // No right to give rights to files, or to read by file handle.
  if (account === null) return [...limits, rightsWith("audit_write")];
  return [...limits, "-all", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
}

export type Started = { readonly child: ChildProcess; readonly pid: number };

/** In its own session and process group. The processes of steps are spawned here only. */
export async function spawnDetached(
  [program, ...args]: Argv,
  { cwd, env }: Place,
  stdio: (IOType | number)[],
): Promise<Started | NeverBegan> {
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio });
    if (child.pid === undefined) throw (await once(child, "error"))[0];
    return { child, pid: child.pid };
  } catch (error) {
    // The message differs between runtimes, the code does not.
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: code === undefined ? message : `spawn ${program} ${code}` };
  }
}

export function pipeOf(child: ChildProcess, index: number): Readable {
  const stream = child.stdio[index];
  if (stream instanceof Readable) return stream;
  throw new TypeError(`stdio ${index} of the process is no pipe`);
}
