// Restarts a server on the same data after each kill, as an init system does. A caller only learns that the server was
// lost.
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orderIn, pointsIn } from "../../support/kill-at.ts";
import { type Answer, linesOf, type OrchProcess, startOrchProcess } from "../../support/orch-process.ts";

const PRELOAD = join(import.meta.dirname, "../../support/kill-at.ts");
const EXIT_MS = 30_000;

/** The server died during a request. The next one runs, and the result of the request is unknown. */
export class ServerLost extends Error {}

export type Keeper = {
  readonly data_dir: string;
  /** Rejects with ServerLost once the next server is up. */
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  /** Kills the running server at this point of its work. */
  readonly order: (point: string) => void;
  /** Kills the next server at this point of its work. */
  readonly orderNext: (point: string) => void;
  /** Removes an order that no server has reached. */
  readonly withdraw: () => string | null;
  /** The points passed since the last call. */
  readonly takePoints: () => string[];
  /** The errors that the running server has logged. */
  readonly errors: () => string[];
  readonly signal: (signal: NodeJS.Signals) => void;
  /** How many servers were killed so far. */
  readonly kills: () => number;
  readonly stop: () => Promise<number | null>;
};

export async function createKeeper(data_dir: string, env: Readonly<Record<string, string>>): Promise<Keeper> {
  const start = () => startOrchProcess({ data_dir, preload: PRELOAD, env: { ...env, KILL_DIR: data_dir } });
  const hasOrder = () => existsSync(orderIn(data_dir));
  let server = await start();
  let next: string | null = null;
  let kills = 0;

  async function revive({ child, output }: OrchProcess): Promise<void> {
    const gone = child.exitCode !== null || child.signalCode !== null;
    if (!gone) await once(child, "exit", { signal: AbortSignal.timeout(EXIT_MS) });
    if (child.signalCode === "SIGKILL") kills += 1;
    else if (child.exitCode !== 0) throw new Error(`the server ended by itself with ${child.exitCode}:\n${output()}`);
    if (next !== null) writeFileSync(orderIn(data_dir), next);
    next = null;
    const ordered = hasOrder();
    try {
      server = await start();
    } catch (error) {
      if (!ordered || hasOrder()) throw error;
      // It was killed as ordered during its recovery, before it listened.
      kills += 1;
      server = await start();
    }
  }

  async function ask(request: (to: OrchProcess) => Promise<Answer>): Promise<Answer> {
    const asked = server;
    try {
      return await request(asked);
    } catch {
      await revive(asked);
      throw new ServerLost();
    }
  }

  return {
    data_dir,
    get: (path) => ask((to) => to.get(path)),
    post: (path, body) => ask((to) => to.post(path, body)),
    order: (point) => writeFileSync(orderIn(data_dir), point),
    orderNext: (point) => {
      next = point;
    },
    withdraw: () => {
      const unheard = hasOrder() ? (linesOf(orderIn(data_dir))[0] ?? null) : next;
      rmSync(orderIn(data_dir), { force: true });
      next = null;
      return unheard;
    },
    takePoints: () => {
      const points = linesOf(pointsIn(data_dir));
      rmSync(pointsIn(data_dir), { force: true });
      return points;
    },
    errors: () =>
      server
        .output()
        .split("\n")
        .filter((line) => line.startsWith('{"level":50')),
    signal: (signal) => void server.child.kill(signal),
    kills: () => kills,
    stop: () => server.kill("SIGTERM"),
  };
}
