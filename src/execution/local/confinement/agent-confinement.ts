// What an agent's commands must not reach on this machine under this configuration, so that they can neither read a token of
// orch nor use its API (D-143), and whether confinement works here.
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

/** The configuration that decides what is protected. */
export type ConfinementInput = {
  readonly data_dir: string;
  readonly database_url: string;
  /** Directories with code that the server loads. */
  readonly capabilities: readonly string[];
  /** Paths that the operator hides in addition, and sockets that the operator leaves visible. */
  readonly agent: { readonly hidden: readonly string[]; readonly sockets: readonly string[] };
};

type UserAccount = {
  readonly home: string;
  readonly uid: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

const CHECKOUT = join(import.meta.dirname, "../../../..");

/** Access to one of these gives the whole machine, or a shell on it that nothing confines. */
const SOCKETS = `docker.sock docker containerd podman crio buildkit k3s libvirt snapd.socket dbus screen user
  systemd/private systemd/io.systemd.Manager`.split(/\s+/);
const CONTAINERS = ["/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"];

/** The machine runs what is written here, or grants access by it. */
const CRON =
  `/etc/crontab /etc/anacrontab /etc/cron.d /etc/cron.hourly /etc/cron.daily /etc/cron.weekly /etc/cron.monthly
  /etc/cron.yearly /var/spool/cron /var/spool/at /var/spool/atjobs /var/spool/anacron`.split(/\s+/);
const OF_THE_HOME = [".ssh", ".config/systemd"];

export function agentConfinement(facts: ConfinementInput, account: UserAccount = thisAccount()): Confinement {
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
      // An agent's command could replace a program that belongs to the account.
      ...(isBelow(process.execPath, home) ? [process.execPath] : []),
    ],
  };
}

/** /run and /var/run are one directory. */
const inRun = (path: string): string => path.replace(/^\/var\/run\//, "/run/");

const thisAccount = (): UserAccount => ({ home: homedir(), uid: process.getuid?.(), env: process.env });

const ofTheHome = (home: string): string[] => OF_THE_HOME.map((name) => join(home, name));

/**
 * Creates the directories to protect that do not exist yet (D-148): a mount cannot cover what does not exist, and a command
 * could create it. Call it before commands of agents run.
 */
export async function makeKeptDirectories(account: UserAccount = thisAccount()): Promise<void> {
  for (const path of [...ofTheHome(account.home), compileCache(account)]) {
    // Where this account cannot create it, its commands cannot either.
    await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
  }
}

/** Commands must not put a file beside a database: SQLite would read a journal there as its own. */
function databaseDirectory({ database_url, data_dir }: ConfinementInput): string[] {
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

const LIMIT_MS = 20_000;
const READ = 'cd "$PLACE"; cat directory/key file open || true';

/** Why no command can be confined here, null when it can. A command that tries to read what is hidden from it decides. */
export async function agentShellFault(facts: ConfinementInput, sandboxed = false): Promise<string | null> {
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
      ? `a test command ended with ${end.stopped ?? end.signal ?? end.exit_code}`
      : READABLE;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const READABLE = "a test command could read what must be hidden from it";
