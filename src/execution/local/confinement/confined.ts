// Runs a command that sees and writes only what its confinement names (D-143, D-248), in a space that is made before it (D-249)
// and in pids of its own. It cannot undo this because it loses the rights for that. Where this is impossible, nothing of the command runs.
import type { ChildProcess } from "node:child_process";
import type { Confine, Confinement, NeverBegan } from "../containment/containment.ts";
import { BASH, FIRST_FILE, LAUNCH_INSIDE, launch, programIn } from "../containment/launcher.ts";
import { processesBelow } from "../containment/left-processes.ts";
import { underInit } from "../containment/namespace-containment.ts";
import { isGone, signalGroup } from "../containment/process-group.ts";
import { filteringCalls } from "./call-filter.ts";
import { entriesAt } from "./hidden-paths.ts";
import { CLOSED, entering } from "./space.ts";
import { createSpaces, type Prepared } from "./spaces.ts";

/** It ends when its parent ends, and all that it has started with it. */
const APART =
  `/usr/bin/setpriv --pdeathsig KILL /usr/bin/unshare --mount --pid --ipc --fork --kill-child --mount-proc`.split(" ");
const LIMIT = ["/usr/bin/setpriv", "--no-new-privs", "--inh-caps", "-all", "--ambient-caps", "-all", "--bounding-set"];
/**
 * What root keeps: no right to mount, trace, make devices, load modules, give rights to files or read by file handle, and
 * none to raw network access, because tokens pass there.
 */
const OF_ROOT =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+net_bind_service,+sys_chroot,+audit_write";
const ENTER = `${programIn(import.meta.dirname, "enter-confined.sh")}${LAUNCH_INSIDE}outlast`;

export function createConfine(spaces = createSpaces()): Confine {
  return (confinement) => ({
    name: "pid_namespace",
    start: async (argv, place) => {
      const home = place.env["HOME"] ?? "/";
      const prepared = await spaces.spaceFor(confinement, { cwd: place.cwd, home }).catch(unknown);
      if ("fault" in prepared) return prepared;
      const env = { ...place.env, HOME: prepared.home };
      const files = prepared.space.namespaces.map(({ fd }) => fd);
      const launched = await argvIn(prepared, confinement, place.cwd)
        .then((around) => launch(around, argv, { cwd: "/", env }, files))
        .catch(unknown);
      if ("fault" in launched) {
        prepared.release();
        return launched;
      }
      const { child, pid } = launched;
      const contained = underInit(launched, {
        end: (grace_ms) => endConfined(child, pid, grace_ms),
        // Process 1 of the namespace, INIT, is its child.
        left: () => processesBelow(pid, 1),
      });
      void contained.ended.then(prepared.release);
      return contained;
    },
  });
}

const unknown = (error: unknown): NeverBegan => ({ fault: `cannot determine what to hide from it: ${String(error)}` });

async function argvIn(
  { space, isVisible }: Prepared,
  { hidden, account }: Confinement,
  cwd: string,
): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  const later = (await entriesAt(hidden)).filter(({ path }) => isVisible(path));
  const covers = later.map(({ path, is_directory }) => (is_directory ? `${path}/` : path));
  const closed = isRoot && account === null ? CLOSED : "";
  const enter = [...BASH, ENTER, "orch", closed, String(covers.length), ...covers, cwd];
  return [
    ...space.network,
    ...entering(space, FIRST_FILE),
    ...APART,
    "--",
    ...enter,
    ...rightsOf(account),
    ...filteringCalls(),
  ];
}

/** In the space, an account other than root is root by name only; the command is itself again. */
function rightsOf(account: Confinement["account"]): string[] {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid !== 0)
    return ["/usr/bin/unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--keep-caps", ...LIMIT, "-all"];
  if (account === null) return [...LIMIT, OF_ROOT];
  return [...LIMIT, "-all", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
}

/** Its group holds what waits for INIT, INIT, and what INIT has started. */
async function endConfined(child: ChildProcess, pid: number, grace_ms: number | null): Promise<void> {
  const isOfOrch = (member: { readonly pid: number; readonly parent: number }) =>
    member.pid === pid || member.parent === pid;
  if (grace_ms !== null && signalGroup(pid, "SIGTERM")) await isGone(pid, grace_ms, isOfOrch);
  child.kill("SIGKILL");
}
