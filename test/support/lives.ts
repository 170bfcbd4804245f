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
  /** From now on it may end at any moment. */
  readonly danger: () => void;
  /** It is asked to leave. */
  readonly leaves: () => void;
  /** It has ended, and is known to have lived until then. */
  readonly livedUntil: (at: number) => void;
};

/** How late a busy machine may see that a process has ended. */
const SEEN_LATE_MS = 3_000;

type OpenSpan = { readonly from: number; to: number };

export function createLives(): Lives {
  const lives: (Omit<Life, "to" | "may_end" | "leaves"> & { to: number; may_end: number; leaves: number })[] = [];
  return {
    all: () => lives,
    begin: (name, child) => {
      const troubles: OpenSpan[] = [];
      const endless = Number.POSITIVE_INFINITY;
      const ends = { to: endless, may_end: endless, leaves: endless };
      const life = { name, pid: child.pid ?? 0, from: Date.now(), ...ends, troubles };
      lives.push(life);
      child.once("exit", () => {
        life.to = Date.now();
        life.may_end = Math.min(life.may_end, life.to - SEEN_LATE_MS);
      });
      return {
        trouble: () => void troubles.push({ from: Date.now(), to: Number.POSITIVE_INFINITY }),
        relief: () => {
          const last = troubles.at(-1);
          if (last !== undefined) last.to = Date.now();
        },
        danger: () => {
          life.may_end = Math.min(life.may_end, Date.now());
        },
        leaves: () => {
          life.leaves = Math.min(life.leaves, Date.now());
        },
        livedUntil: (at) => {
          life.may_end = at;
        },
      };
    },
  };
}
