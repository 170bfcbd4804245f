// Remembers which directories the commands of agents could write, beyond the life of the server, so that plain steps there
// neither run what git finds configured (D-254) nor follow a link that an agent made (D-248).
import { readFileSync } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isBelow, isWithin } from "./confinement/mount-table.ts";
import type { ShellCommand } from "./run-command.ts";

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
