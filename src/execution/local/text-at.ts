// Reads a short script, for judging it. A device, a pipe or a long file is no script, and what the step must not see is not read for
// it: findings quote what they found (D-265).
import { constants, type Stats } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { writableIn } from "../../domain/step-run.ts";
import { isWithin } from "./confinement/mount-table.ts";
import { OF_THE_COMMAND } from "./confinement/places.ts";
import type { Confinement, StepAccount } from "./containment/containment.ts";

const MAX_TEXT = 64 * 1024;

/** `path` is that of the opened file, after all links. */
type MayRead = (path: string) => Promise<boolean>;

async function readText(path: string, mayRead: MayRead): Promise<string | null> {
  try {
    // A pipe without a writer would keep an opening without O_NONBLOCK waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > MAX_TEXT) return null;
      // Of the open file: a link may lead elsewhere by now.
      if (!(await mayRead(await readlink(`/proc/self/fd/${file.fd}`)))) return null;
      const text = await file.readFile("utf8");
      return text.length > MAX_TEXT || text.includes("\0") ? null : text;
    } finally {
      await file.close();
    }
  } catch {
    // Then the step cannot read it either.
    return null;
  }
}

/** For steps that see all but what is hidden. */
export const createTextAt =
  (hidden: readonly string[]) =>
  async (path: string): Promise<string | null> => {
    const covered = await realPaths(hidden);
    return readText(path, async (real) => !isWithinAny(real, covered));
  };

type OfAgents = Pick<Confinement, "hidden" | "writable" | "account"> & { readonly home: string };

/** For commands of agents: of what they share with the machine, what their account may read. */
export const createTextForAgents =
  ({ hidden, writable, account, home }: OfAgents) =>
  async (path: string, contract: TaskContract): Promise<string | null> => {
    const { compose_dir } = contract.target;
    const named = [...writable, ...writableIn(contract), ...(compose_dir === undefined ? [] : [compose_dir])];
    const [covered, open, own] = await Promise.all([hidden, named, [...OF_THE_COMMAND, home]].map(realPaths));
    return readText(path, async (real) => {
      if (isWithinAny(real, covered ?? [])) return false;
      if (isWithinAny(real, own ?? []) && !isWithinAny(real, open ?? [])) return false;
      return account === null || isReadableBy(account, real);
    });
  };

const isWithinAny = (path: string, all: readonly string[]): boolean => all.some((one) => isWithin(path, one));

const realPaths = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)));

const [MAY_READ, MAY_ENTER] = [4, 1];

/** Its groups beside its own, and lists of rights, are left out: then a script is judged as one that cannot be read. */
async function isReadableBy(account: StepAccount, path: string): Promise<boolean> {
  const may = (found: Stats, right: number): boolean => {
    const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0;
    return ((found.mode >> shift) & right) !== 0;
  };
  if (!may(await stat(path), MAY_READ)) return false;
  for (let above = dirname(path); ; above = dirname(above)) {
    if (!may(await stat(above), MAY_ENTER)) return false;
    if (above === "/") return true;
  }
}
