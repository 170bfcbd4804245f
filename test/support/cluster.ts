// Several real servers on one PostgreSQL, each with a data directory of its own and a proxy between it and the database. A server may be
// killed, stopped, frozen and cut off, and who lived when is written down for the checker of journals.
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { historyBreaches } from "../chaos/checker/journals.ts";
import type { Committed } from "../chaos/checker/lives.ts";
import { type Mark, marksIn, outsideBreaches } from "../chaos/checker/outside.ts";
import type { Breach } from "../chaos/checker/rules.ts";
import type { ClockAhead } from "./clock-ahead.ts";
import { orderIn } from "./kill-at.ts";
import { createLives, type LifeSoFar } from "./lives.ts";
import { linesOf, type OrchProcess, startOrchProcess, temporaryDirectory } from "./orch-process.ts";
import { postgresqlProxy } from "./postgresql-proxy.ts";
import { readJournals } from "./read-journals.ts";

const KILL_AT = join(import.meta.dirname, "kill-at.ts");

/** `leaves`: it is asked to, by the caller. */
type Signal = "freeze" | "thaw" | "cutOff" | "heal" | "leaves";

export type Member = OrchProcess & Readonly<Record<Signal, () => void>> & { readonly name: string };

export type Cluster = AsyncDisposable & {
  readonly directory: string;
  readonly database_url: string;
  /** Resolves once it listens. A name may be started again after it has ended. */
  readonly start: (name: string, over?: Over) => Promise<Member>;
  /** What the steps have written. */
  readonly marks: () => Mark[];
  readonly rows: () => Promise<Committed[]>;
  /** Everything that is wrong with the journals, who claimed what, and what the steps have written. */
  readonly breaches: () => Promise<Breach[]>;
};

type Over = {
  readonly env?: Readonly<Record<string, string>>;
  /** The point of its work at which it is killed. */
  readonly kill_at?: string;
  readonly clock?: ClockAhead;
  /** A module that node loads first. */
  readonly preload?: string;
};

/** A step that writes when it starts and when it ends, on any server. Between the two it takes so long, or until there is that file. */
export const marking = (index: number, until: string): string => {
  const waits = /^[\d.]+$/.test(until) ? `sleep ${until}` : `until test -e ../${until}; do sleep 0.05; done`;
  return `${markOf("start", index)}; ${waits}; ${markOf("end", index)}`;
};

const markOf = (what: Mark["what"], index: number): string =>
  `echo "${what} $ORCH_TASK_ID ${index} $HOME $EPOCHREALTIME" >> ../marks`;

export async function createCluster(database_url: string): Promise<Cluster> {
  await using given = new AsyncDisposableStack();
  const directory = given.use(await temporaryDirectory()).path;
  const lives = createLives();
  const marks = () =>
    marksIn(linesOf(join(directory, "marks"))).map((mark) => ({ ...mark, server: basename(mark.server) }));
  const rows = () => readJournals(database_url);
  const stack = given.move();

  const start: Cluster["start"] = async (name, { env = {}, kill_at, clock = {}, preload: given } = {}) => {
    const data_dir = join(directory, name);
    await mkdir(data_dir, { recursive: true });
    const proxy = await postgresqlProxy(database_url);
    stack.defer(proxy.stop);
    const own = { DATABASE_URL: proxy.url, ORCH_SERVER_NAME: name, ORCH_DRAIN_SECONDS: "2", ...clock, ...env };
    if (kill_at !== undefined) writeFileSync(orderIn(data_dir), kill_at);
    const first = kill_at === undefined ? given : KILL_AT;
    const preload = first === undefined ? {} : { preload: first };
    let life: LifeSoFar | null = null;
    // It claims tasks before it listens.
    const onSpawn = (child: ChildProcess) => {
      life = lives.begin(name, child);
      stack.defer(() => void child.kill("SIGKILL"));
    };
    const orch = await startOrchProcess({ data_dir, env: { ...own, KILL_DIR: data_dir }, onSpawn, ...preload });
    const within = (act: () => void) => () => {
      life?.trouble();
      act();
    };
    const after = (act: () => void) => () => {
      life?.relief();
      act();
    };
    const kill: OrchProcess["kill"] = (signal) => {
      life?.danger();
      return orch.kill(signal);
    };
    return {
      ...orch,
      name,
      kill,
      leaves: () => life?.leaves(),
      freeze: within(() => orch.child.kill("SIGSTOP")),
      thaw: after(() => orch.child.kill("SIGCONT")),
      cutOff: within(proxy.cutOff),
      heal: after(proxy.heal),
    };
  };

  return {
    directory,
    database_url,
    start,
    marks,
    rows,
    breaches: async () => {
      const all = await rows();
      return [...historyBreaches(all, lives.all()), ...outsideBreaches(all, marks())];
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Resolves with what the condition gives once that is not null. */
export async function until<T>(what: string, within_ms: number, look: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = Date.now() + within_ms; ; await sleep(20)) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${within_ms} ms`);
  }
}
