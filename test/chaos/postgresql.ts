// The faults of a PostgreSQL server and of the way to it: answers lost, connections silent or ended, a second server, and a replica
// that has lost the last events of a task.
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type { PostgresqlProxy, Fault as WireFault } from "../support/postgresql-proxy.ts";
import type { Fault, Faults } from "./faults.ts";
import type { Keeper } from "./keeper.ts";
import type { Random } from "./random.ts";

const OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
const LOCK_SESSION = "AND application_name LIKE 'orch pid%'";
/** How long a fault waits for the statement that it is for. */
const ARMED_MS = 5_000;
const COMMITS = ["COMMIT", "INSERT INTO journal_event"] as const;

export type PostgresqlFaults = { readonly seldom: Faults["seldom"]; readonly stop: () => Promise<void> };

type Given = {
  readonly url: string;
  readonly proxy: PostgresqlProxy;
  readonly keeper: Keeper;
  readonly random: Random;
  /** Collects the tasks whose journal was cut. */
  readonly cut: Set<string>;
};

export async function postgresqlFaults({ url, proxy, keeper, random, cut }: Given): Promise<PostgresqlFaults> {
  const admin = await new PrismaPg({ connectionString: url, max: 1 }).connect();
  const ask = async (sql: string) => (await admin.queryRaw({ sql, args: [], argTypes: [] })).rows;
  const terminate = (which = "") => ask(`SELECT pg_terminate_backend(pid)::text ${OTHERS} ${which}`);
  const onTheWire =
    (name: string, fault: WireFault): Fault =>
    async () => {
      const statement = random.pick(COMMITS);
      const met = proxy.arm(statement, fault).then(() => `${statement === "COMMIT" ? "COMMIT" : "append"} ${name}`);
      return Promise.race([met, sleep(ARMED_MS).then(() => null)]);
    };
  return {
    seldom: {
      "done, answer lost": onTheWire("done, its answer lost", "done_answer_lost"),
      "done, answer lost again": onTheWire("done, its answer lost", "done_answer_lost"),
      "not done, answer lost": onTheWire("not done, its answer lost", "not_done_answer_lost"),
      slow: onTheWire("slow", "slow"),
      // The network has lost the connections. The database server finds out later, as its keepalive would.
      silent: async () => {
        proxy.silence();
        await sleep(random.between(1_000, 8_000));
        await terminate();
        return "connections silent";
      },
      "silent, second": async () => {
        proxy.silence();
        await terminate(LOCK_SESSION);
        return `connections silent, second server ${await keeper.replace()}`;
      },
      terminated: async () => {
        await terminate();
        return "all connections terminated";
      },
      "lock terminated, second": async () => {
        await terminate(LOCK_SESSION);
        return `lock session terminated, second server ${await keeper.replace()}`;
      },
      "events lost": async () => {
        const task_id = await loseEvents(admin);
        if (task_id === null) return null;
        cut.add(task_id);
        return "last events of a task lost";
      },
    },
    stop: () => admin.dispose(),
  };
}

type Admin = Awaited<ReturnType<PrismaPg["connect"]>>;

/** As after a fail-over to a replica that lagged. No message is among them, and no write comes between. */
async function loseEvents(admin: Admin): Promise<string | null> {
  const transaction = await admin.startTransaction();
  const execute = (text: string) => transaction.executeRaw({ sql: text, args: [], argTypes: [] });
  const sql = `
    WITH running AS (SELECT task_id FROM task WHERE status = 'running' ORDER BY random() LIMIT 1),
      tail AS (SELECT j.* FROM journal_event j JOIN running r ON j.thread_id = r.task_id ORDER BY j.seq DESC LIMIT 2)
    DELETE FROM journal_event WHERE cursor IN (SELECT cursor FROM tail)
      AND NOT EXISTS (SELECT 1 FROM tail WHERE message OR seq <= 2) RETURNING thread_id`;
  try {
    await execute("LOCK TABLE journal_event IN ACCESS EXCLUSIVE MODE");
    const { rows } = await transaction.queryRaw({ sql, args: [], argTypes: [] });
    await execute("COMMIT");
    return rows[0]?.[0] == null ? null : String(rows[0][0]);
  } catch (error) {
    await execute("ROLLBACK");
    throw error;
  } finally {
    // Ends nothing by itself: it gives the connection back.
    await transaction.commit();
  }
}
