// SQLite answers in this process, so the answers are lost between the store and its connection.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import type { Database } from "../../src/store/database.ts";
import type { Prisma } from "../../src/store/generated/sqlite/client.ts";
import { createStore } from "../../src/store/store.ts";
import { sqliteDatabases } from "../support/database.ts";
import type { Fault } from "../support/postgresql-proxy.ts";
import { type FaultyStore, storeFaultsSuite } from "./store-faults-suite.ts";

const databases = sqliteDatabases();
afterAll(() => databases.stop());

storeFaultsSuite(async () => {
  const { database, arm } = losing(await databases.create());
  return { store: createStore({ database, clock: () => new Date() }), arm };
});

/** The database, and a function that has its next transaction or statement meet a fault. */
function losing(database: Database): { database: Database; arm: FaultyStore["arm"] } {
  let armed: { readonly fault: Fault; readonly met: () => void } | null = null;
  const meet = async <T>(work: () => PromiseLike<T>): Promise<T> => {
    if (armed === null) return work();
    const { fault, met } = armed;
    armed = null;
    met();
    if (fault === "not_done_answer_lost") throw new Error("Connection terminated unexpectedly");
    if (fault === "slow") await sleep(50);
    const done = await work();
    if (fault === "done_answer_lost") throw new Error("Connection terminated unexpectedly");
    return done;
  };
  const { client, transaction } = database;
  const send = (statement: Prisma.Sql) => meet(() => client.$executeRaw(statement));
  return {
    database: {
      ...database,
      client: Object.create(client, { $executeRaw: { value: send } }),
      transaction: (work) => meet(() => transaction(work)),
    },
    arm: (fault: Fault) =>
      new Promise<void>((met) => {
        armed = { fault, met };
      }),
  };
}
