// The servers of a measurement, as many as are asked for, on a database of their own; and what they and it have spent of the processor. The
// processes of two groups are apart, so that what each spends can be counted while both are there.
import { join } from "node:path";
import { contractBody } from "../../support/builders.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { postgres } from "../../support/postgres.ts";
import { endTrial, learn } from "../http-tasks.ts";
import { ownCpuMs, treeCpuMs } from "../process-tree.ts";

/** In ms. `steps`: the process for commands, and the commands. */
export type Spent = { readonly server: number; readonly steps: number; readonly database: number };

export type Group = AsyncDisposable & {
  readonly servers: readonly OrchProcess[];
  /** Null for a SQLite file. */
  readonly database_url: string | null;
  readonly spent: () => Promise<Spent>;
};

type Given = {
  readonly count: number;
  readonly database: "SQLite" | "PostgreSQL";
  /** The sources that run, where they are not those of this checkout. */
  readonly checkout?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Without the limits of callers, and without a pid namespace for each step: what is measured is orch. */
const ENV = {
  ORCH_SUBMITS_PER_MINUTE: "0",
  ORCH_REQUESTS_PER_SECOND: "0",
  ORCH_CONCURRENCY: "16",
  ORCH_SANDBOX: "off",
  ORCH_DRAIN_SECONDS: "1",
  LOG_LEVEL: "warn",
};
const TAUGHT_AT_ONCE = 4;

export const serviceOf = (nth: number): string => `s${nth}`;

/** A task of one step on a target of its own kind. */
export const oneStep = (task_id: string, service: string) =>
  contractBody({
    task_id,
    intent: "restart",
    target: { service },
    success_criteria: [],
    delegation_mode: "known_only",
  });

export async function startGroup({ count, database, checkout, env }: Given): Promise<Group> {
  await using given = new AsyncDisposableStack();
  const postgresql = database === "SQLite" ? null : postgres({ fsync: true, commit_times: true });
  if (postgresql !== null) given.defer(postgresql.stop);
  const database_url = (await postgresql?.createDatabase()) ?? null;
  const servers: OrchProcess[] = [];
  for (let nth = 0; nth < count; nth++) {
    const data_dir = given.use(await temporaryDirectory()).path;
    const own = {
      ORCH_SERVER_NAME: `server-${nth}`,
      DATABASE_URL: database_url ?? `file:${join(data_dir, "orch.db")}`,
    };
    const from = checkout === undefined ? {} : { checkout };
    const orch = await startOrchProcess({ data_dir, env: { ...ENV, ...own, ...env }, ...from });
    given.defer(async () => void (await orch.kill("SIGTERM")));
    servers.push(orch);
  }
  const pid = (await postgresql?.pid()) ?? null;
  const stack = given.move();
  return {
    servers,
    database_url,
    spent: async () => {
      const pids = servers.map(({ child }) => child.pid ?? 0);
      const server = sum(pids.map(ownCpuMs));
      const all = sum(pids.map((one) => treeCpuMs(one, 0)));
      return { server, steps: all - server, database: pid === null ? 0 : treeCpuMs(pid, 0) };
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

/** Procedures of one step, each on a target of its own, that have been run once. */
export async function teach({ servers: [first] }: Group, services: number): Promise<void> {
  if (first === undefined) throw new Error("a group has a server");
  let next = 0;
  const worker = async () => {
    for (let nth = next++; nth < services; nth = next++) {
      await learn(first, "restart", serviceOf(nth), [{ kind: "check", value: "test -d /" }]);
      await endTrial(first, serviceOf(nth));
    }
  };
  await Promise.all(Array.from({ length: TAUGHT_AT_ONCE }, worker));
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
