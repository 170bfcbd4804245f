// The faults of a SQLite file: its lock deleted and a second server started, and a disk that is full for a while.
import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Faults } from "./faults.ts";
import type { Keeper } from "./keeper.ts";
import type { Random } from "./random.ts";

const fileIn = (data_dir: string): string => join(data_dir, "state/orch.db");

export function sqliteFaults(data_dir: string, keeper: Keeper, random: Random): Faults["seldom"] {
  return {
    "lock deleted, second server": async () => {
      rmSync(`${fileIn(data_dir)}-lock`, { force: true });
      return `lock deleted, second server ${await keeper.replace()}`;
    },
    // A write beyond the limit fails as on a full disk.
    "disk full": async () => {
      const server = keeper.current();
      if (server.child.pid === undefined || !limitFiles(server.child.pid, "1")) return null;
      await sleep(random.between(500, 4_000));
      if (!server.ended()) limitFiles(server.child.pid, "unlimited");
      return "disk full";
    },
  };
}

function limitFiles(pid: number, limit: string): boolean {
  try {
    // Only the soft limit: an account other than root could not raise the hard one again.
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${limit}:`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The files that others than their owner may read. */
export function openFiles(data_dir: string): string[] {
  return ["", "-wal", "-shm"].flatMap((end) => {
    const stat = statSync(fileIn(data_dir) + end, { throwIfNoEntry: false });
    if (stat === undefined || (stat.mode & 0o077) === 0) return [];
    return [`orch.db${end} has the mode ${(stat.mode & 0o777).toString(8)}`];
  });
}
