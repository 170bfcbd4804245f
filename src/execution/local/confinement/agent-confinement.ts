// What an agent's commands are kept away from, on this machine and under this configuration (spec section 5: they can
// neither read the supervisor's or the approver's token nor reach the API with it), and whether that works here.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Confinement } from "../containment/containment.ts";
import { createGroupContainment } from "../containment/group-containment.ts";
import { namespaceContainment } from "../containment/namespace-containment.ts";
import { baseEnvironment } from "../environment.ts";
import { createRunCommand } from "../run-command.ts";
import { confine } from "./confined.ts";
import { isBelow } from "./mount-table.ts";

/** Of the configuration. */
export type Facts = {
  readonly data_dir: string;
  readonly database_url: string;
  /** Directories with code that the server loads. */
  readonly capabilities: readonly string[];
  /** What the operator has named: to be hidden too, and sockets that are to be left. */
  readonly agent: { readonly hidden: readonly string[]; readonly sockets: readonly string[] };
};

type Account = {
  readonly home: string;
  readonly uid: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

const CHECKOUT = join(import.meta.dirname, "../../../..");

/** Who may speak to one of these has the whole machine, or a shell on it that nothing confines. */
const SOCKETS = `docker.sock docker containerd podman crio buildkit k3s libvirt snapd.socket dbus screen user
  systemd/private systemd/io.systemd.Manager`.split(/\s+/);
const CONTAINERS = ["/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"];

/** What is written there is run by the machine itself, or lets somebody in. */
const CRON =
  `/etc/crontab /etc/anacrontab /etc/cron.d /etc/cron.hourly /etc/cron.daily /etc/cron.weekly /etc/cron.monthly
  /etc/cron.yearly /var/spool/cron /var/spool/at /var/spool/atjobs /var/spool/anacron`.split(/\s+/);
const OF_THE_HOME = [".ssh", ".config/systemd"];

export function agentConfinement(facts: Facts, account: Account = thisAccount()): Confinement {
  const { home, uid, env } = account;
  const runtime_dir = env["XDG_RUNTIME_DIR"] ?? "";
  const left = new Set(facts.agent.sockets.map(inRun));
  return {
    hidden: [
      ...[facts.data_dir, ...databaseFiles(facts.database_url), compileCache(account), ...facts.agent.hidden],
      ...[
        ...["/run", "/var/run"].flatMap((run) => SOCKETS.map((name) => join(run, name))),
        ...CONTAINERS,
        ...["DOCKER_HOST", "CONTAINER_HOST"].flatMap((name) => /^unix:\/\/(\/.+)$/.exec(env[name] ?? "")?.[1] ?? []),
      ].filter((socket) => !left.has(inRun(socket))),
      ...(isAbsolute(runtime_dir) ? [runtime_dir] : []),
      ...(uid === undefined ? [] : [`/tmp/tmux-${uid}`]),
    ],
    read_only: [
      ...[CHECKOUT, ...facts.capabilities, ...CRON, ...databaseDirectory(facts)],
      ...ofTheHome(home),
      // A program that belongs to the account could be replaced by it.
      ...(isBelow(process.execPath, home) ? [process.execPath] : []),
    ],
  };
}

/** By the one of its two names. */
const inRun = (path: string): string => path.replace(/^\/var\/run\//, "/run/");

const thisAccount = (): Account => ({ home: homedir(), uid: process.getuid?.(), env: process.env });

const ofTheHome = (home: string): string[] => OF_THE_HOME.map((name) => join(home, name));

/**
 * Makes the directories that have to be kept as they are and are not there yet: what does not exist cannot be covered, and a
 * command could make it. To be called before commands of agents are run.
 */
export async function makeKeptDirectories(account: Account = thisAccount()): Promise<void> {
  for (const path of [...ofTheHome(account.home), compileCache(account)]) {
    // Where this account cannot make it, its commands cannot either.
    await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
  }
}

/** Nothing is put beside a database: SQLite would take a journal that lies there for its own. */
function databaseDirectory({ database_url, data_dir }: Facts): string[] {
  const [file] = databaseFiles(database_url);
  return file === undefined || isBelow(file, resolve(data_dir)) ? [] : [dirname(file)];
}

/** SQLite keeps further files beside its own. */
function databaseFiles(url: string): string[] {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  return file === undefined ? [] : ["", "-wal", "-shm", "-journal"].map((end) => resolve(file) + end);
}

/** What lies there is run by the next server (src/orch.ts). */
function compileCache({ home, env }: Account): string {
  const cache = env["XDG_CACHE_HOME"] ?? "";
  return resolve(env["NODE_COMPILE_CACHE"] ?? join(isAbsolute(cache) ? cache : join(home, ".cache"), "orch"));
}

const LIMIT_MS = 20_000;
const READ = 'cd "$PLACE"; cat directory/key file open || true';

/** Why no command can be confined here, null when it can: found out by one that tries to read what is hidden from it. */
export async function agentShellFault(facts: Facts, sandboxed = false): Promise<string | null> {
  const place = await mkdtemp(join(tmpdir(), "orch-confined-"));
  try {
    const key = randomUUID();
    await mkdir(join(place, "directory"));
    for (const name of ["directory/key", "file", "open"]) await writeFile(join(place, name), `${name} ${key}\n`);
    const { hidden, read_only } = agentConfinement(facts);
    const tried = ["directory", "file"].map((name) => join(place, name));
    const containment = sandboxed ? namespaceContainment : createGroupContainment();
    const cwd = homedir();
    const command = { script: READ, strict: true, cwd, env: { ...baseEnvironment({ home: cwd }), PLACE: place } };
    const end = await createRunCommand({ containment, confine })(
      { ...command, limit_ms: LIMIT_MS, grace_ms: 0, confinement: { hidden: [...hidden, ...tried], read_only } },
      new AbortController().signal,
    );
    if (!end.ran) return end.reason;
    if (end.stdout.text === `open ${key}\n`) return null;
    return end.stdout.text === ""
      ? `a command to try it out ended with ${end.stopped ?? end.signal ?? end.exit_code}`
      : READABLE;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const READABLE = "a command could read what was to be hidden from it";
