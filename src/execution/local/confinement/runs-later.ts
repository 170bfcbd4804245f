// Finds the directories that an agent may write and whose content runs later, outside of the space of its task: what is written there
// acts with the rights of the account that starts it.
import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { TaskContract } from "../../../domain/contract.ts";
import { namedIn } from "../agent-turns.ts";
import { isBelow, isWithin, underAllNames } from "./mount-table.ts";

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
