// What processes use, read from /proc: memory, and time of the processor, which the kernel counts in ticks of 10 ms.
import { readdirSync, readFileSync } from "node:fs";

const MS_PER_TICK = 10;

type Member = {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Without those of the children that it has waited for. */
  readonly own_ticks: number;
};

/** In ms: of the process, of all below it, and of those below it that have ended. `without` and what is below it is left out. */
export function treeCpuMs(pid: number, without: number): number {
  const members = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap(memberOf);
  const below = Map.groupBy(members, ({ parent }) => parent);
  const ticksOf = (one: Member): number =>
    one.pid === without ? 0 : one.ticks + (below.get(one.pid) ?? []).reduce((sum, child) => sum + ticksOf(child), 0);
  const [root] = members.filter((one) => one.pid === pid);
  return root === undefined ? 0 : ticksOf(root) * MS_PER_TICK;
}

/** In ms: of the process alone. */
export const ownCpuMs = (pid: number): number => (memberOf(String(pid))[0]?.own_ticks ?? 0) * MS_PER_TICK;

function memberOf(pid: string): Member[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // `pid (name) state parent ...`, where the name may hold anything; then user, system, and both of the children waited for.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const sum = (end: number) => fields.slice(11, end).reduce((all, field) => all + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: sum(15), own_ticks: sum(13) }];
  } catch {
    return []; // It has ended in the meantime.
  }
}

/** Its memory, in MiB. */
export const residentMiB = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
