// Describes the sandboxes of a configuration: of a plain step, from which what orch keeps is hidden (D-253), and of a command of an agent
// (D-143, D-248), which can neither read a token of orch nor use its API nor leave anything that runs later.
import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { OrchError } from "../../domain/errors.ts";
import { CODE, ROOT } from "../../own-file.ts";
import { isBelow } from "./mounts.ts";
import { PLAIN_STEP, type Sandbox, type StepAccount, type StepLimits } from "./sandbox.ts";

/** `reason` says why steps have no pid namespace, `visible` why they see the files of orch; null where they do not (D-253). */
export type Ability = { readonly visible: string | null } & (
  | { readonly sandboxed: true; readonly reason: null }
  | { readonly sandboxed: false; readonly reason: string }
);

/** What orch keeps on this machine. */
type Kept = {
  readonly data_dir: string;
  readonly database_url: string;
  /** Files and directories with secrets. */
  readonly secret_paths: readonly string[];
};

export type PlainInput = Kept & {
  readonly approver_token: string | null;
  readonly accept_readable_tokens: "on" | "off";
  readonly step_limits: StepLimits;
};

/** What a machine with this ability keeps from the steps of procedures. */
export const plainStep = (config: PlainInput, { sandboxed, visible }: Ability): Sandbox => ({
  ...PLAIN_STEP,
  hidden: visible === null ? orchFiles(config) : [],
  // A step that only has to name sudo to read the approver token could approve.
  hides_always: config.approver_token !== null && config.accept_readable_tokens === "off",
  processes: sandboxed ? "pid_namespace" : "process_group",
  limits: config.step_limits,
});

export type AgentInput = Kept & {
  readonly step_limits: StepLimits;
  /** Directories with code that the server loads. */
  readonly capabilities: readonly string[];
  readonly agent: {
    /** Paths that the operator hides in addition. */
    readonly hidden: readonly string[];
    /** Sockets that the operator leaves in reach. */
    readonly sockets: readonly string[];
    readonly writable: readonly string[];
    readonly user: string | null;
  };
};

type UserAccount = {
  readonly home: string;
  readonly uid: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Access to one of these gives the whole machine, or a shell on it that nothing confines. */
const SOCKETS = `docker.sock docker containerd podman crio buildkit k3s libvirt snapd.socket dbus screen user
  systemd/private systemd/io.systemd.Manager`.split(/\s+/);
const CONTAINERS = ["/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"];

export function agentSandbox(config: AgentInput, account: UserAccount = thisAccount()): Sandbox {
  const { uid, env } = account;
  const runtime_dir = env["XDG_RUNTIME_DIR"] ?? "";
  const left = new Set(config.agent.sockets.map(inRun));
  const sockets = [
    ...["/run", "/var/run"].flatMap((run) => SOCKETS.map((name) => join(run, name))),
    ...CONTAINERS,
    ...["DOCKER_HOST", "CONTAINER_HOST"].flatMap((name) => /^unix:\/\/(\/.+)$/.exec(env[name] ?? "")?.[1] ?? []),
  ];
  return {
    ...PLAIN_STEP,
    hidden: [
      ...orchFiles(config),
      compileCache(account),
      ...config.agent.hidden,
      ...sockets.filter((socket) => !left.has(inRun(socket))),
      ...(isAbsolute(runtime_dir) ? [runtime_dir] : []),
    ],
    hides_always: true,
    read_only: [...CODE, ...config.capabilities, ...databaseDirectory(config)],
    writable: [...config.agent.writable, ...config.agent.sockets],
    own: "home",
    processes: "pid_namespace",
    account: agentAccount(config.agent.user, uid),
    limits: config.step_limits,
  };
}

/** No command needs them: the token, the database, all else that orch keeps, and the files with its secrets. */
export const orchFiles = ({ data_dir, database_url, secret_paths }: Kept): string[] => [
  data_dir,
  ...databaseFiles(database_url),
  ...secret_paths,
];

/** Where a check is tried, nothing is shown of these: the checkout, the data of orch, and the skills. */
export const hiddenFromTrials = (config: Kept & { readonly capabilities: readonly string[] }): string[] => [
  ROOT,
  ...orchFiles(config),
  ...config.capabilities,
];

/** /run and /var/run are one directory. */
const inRun = (path: string): string => path.replace(/^\/var\/run\//, "/run/");

const thisAccount = (): UserAccount => ({ home: homedir(), uid: process.getuid?.(), env: process.env });

/** Commands must not put a file beside a database: SQLite would read a journal there as its own. */
function databaseDirectory({ database_url, data_dir }: Kept): string[] {
  const [file] = databaseFiles(database_url);
  return file === undefined || isBelow(file, resolve(data_dir)) ? [] : [dirname(file)];
}

/** SQLite keeps further files beside the database file. */
function databaseFiles(url: string): string[] {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  return file === undefined ? [] : ["", "-wal", "-shm", "-journal"].map((end) => resolve(file) + end);
}

/** The next server runs what is in the compile cache (src/orch.ts). */
function compileCache({ home, env }: UserAccount): string {
  const cache = env["XDG_CACHE_HOME"] ?? "";
  return resolve(env["NODE_COMPILE_CACHE"] ?? join(isAbsolute(cache) ? cache : join(home, ".cache"), "orch"));
}

const LIMIT_MS = 5_000;

/**
 * The account that the commands of agents run as, where orch may switch to it (D-250). Null: the account of orch. Throws
 * `config_invalid` where commands cannot run as that user.
 */
export function agentAccount(user: string | null, uid = process.getuid?.()): StepAccount | null {
  if (user === null) return null;
  const [own, group] = ["-u", "-g"].map((which) => idOf(which, user));
  if (own === undefined || group === undefined || own === null || group === null)
    throw refused(`there is no user ${JSON.stringify(user)}`, "Create it with: useradd --system --no-create-home");
  if (own === 0) throw refused(`${user} is root`, "Name an account that owns nothing but the directories of agents.");
  if (own === uid) return null;
  if (uid !== 0) throw refused("only root can run commands as another user", "Leave it out, or run orch as root.");
  return { uid: own, gid: group };
}

function idOf(which: string, user: string): number | null {
  try {
    const text = execFileSync("/usr/bin/id", [which, "--", user], {
      timeout: LIMIT_MS,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
    return Number(text);
  } catch {
    return null;
  }
}

const refused = (why: string, fix: string) =>
  new OrchError("config_invalid", `AGENT_USER cannot be used: ${why}.`, { fix });
