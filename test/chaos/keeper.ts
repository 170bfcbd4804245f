// Keeps a server running, as an init system does: starts the next one when it has ended, for any reason, and ends one
// that neither serves nor ends, which is a finding.
import { setTimeout as sleep } from "node:timers/promises";
import { TOKEN } from "../support/orch-process.ts";
import type { Finding } from "./checker/history.ts";
import type { Random } from "./random.ts";
import { type Launch, launch, type ServerProcess } from "./server-process.ts";

const PAUSE_MS = 100;
const WATCH_MS = 1_000;
/** A server that is not ready for so long is dead, unless something is done to it. */
const DEAD_MS = 75_000;
/** A server that was replaced ends with its next heartbeat at the latest. */
const REPLACED_MS = 40_000;
/** How long two servers work side by side. */
const TOGETHER_MS = 5_000;
/** Steps that run have 20 s. */
const STOPPED_MS = 60_000;

export type Keeper = {
  /** Of the servers that listen: two while one is being replaced. */
  readonly urls: () => string[];
  readonly current: () => ServerProcess;
  /** Resolves once a server listens. */
  readonly up: () => Promise<void>;
  /** Starts a second server, and resolves once only one is left. Where several may serve, the first one is stopped after a while. */
  readonly replace: () => Promise<"replaced" | "refused" | "joined">;
  readonly slowest: () => number;
  readonly starts: () => number;
  readonly stop: () => Promise<void>;
};

export type KeeperOptions = Omit<Launch, "umask"> & {
  readonly random: Random;
  readonly report: (finding: Finding) => void;
  /** Whether several servers may serve the database. */
  readonly several?: boolean;
  /** What only the nth start has in its environment. */
  readonly envOf?: (nth: number) => Readonly<Record<string, string>>;
  /** Whether something is done to it meanwhile that keeps it from being ready. */
  readonly isInTrouble?: () => boolean;
  /** How long it may take to be ready; more where the machine is busy with many. */
  readonly dead_ms?: number;
  /** Called with each server that is started. */
  readonly onStart?: (server: ServerProcess) => void;
};

export function createKeeper({ random, report, several = false, envOf, onStart, ...given }: KeeperOptions): Keeper {
  const { isInTrouble = () => false, dead_ms = DEAD_MS, ...start } = given;
  let starts = 0;
  let slowest = 0;
  let isStopping = false;
  let successor: ServerProcess | null = null;
  const next = () => {
    starts += 1;
    const looks = random.chance(0.25) ? "on" : "off";
    const env = { ...start.env, ...envOf?.(starts), BEFORE_LOOK: looks, CHECK_LOOKS: looks };
    const server = launch({ ...start, env, umask: random.pick(["000", "022", "077"]) });
    onStart?.(server);
    void server.listens.then(() => {
      slowest = Math.max(slowest, server.took() ?? 0);
    });
    return server;
  };
  let current = next();

  const keep = async () => {
    while (!isStopping) {
      await current.exited;
      if (isStopping) return;
      if (successor !== null && !successor.ended()) {
        current = successor;
        successor = null;
        continue;
      }
      await sleep(PAUSE_MS);
      current = next();
    }
  };
  const kept = keep();
  const watched = watch({ current: () => current, isOver: () => isStopping, isInTrouble, dead_ms, report });

  return {
    urls: () => [current, successor].flatMap((server) => server?.url() ?? []),
    current: () => current,
    up: async () => {
      while (current.url() === null) await sleep(20);
    },
    replace: async () => {
      const first = current;
      const second = next();
      if (!(await second.listens)) return "refused";
      successor = second;
      await Promise.race([first.exited, sleep(several ? TOGETHER_MS : REPLACED_MS)]);
      if (first.ended()) return "replaced";
      if (several) {
        first.kill("SIGTERM");
        await Promise.race([first.exited, sleep(STOPPED_MS)]);
        if (first.ended()) return "joined";
      }
      const two = `two servers have served one database for ${REPLACED_MS / 1_000} s`;
      const text = several ? "a server beside another one did not end after SIGTERM" : two;
      report({ kind: "two servers", task_id: null, text });
      first.kill("SIGKILL");
      await first.exited;
      return "replaced";
    },
    slowest: () => slowest,
    starts: () => starts,
    stop: async () => {
      isStopping = true;
      for (const server of [current, successor]) {
        if (server === null || server.ended()) continue;
        server.kill("SIGTERM");
        await Promise.race([server.exited, sleep(STOPPED_MS)]);
        if (!server.ended()) report({ kind: "dead server", task_id: null, text: "it did not end after SIGTERM" });
        server.kill("SIGKILL");
        await server.exited;
      }
      await Promise.all([kept, watched]);
    },
  };
}

type Watch = {
  readonly current: () => ServerProcess;
  readonly isOver: () => boolean;
  readonly isInTrouble: () => boolean;
  readonly dead_ms: number;
  readonly report: (finding: Finding) => void;
};

/** Ends a server that has not been ready for too long. */
async function watch({ current, isOver, isInTrouble, dead_ms, report }: Watch): Promise<void> {
  let server = current();
  let since = performance.now();
  while (!isOver()) {
    await sleep(WATCH_MS);
    const now = current();
    const last = now === server ? await readiness(now.url()) : null;
    if (now !== server || last === 200 || isInTrouble()) since = performance.now();
    server = now;
    if (performance.now() - since < dead_ms || isOver()) continue;
    const text = `a server was not ready for ${dead_ms / 1_000} s (${last ?? "it did not listen"}) and did not end`;
    report({ kind: "dead server", task_id: null, text });
    server.kill("SIGKILL");
    since = performance.now();
  }
}

async function readiness(url: string | null): Promise<number | null> {
  if (url === null) return null;
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await fetch(`${url}/readyz`, { headers, signal: AbortSignal.timeout(5_000) })).status;
  } catch {
    return null;
  }
}
