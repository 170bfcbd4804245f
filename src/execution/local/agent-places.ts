// Keeps apart what runs at the same time where an agent can write: a command meets what was looked at before it started (links, what git
// would run), because no command of another agent changes it in between (D-277). Remembers where agents could write, beyond the life of the
// server.
import { readFileSync, realpathSync } from "node:fs";
import { open, readFile, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { writableIn } from "../../domain/step-run.ts";
import { isBelow, isWithin, isWithinAny, underAllNames } from "../sandbox/mounts.ts";
import type { RunCommand, ShellCommand } from "./run-command.ts";

/** A command that runs or wants to. */
type Use = {
  readonly task_id: string;
  /** What it can write as an agent's, by all names: a file system may be mounted more than once. */
  readonly writes: readonly string[];
  readonly given: readonly string[];
  /** Of a step: it may work near a directory, or name it. An agent's command has what it was given, and sees no more. */
  readonly step: ShellCommand | null;
};

/** `shared`: what commands of all agents can write. */
export function createTurns(shared: readonly string[]) {
  const running = new Set<Use>();
  const waiting = new Set<() => void>();

  const inTurn = async (use: Use, abort: AbortSignal, run: () => ReturnType<RunCommand>): ReturnType<RunCommand> => {
    while ([...running].some((other) => areInTheWay(use, other))) {
      if (abort.aborted) return { ran: false, reason: "stopped while a command of an agent ran there" };
      await released(abort);
    }
    running.add(use);
    try {
      return await run();
    } finally {
      running.delete(use);
      for (const wake of waiting) wake();
    }
  };
  const released = (abort: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    abort.addEventListener("abort", () => resolve(), { once: true });
    return promise.finally(() => waiting.delete(resolve));
  };

  const runInTurn =
    (useOf: (contract: TaskContract, command: ShellCommand) => Omit<Use, "task_id">) =>
    (runCommand: RunCommand, contract: TaskContract): RunCommand =>
    (command, abort) => {
      const use = { task_id: contract.task_id, ...useOf(contract, command) };
      return inTurn(use, abort, () => runCommand(command, abort));
    };

  return {
    ofAgents: runInTurn((contract) => {
      const given = namedIn(contract);
      return { writes: underAllNames([...given, ...shared].map(realPath)), given, step: null };
    }),
    ofSteps: runInTurn((contract, step) => ({ writes: [], given: directoryOf(contract), step })),
  };
}

const directoryOf = ({ target: { compose_dir } }: Pick<TaskContract, "target">): string[] =>
  compose_dir === undefined ? [] : [compose_dir];

/** The directories that the commands of an agent may write by the contract. */
export const namedIn = (contract: Pick<TaskContract, "target" | "constraints">): string[] => [
  ...directoryOf(contract),
  ...writableIn(contract),
];

const areInTheWay = (one: Use, other: Use): boolean =>
  one.task_id !== other.task_id && (reaches(one, other) || reaches(other, one));

/** Looks at nothing where no agent is in it: every step asks. */
const reaches = ({ writes }: Use, { given, step }: Use): boolean =>
  writes.length > 0 &&
  (waysTo(given).some((way) => isWithinAny(way, writes)) || (step !== null && placesNear(step, writes).length > 0));

/** After all links. A component of a path may be a link now, and a directory when it is followed. */
const waysTo = (paths: readonly string[]): string[] => [...new Set(paths.flatMap(directoriesAbove))].map(realPath);

function directoriesAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...directoriesAbove(above)];
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

// Remembers which directories the commands of agents could write, beyond the life of the server, so that plain steps there
// neither run what git finds configured (D-254) nor follow a link that an agent made (D-248).

export type AgentPlaces = {
  /** Durable when it resolves. Paths that do not exist are left out. */
  readonly note: (directories: readonly string[]) => Promise<void>;
  /** The outermost of them: real paths. */
  readonly all: () => readonly string[];
};

/** One path as JSON in each line of the file. */
export function createAgentPlaces(file: string): AgentPlaces {
  const known = new Set(linesOf(file));
  let outermost = outermostOf(known);
  return {
    note: async (directories) => {
      const real = await Promise.all(directories.map((path) => realpath(path).catch(() => null)));
      const added = [...new Set(real)].filter((path) => path !== null && !known.has(path)) as string[];
      if (added.length === 0) return;
      const handle = await open(file, "a", 0o600);
      try {
        await handle.write(added.map((path) => `${JSON.stringify(path)}\n`).join(""));
        await handle.sync();
      } finally {
        await handle.close();
      }
      for (const path of added) known.add(path);
      outermost = outermostOf(known);
    },
    all: () => outermost,
  };
}

