// What a changing call of an agent does, as far as the guard resolves it: the one program that it runs, with its words, and the
// files that it writes. Null where that is not known for certain.
import type { AgentCall } from "../domain/agent-events.ts";
import { observe, pathFrom, type ShellContext } from "../guard/guard.ts";

export type Act = {
  /** The words of the only program, null where the call only writes files, or runs programs that only print. */
  readonly words: readonly string[] | null;
  readonly directory: string;
  /** Absolute, each written by a redirection. */
  readonly writes: readonly string[];
};

const PRINTS = /^(echo|printf|cat|true|:|cd|date)$/;

export function actOf({ step }: Pick<AgentCall, "step">, shell: ShellContext): Act | null {
  if (step?.kind !== "cmd" && step?.kind !== "check") return null;
  const ran: (readonly string[])[] = [];
  const writes: string[] = [];
  const directories = new Set([shell.cwd]);
  let certain = true;
  const absolute = (path: string, from: readonly string[]) => {
    const [directory, ...others] = from;
    if (directory === undefined || others.length > 0) certain = false;
    else directories.add(directory);
    return pathFrom(path, directory ?? "/");
  };
  const isWhole = observe(step.value, shell, {
    command: (words, from) => {
      absolute(".", from);
      if (!PRINTS.test(words[0] ?? "")) ran.push(words);
    },
    write: (path, from) => void (path.startsWith("/dev/") || writes.push(absolute(path, from))),
    report: () => {
      certain = false;
    },
  });
  const programs = ran.filter((words, at) => !isLauncherOf(words, ran[at + 1]));
  const [words = null, ...others] = programs;
  const isPlain = [...(words ?? []), ...writes].every((word) => !/[^\x20-\x7e]/.test(word));
  if (!isWhole || !certain || others.length > 0 || !isPlain) return null;
  return { words, directory: [...directories].at(-1) ?? shell.cwd, writes };
}

/** The guard sees `sudo systemctl stop x` and then `systemctl stop x`. */
const isLauncherOf = (words: readonly string[], next: readonly string[] | undefined): boolean =>
  next !== undefined && next.length < words.length && words.slice(-next.length).join("\0") === next.join("\0");
