// Writes down which server lived when, and when it was killed, frozen or cut off: the checker of journals judges claims by it.
import type { ChildProcess } from "node:child_process";
import type { Life } from "../chaos/checker/lives.ts";

export type Lives = {
  /** A process that has just been started. */
  readonly begin: (name: string, child: ChildProcess) => LifeSoFar;
  readonly all: () => readonly Life[];
};

export type LifeSoFar = {
  /** From now on it may be unable to keep what it works on. */
  readonly trouble: () => void;
  /** That is over. */
  readonly relief: () => void;
};

type OpenSpan = { readonly from: number; to: number };

export function createLives(): Lives {
  const lives: (Omit<Life, "to"> & { to: number })[] = [];
  return {
    all: () => lives,
    begin: (name, child) => {
      const troubles: OpenSpan[] = [];
      const life = { name, pid: child.pid ?? 0, from: Date.now(), to: Number.POSITIVE_INFINITY, troubles };
      lives.push(life);
      child.once("exit", () => {
        life.to = Date.now();
      });
      return {
        trouble: () => void troubles.push({ from: Date.now(), to: Number.POSITIVE_INFINITY }),
        relief: () => {
          const last = troubles.at(-1);
          if (last !== undefined) last.to = Date.now();
        },
      };
    },
  };
}
