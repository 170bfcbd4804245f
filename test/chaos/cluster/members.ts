// Several servers on one database, each kept running as an init system does, and what is done to one of them: killed at a commit, stopped,
// frozen, cut off from the database. They work in one directory, so that a mark is written to the same file by all.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killedIn, orderIn } from "../../support/kill-at.ts";
import type { LifeSoFar, Lives } from "../../support/lives.ts";
import { type PostgresqlProxy, postgresqlProxy } from "../../support/postgresql-proxy.ts";
import type { Finding } from "../checker/history.ts";
import { createKeeper, type Keeper } from "../keeper.ts";
import type { Random } from "../random.ts";
import type { ServerProcess } from "../server-process.ts";

const PRELOAD = join(import.meta.dirname, "../../support/kill-at.ts");
const ANOTHER_MACHINE = join(import.meta.dirname, "../../support/another-machine.ts");
/** A server that does nothing reaches no commit. */
const REACHES_MS = 6_000;
/** Several servers start at once, beside all others. */
const DEAD_MS = 150_000;
const MOST_POINTS = 15;

/** Most of the time of a round goes into starts, and a tenth of a start into collections of garbage. */
const QUICK = { NODE_OPTIONS: "--max-semi-space-size=32" };

export const KILLED = "SIGKILL at a commit";
const KILLED_ELSEWHERE = `${KILLED}, on another machine`;
const KILLED_STARTING = `${KILLED}, while it starts`;

/** Those of all rounds: a program that is stopped leaves none of them. */
const started = new Set<ServerProcess>();

/** Ends what still runs when the program ends, also by a signal. */
export function endWithProgram(): void {
  process.once("exit", () => {
    for (const server of started) if (!server.ended()) server.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}

export type Member = {
  readonly name: string;
  readonly keeper: Keeper;
  /** Kills it at a commit or a node that chance picks, also before it listens. Null when it reached none. */
  readonly killAtCommit: () => Promise<string | null>;
  readonly stop: () => Promise<string>;
  readonly freeze: (seconds: number) => Promise<void>;
  readonly cutOff: (seconds: number) => Promise<void>;
} & AsyncDisposable;

type Given = {
  readonly name: string;
  readonly database_url: string;
  readonly directory: string;
  /** Each of its processes is on a machine of its own: only its lease says that it has ended. */
  readonly is_elsewhere: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly lives: Lives;
  readonly report: (finding: Finding) => void;
};

export async function createMember({
  name,
  database_url,
  directory,
  env,
  is_elsewhere,
  ...given
}: Given): Promise<Member> {
  const { random, lives, report } = given;
  const own = join(directory, name);
  mkdirSync(own, { recursive: true });
  const proxy = await postgresqlProxy(database_url);
  const known = new Map<ServerProcess, LifeSoFar>();
  let isInTrouble = false;
  const keeper = createKeeper({
    data_dir: directory,
    preload: PRELOAD,
    random: random.fork(),
    report,
    dead_ms: DEAD_MS,
    isInTrouble: () => isInTrouble,
    env: {
      ...QUICK,
      ...env,
      ORCH_SERVER_NAME: name,
      ORCH_DATA_DIR: join(own, "state"),
      KILL_DIR: own,
      DATABASE_URL: proxy.url,
    },
    ...(is_elsewhere && { envOf: (nth) => onAnotherMachine(`${name}-${nth}`) }),
    onStart: (server) => {
      started.add(server);
      known.set(server, lives.begin(name, server.child));
    },
  });
  const troubled = async (server: ServerProcess, work: () => Promise<void>) => {
    isInTrouble = true;
    known.get(server)?.trouble();
    await work();
    known.get(server)?.relief();
    isInTrouble = false;
  };
  return {
    name,
    keeper,
    killAtCommit: async () => {
      while (keeper.current().ended()) await sleep(20);
      const server = keeper.current();
      const at = await killAt(server, own, `point#${random.between(1, MOST_POINTS)}`);
      if (at === null) return server.ended() ? `an end by itself, code ${server.child.exitCode}` : null;
      known.get(server)?.livedUntil(at);
      if (is_elsewhere) return KILLED_ELSEWHERE;
      return server.took() === null ? KILLED_STARTING : KILLED;
    },
    stop: async () => {
      const server = keeper.current();
      known.get(server)?.leaves();
      server.kill("SIGTERM");
      await server.exited;
      return "SIGTERM";
    },
    freeze: (seconds) => frozen(keeper.current(), seconds, troubled),
    cutOff: (seconds) => cutOff(keeper.current(), proxy, seconds, troubled),
    [Symbol.asyncDispose]: async () => {
      await keeper.stop();
      await proxy.stop();
    },
  };
}

const onAnotherMachine = (name: string) => ({
  MACHINE_NAME: name,
  NODE_OPTIONS: `${QUICK.NODE_OPTIONS} --import ${ANOTHER_MACHINE}`,
});

/** Resolves with the time of the kill; null when there was none. */
async function killAt(server: ServerProcess, directory: string, point: string): Promise<number | null> {
  rmSync(killedIn(directory), { force: true });
  writeFileSync(orderIn(directory), point);
  await Promise.race([server.exited, sleep(REACHES_MS)]);
  // It takes the order away just before its end.
  if (existsSync(orderIn(directory))) rmSync(orderIn(directory), { force: true });
  else await server.exited;
  return server.ended() ? (statSync(killedIn(directory), { throwIfNoEntry: false })?.mtimeMs ?? null) : null;
}

type Troubled = (server: ServerProcess, work: () => Promise<void>) => Promise<void>;

const frozen = (server: ServerProcess, seconds: number, troubled: Troubled): Promise<void> =>
  troubled(server, async () => {
    server.kill("SIGSTOP");
    await sleep(seconds * 1_000);
    server.kill("SIGCONT");
  });

function cutOff(server: ServerProcess, proxy: PostgresqlProxy, seconds: number, troubled: Troubled): Promise<void> {
  return troubled(server, async () => {
    proxy.cutOff();
    await sleep(seconds * 1_000);
    proxy.heal();
  });
}
