// Reads a short script, for judging it. A device, a pipe or a long file is no script, and what the step must not see is not read for
// it: findings quote what they found (D-265).
import { constants, type Stats } from "node:fs";
import { open, readFile, readlink, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import type { ScriptText } from "../../domain/script.ts";
import { writableIn } from "../../domain/step-run.ts";
import type { AgentPlaces } from "./agent-places.ts";
import { everywhere } from "./confinement/hidden-paths.ts";
import { isWithinAny, mountsIn, underAllNames } from "./confinement/mount-table.ts";
import { isFresh, OF_THE_COMMAND } from "./confinement/places.ts";
import type { Confinement, StepAccount } from "./containment/containment.ts";
import { plantedLink } from "./planted-link.ts";

const MAX_TEXT = 64 * 1024;

/** `path` is that of the opened file, after all links. */
type MayRead = (path: string, found: Stats) => Promise<boolean>;

/** A text without the secrets that orch knows. */
type JudgedAs = (text: string) => string;

async function readText(path: string, mayRead: MayRead, judgedAs: JudgedAs): Promise<ScriptText | null> {
  try {
    // A pipe without a writer would keep an opening without O_NONBLOCK waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > MAX_TEXT) return null;
      // Of the open file: a link may lead elsewhere by now.
      if (!(await mayRead(await readlink(`/proc/self/fd/${file.fd}`), found))) return null;
      const text = await file.readFile("utf8");
      return text.length > MAX_TEXT || text.includes("\0") ? null : { text, judged: judgedAs(text) };
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
  (hidden: readonly string[], judgedAs: JudgedAs) =>
  async (path: string): Promise<ScriptText | null> => {
    const covered = await coveredBy(hidden);
    return readText(path, async (real) => !isWithinAny(real, covered), judgedAs);
  };

type OfAgents = Pick<Confinement, "hidden" | "writable" | "account"> & {
  readonly home: string;
  readonly places: Pick<AgentPlaces, "all">;
  readonly judgedAs: JudgedAs;
};

/** For commands of agents: of what they share with the machine, what their account may read. */
export const createTextForAgents =
  ({ hidden, writable, account, home, places, judgedAs }: OfAgents) =>
  async (path: string, contract: TaskContract): Promise<ScriptText | null> => {
    const { compose_dir } = contract.target;
    const named = [...writableIn(contract), ...(compose_dir === undefined ? [] : [compose_dir])];
    const all = underAllNames(places.all());
    const links = await Promise.all(named.map((one) => plantedLink(one, all)));
    if (links.some((link) => link !== null)) return null;
    const [covered, open, own] = await Promise.all([
      coveredBy(hidden),
      realPaths([...writable, ...named]),
      realPaths([...OF_THE_COMMAND, home]),
    ]);
    const mayRead: MayRead = async (real, found) => {
      if (isFresh(real) || isWithinAny(real, covered)) return false;
      if (isWithinAny(real, own) && !isWithinAny(real, open)) return false;
      return account === null || isReadableBy(account, real, found);
    };
    return readText(path, mayRead, judgedAs);
  };

/** Under all their names. */
async function coveredBy(hidden: readonly string[]): Promise<string[]> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8"));
  return [...(await realPaths(hidden)), ...(await everywhere(hidden, mounts)).map(({ path }) => path)];
}

const realPaths = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)));

const [MAY_READ, MAY_ENTER] = [4, 1];

/** Its groups beside its own, and lists of rights, are left out: then a script is judged as one that cannot be read. */
async function isReadableBy(account: StepAccount, path: string, file: Stats): Promise<boolean> {
  const may = (found: Stats, right: number): boolean => {
    const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0;
    return ((found.mode >> shift) & right) !== 0;
  };
  if (!may(file, MAY_READ)) return false;
  for (let above = dirname(path); ; above = dirname(above)) {
    if (!may(await stat(above), MAY_ENTER)) return false;
    if (above === "/") return true;
  }
}