/** Those in, above or below the directory of the command, and those that its words name. */
export function placesNear({ cwd, script, env }: ShellCommand, places: readonly string[]): string[] {
  const words = [script, ...Object.values(env)].join("\n");
  return places.filter((place) => isWithin(cwd, place) || isWithin(place, cwd) || words.includes(place));
}

const outermostOf = (paths: ReadonlySet<string>): string[] =>
  [...paths].filter((path) => ![...paths].some((other) => isBelow(path, other)));

function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line) => pathIn(line) ?? []);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** A line that was cut off by the end of the machine: its command never ran. */
function pathIn(line: string): string | null {
  try {
    const path: unknown = JSON.parse(line);
    return typeof path === "string" ? path : null;
  } catch {
    return null;
  }
}

/**
 * A link that an agent could have made, on the way to a directory that a contract names: it may lead anywhere, so nothing runs
 * there (D-248). The first such link that leads out of the place in which it is; null where there is none.
 */
export async function plantedLink(path: string, places: readonly string[]): Promise<string | null> {
  let real = "/";
  // `..` follows the links before it.
  for (const name of path.split("/").slice(1)) {
    const next = join(real, name);
    const isLink = (await readlink(next).catch(() => null)) !== null;
    const place = places.find((one) => isBelow(next, one));
    const target = await realpath(next).catch(() => next);
    if (isLink && place !== undefined && !isWithin(target, place)) return next;
    real = target;
  }
  return null;
}

// Finds the directories that an agent may write and whose content runs later, outside of the space of its task: what is written there acts with
// the rights of the account that starts it.

type Account = {
  readonly home: string;
  /** Where steps find programs. */
  readonly path: string;
};

/** The system reads configuration and programs there, or starts what it finds. */
const SYSTEM =
  `/etc /usr /bin /sbin /lib /lib32 /lib64 /libx32 /boot /dev /proc /sys /snap /nix /run/systemd /run/udev /run/user
  /var/spool/cron /var/spool/at /var/spool/anacron /var/lib/systemd /var/lib/dpkg /var/lib/rpm /var/lib/apt /var/lib/cloud
  /var/lib/flatpak /var/lib/snapd /var/lib/docker /var/lib/containerd`.split(/\s+/);

/** Wherever they are, what is in them is loaded or started. */
const AUTORUN = new Set(
  "site-packages dist-packages .ssh .git cron.d crontabs init.d profile.d autostart sudoers.d".split(" "),
);

/** `named` as the contract has it, `real` after all links; `why` is to be read after "which is". */
export const createRunsLater =
  ({ home, path }: Account) =>
  async (contract: Pick<TaskContract, "target" | "constraints">) => {
    const homes = await realPaths([home, "/root", ...(await homesOfAccounts())]);
    const places = {
      homes: [...new Set(homes)],
      programs: await realPaths(path.split(":").filter((directory) => directory.startsWith("/"))),
      system: underAllNames(await realPaths(SYSTEM)),
    };
    const found = await Promise.all(
      [...new Set(namedIn(contract))].map(async (one) => {
        const real = await realEnd(one);
        const why = whyLater(real, places);
        return why === null ? [] : [{ named: one, real, why }];
      }),
    );
    return found.flat();
  };

type Places = {
  readonly homes: readonly string[];
  readonly programs: readonly string[];
  readonly system: readonly string[];
};

/** Null for a directory like any other. */
function whyLater(real: string, { homes, programs, system }: Places): string | null {
  const touches = (place: string): boolean => isWithin(real, place) || isBelow(place, real);
  const of_system = system.find(touches);
  if (of_system !== undefined) return `${isWithin(real, of_system) ? "in" : "above"} ${of_system}`;
  const program = programs.find(touches);
  if (program !== undefined) return `${isWithin(real, program) ? "in" : "above"} ${program}, on the PATH of steps`;
  for (const home of homes) {
    if (isWithin(home, real)) return `the home directory ${home}, or above it`;
    const [first = ""] = isBelow(real, home) ? relative(home, real).split("/") : [];
    if (first.startsWith(".") || first === "bin") return `${join(home, first)}, in a home directory`;
  }
  const part = real.split("/").find((one) => AUTORUN.has(one));
  return part === undefined ? null : `in a directory ${part}`;
}

/** After all links, also where its end is not there yet. */
async function realEnd(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || path === "/") return real ?? path;
  return join(await realEnd(dirname(path)), basename(path));
}

const realPaths = (paths: readonly string[]): Promise<string[]> => Promise.all(paths.map(realEnd));

/** Of those who may log in: a service account's home is where its data is. */
async function homesOfAccounts(): Promise<string[]> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [, , , , , home = "", shell = ""] = line.split(":");
    return home.startsWith("/") && home !== "/" && !/(nologin|false|sync)$/.test(shell) ? [home] : [];
  });
}
