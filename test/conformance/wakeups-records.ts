// What the tests of wakeups share: what arrived, what was logged, and a transaction of the store that a wakeup is written in.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { OpenTransaction } from "../../src/domain/wakeup.ts";
import type { Wakeups } from "../../src/ports.ts";
import type { Database } from "../../src/store/database.ts";

let made = 0;
/** As ids are: of any characters. */
export const anId = (): string => `deploy web:${++made} ü'"\\`;

/** Logs to `lines`. */
export function aLog() {
  const lines: string[] = [];
  const at = (level: string) => (details: object, message: string) => {
    lines.push(`${level} ${message} ${Object.values(details).map(String).join(" ")}`);
  };
  const log = { debug: () => undefined, info: at("info"), warn: at("warn"), error: at("error") };
  return { lines, log };
}

/** Works on `take_up`, and collects the ids. */
export function collecting(wakeups: Wakeups, arrived: string[] = []) {
  const work = wakeups.work("take_up", async (id) => {
    arrived.push(id);
    return "done";
  });
  return { arrived, ...work };
}

export const arrives = (arrived: readonly string[], id: string, timeout = 5_000): Promise<void> =>
  expect.poll(() => arrived, { timeout, interval: 5 }).toContain(id);

/** That nothing arrives can only be waited for. */
export async function expectNot(arrived: readonly string[], id: string, ms = 700): Promise<void> {
  await sleep(ms);
  expect(arrived).not.toContain(id);
}

export function transactionOf(database: Database, work: (within: OpenTransaction) => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  const done = database.connection.transaction((sql) => work({ ...sql, committed: promise }));
  done.then(resolve, reject);
  return done;
}
