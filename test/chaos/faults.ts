// What is done to a server whichever database it has: signals to it, to the process that runs its commands, and to the next one
// while that starts.
import { setTimeout as sleep } from "node:timers/promises";
import type { Keeper } from "./keeper.ts";
import { runnerOf } from "./processes.ts";
import type { Random } from "./random.ts";

/** Resolves once the fault is over, to what to count it as; null when it did not come about. */
export type Fault = () => Promise<string | null>;

export type Faults = {
  readonly often: Readonly<Record<string, Fault>>;
  readonly seldom: Readonly<Record<string, Fault>>;
};

export function kills(keeper: Keeper, random: Random): Faults["often"] {
  const killServer = async () => {
    const server = keeper.current();
    server.kill("SIGKILL");
    await server.exited;
  };
  const killRunner = () => {
    const runner = runnerOf(keeper.current().child.pid);
    if (runner === null) return false;
    try {
      return process.kill(runner, "SIGKILL");
    } catch {
      return false;
    }
  };
  return {
    "SIGKILL of the server": async () => {
      await killServer();
      return "SIGKILL of the server";
    },
    "SIGKILL of server and runner": async () => {
      if (!killRunner()) return null;
      await killServer();
      return "SIGKILL of server and runner";
    },
    "SIGKILL of the runner": async () => (killRunner() ? "SIGKILL of the runner" : null),
    SIGTERM: async () => {
      const server = keeper.current();
      server.kill("SIGTERM");
      await server.exited;
      return "SIGTERM";
    },
    "SIGKILL while it starts": async () => {
      const before = keeper.current();
      await killServer();
      while (keeper.current() === before) await sleep(10);
      const starting = keeper.current();
      await sleep(random.between(20, Math.max(100, keeper.slowest())));
      if (starting.url() !== null) return "SIGKILL of the server";
      starting.kill("SIGKILL");
      await starting.exited;
      return "SIGKILL while it starts";
    },
  };
}

const PAUSE_MS = { least: 300, most: 3_000 };

export type Injected = Map<string, number>;

/** Each kind once, in an order by chance, then the frequent ones mostly, until `isEnding`. */
export async function inject(
  { often, seldom }: Faults,
  { keeper, random, isEnding }: { keeper: Keeper; random: Random; isEnding: () => boolean },
): Promise<Injected> {
  const injected: Injected = new Map();
  const first = random.shuffled(Object.values({ ...often, ...seldom }));
  const [frequent, others] = [Object.values(often), Object.values(seldom)];
  while (!isEnding()) {
    await keeper.up();
    await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
    if (isEnding()) break;
    const from = others.length > 0 && random.chance(0.25) ? others : frequent;
    const fault = first.shift() ?? from[random.between(0, from.length - 1)];
    const name = (await fault?.()) ?? null;
    if (name !== null) injected.set(name, (injected.get(name) ?? 0) + 1);
  }
  return injected;
}
