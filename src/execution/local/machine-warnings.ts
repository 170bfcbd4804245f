// Finds conditions of this machine that make a wrong step worse than necessary, and ends what a lost server has left running. The server
// warns at start and never refuses. Warnings are data, so that each caller decides what to do with them.
import { constants, mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { OrchError } from "../../domain/errors.ts";
import { hardLinked } from "./confinement/readable-secrets.ts";
import { exposureOf, type Sandbox } from "./containment/choose-sandbox.ts";
import { endOrphanedNamespaces } from "./containment/orphaned-namespaces.ts";
import { AFTER_KILL_MS } from "./containment/process-group.ts";
import { isAllowed } from "./control/shown-machine.ts";
import { endLeftoverGroups, endLeftoverRunners } from "./runner/leftovers.ts";

export type MachineWarning = {
  readonly code: "running_as_root" | "docker_socket_reachable" | "no_pid_namespace" | "orch_visible" | "secret_linked";
  readonly message: string;
};

type Machine = {
  /** Undefined on systems without user ids. */
  readonly uid: number | undefined;
  /** DOCKER_HOST in the server's environment. */
  readonly docker_host: string | undefined;
  readonly sandbox: Sandbox;
  /** Files and directories with secrets. */
  readonly secret_paths?: readonly string[];
};

const DOCKER_SOCKET = "unix:///var/run/docker.sock";

const CONNECT_MS = 1_000;

export async function findMachineWarnings({
  uid,
  docker_host,
  sandbox,
  secret_paths = [],
}: Machine): Promise<MachineWarning[]> {
  const docker = docker_host || DOCKER_SOCKET;
  const exposure = exposureOf(sandbox, uid);
  const linked = hardLinked(secret_paths);
  const warnings: (MachineWarning | false)[] = [
    uid === 0 && {
      code: "running_as_root",
      message:
        "orch runs as root, and so does every step: a step can unmount what hides the tokens of orch from it, and approve with them. Run orch under a separate account.",
    },
    (await isReachable(docker)) && {
      code: "docker_socket_reachable",
      message: `steps can reach Docker at ${docker}, which is as good as root on its machine: put a filtering proxy before the socket, or take this account out of the docker group if no step needs it.`,
    },
    !sandbox.sandboxed && {
      code: "no_pid_namespace",
      message: `steps run without a pid namespace (${sandbox.reason}): what leaves its process group outlives its step; install bubblewrap and set ORCH_SANDBOX to required.`,
    },
    exposure !== null && {
      code: "orch_visible",
      message: `steps can read the tokens, the files with secrets, the database and the environment of this server (${exposure}): any step can approve another task with them; allow this account to create user namespaces, or run orch under another account.`,
    },
    linked.length > 0 && {
      code: "secret_linked",
      message: `steps can read a secret under another name, because it has a hard link (${linked.join(", ")}): write each of these files anew.`,
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

async function isReachable(docker_host: string): Promise<boolean> {
  if (!URL.canParse(docker_host)) return false;
  const { protocol, hostname, port, pathname } = new URL(docker_host);
  if (protocol === "tcp:") return canConnect(hostname, Number(port || 2375));
  if (protocol !== "unix:") return false;
  return isAllowed(pathname, constants.R_OK | constants.W_OK);
}

async function canConnect(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  const connected = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  const answer = await Promise.race([connected, sleep(CONNECT_MS, false, { ref: false })]);
  socket.destroy();
  return answer;
}

// Runs before the first task: ends the commands that a lost server has left running, and collects warnings about this
// machine.

type Preparation = Parameters<typeof findMachineWarnings>[0] & {
  readonly sandbox: Sandbox;
  /** The directory with the records of running groups; created when it is missing. */
  readonly running_dir: string;
};

type LogEntry = { readonly message: string } & Readonly<Record<string, unknown>>;

const GRACE_MS = 5_000;

/** Sentences for the log, each with its facts. */
export async function prepareExecution({ running_dir, ...machine }: Preparation): Promise<LogEntry[]> {
  await mkdir(running_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const message = `The directory ${running_dir} cannot be created (${error.code}).`;
    throw new OrchError("config_invalid", message, { fix: "Set ORCH_DATA_DIR to one that can.", cause: error });
  });
  const leftovers = await endLeftoverGroups(running_dir, GRACE_MS);
  // It waits for its commands itself: those in namespaces are not among the groups.
  const runners = await endLeftoverRunners(running_dir, GRACE_MS + AFTER_KILL_MS);
  await endOrphanedNamespaces();
  const left = runners.filter(({ ended }) => !ended).map((runner) => ({ ...runner, message: RUNNER_NOT_ENDED }));
  const entries = leftovers.map((leftover) => ({ ...leftover, message: leftover.ended ? ENDED : NOT_ENDED }));
  return [...entries, ...left, ...(await findMachineWarnings(machine))];
}

const RUNNER_NOT_ENDED = "the process that ran the commands of a lost server could not be ended; end it by hand.";

const ENDED = "a command that a lost server had left running was ended; check what it may have half done.";

const NOT_ENDED = "a command that a lost server had left running could not be ended; end it by hand.";
