// Several real servers on one PostgreSQL, each with a data directory of its own and a proxy between it and the database. A server may be
// killed, stopped, frozen and cut off, and who lived when is written down for the checker of journals.
import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { historyBreaches } from "../chaos/checker/journals.ts";
import type { Committed, Life } from "../chaos/checker/lives.ts";
import { type Mark, marksIn, outsideBreaches } from "../chaos/checker/outside.ts";
import type { Breach } from "../chaos/checker/rules.ts";
import { orderIn } from "./kill-at.ts";
import { linesOf, type OrchProcess, startOrchProcess, temporaryDirectory } from "./orch-process.ts";
import { postgresqlProxy } from "./postgresql-proxy.ts";
import { readJournals } from "./read-journals.ts";

const KILL_AT = join(import.meta.dirname, "kill-at.ts");

type Signal = "freeze" | "thaw" | "cutOff" | "heal";

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
};

/** A step that writes when it starts and when it ends, on any server. */
export const marking = (index: number, seconds: string): string =>
  `${markOf("start", index)}; sleep ${seconds}; ${markOf("end", index)}`;

const markOf = (what: Mark["what"], index: number): string =>
  `echo "${what} $ORCH_TASK_ID ${index} $HOME $EPOCHREALTIME" >> ../marks`;

type OpenSpan = { readonly from: number; to: number };
type LifeSoFar = Omit<Life, "to" | "troubles"> & { to: number; readonly troubles: OpenSpan[] };

export async function createCluster(database_url: string): Promise<Cluster> {
  await using given = new AsyncDisposableStack();
  const directory = given.use(await temporaryDirectory()).path;
  const lives: LifeSoFar[] = [];
  const marks = () =>
    marksIn(linesOf(join(directory, "marks"))).map((mark) => ({ ...mark, server: basename(mark.server) }));
  const rows = () => readJournals(database_url);
  const stack = given.move();

  const start: Cluster["start"] = async (name, { env = {}, kill_at } = {}) => {
    const data_dir = join(directory, name);
    await mkdir(data_dir, { recursive: true });
    const proxy = await postgresqlProxy(database_url);
    stack.defer(proxy.stop);
    const own = { DATABASE_URL: proxy.url, ORCH_SERVER_NAME: name, ORCH_DRAIN_SECONDS: "2", ...env };
    if (kill_at !== undefined) writeFileSync(orderIn(data_dir), kill_at);
    const preload = kill_at === undefined ? {} : { preload: KILL_AT };
    const orch = await startOrchProcess({ data_dir, env: { ...own, KILL_DIR: data_dir }, ...preload });
    const life: LifeSoFar = { name, pid: orch.child.pid ?? 0, from: 0, to: Number.POSITIVE_INFINITY, troubles: [] };
    lives.push(life);
    orch.child.once("exit", () => {
      life.to = Date.now();
    });
    const kill: OrchProcess["kill"] = (signal) => {
      trouble(life);
      return orch.kill(signal);
    };
    stack.defer(async () => {
      orch.child.kill("SIGCONT");
      if (orch.child.exitCode === null && orch.child.signalCode === null) await orch.kill("SIGKILL");
    });
    const troubling = (begin: () => void) => () => {
      trouble(life);
      begin();
    };
    const relieving = (end: () => void) => () => {
      over(life);
      end();
    };
    return {
      ...{ ...orch, name, kill },
      freeze: troubling(() => orch.child.kill("SIGSTOP")),
      thaw: relieving(() => orch.child.kill("SIGCONT")),
      cutOff: troubling(proxy.cutOff),
      heal: relieving(proxy.heal),
    };
  };

  return {
    ...{ directory, database_url, start, marks, rows },
    breaches: async () => {
      const all = await rows();
      return [...historyBreaches(all, lives), ...outsideBreaches(all, marks())];
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const trouble = ({ troubles }: LifeSoFar): void =>
  void troubles.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });

function over({ troubles }: LifeSoFar): void {
  const last = troubles.at(-1);
  if (last !== undefined) last.to = Date.now();
}

/** Resolves with what the condition gives once that is not null. */
export async function until<T>(what: string, within_ms: number, look: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = Date.now() + within_ms; ; await sleep(20)) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${within_ms} ms`);
  }
}
