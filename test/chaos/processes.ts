// The processes of this machine, read from /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

const fieldsOf = (pid: string): string[] => {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

const pids = (): string[] => readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
const commandOf = (pid: string): string => read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();

/** The process that runs the commands of a server; null when it has none at this moment. */
export function runnerOf(server: number | undefined): number | null {
  const pid = pids().find((one) => fieldsOf(one)[1] === String(server) && commandOf(one).includes("runner-process"));
  return pid === undefined ? null : Number(pid);
}

/** Living processes that work in the directory, or were given it, or any other text, as argument or in their environment. */
export function processesOf(directory: string): string[] {
  return pids()
    .filter((pid) => pid !== String(process.pid) && !["Z", "X", ""].includes(fieldsOf(pid)[0] ?? ""))
    .filter((pid) => isIn(pid, directory) || `${commandOf(pid)} ${read(`/proc/${pid}/environ`)}`.includes(directory))
    .map((pid) => `${pid} (parent ${fieldsOf(pid)[1]}) ${commandOf(pid).slice(0, 200)}`);
}

function isIn(pid: string, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory);
  } catch {
    return false;
  }
}
