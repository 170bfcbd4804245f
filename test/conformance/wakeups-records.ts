// What the tests of wakeups share: what arrived, and what was logged.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { timer } from "../../src/process/system.ts";
import { createWakeups } from "../../src/wakeups/create-wakeups.ts";
import type { Wakeups } from "../../src/wakeups/port.ts";
import type { Postgres } from "../support/postgres.ts";

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

/** Works on wakeups, and collects the ids. */
export function collecting(wakeups: Wakeups, arrived: string[] = []) {
  const work = wakeups.work(async (id) => {
    arrived.push(id);
    return "done";
  });
  return { arrived, ...work };
}

export const arrives = (arrived: readonly string[], id: string, timeout = 15_000): Promise<void> =>
  expect.poll(() => arrived, { timeout, interval: 5 }).toContain(id);

/** That nothing arrives can only be waited for. */
export async function expectNot(arrived: readonly string[], id: string, ms = 300): Promise<void> {
  await sleep(ms);
  expect(arrived).not.toContain(id);
}

/** Servers on a PostgreSQL database, to be stopped after each test. */
function wakeupServers(database_url: () => string) {
  const opened: Wakeups[] = [];
  const open = (labels: readonly string[] = [], log = aLog().log, url = database_url()): Wakeups => {
    const wakeups = createWakeups({ database_url: url }, { provider: "postgresql" }, { labels, timer, log });
    opened.push(wakeups);
    return wakeups;
  };
  const started = async (labels?: readonly string[], log?: ReturnType<typeof aLog>["log"]) => {
    const wakeups = open(labels, log);
    const collected = collecting(wakeups);
    await wakeups.start();
    return { wakeups, ...collected };
  };
  return { open, started, stop: () => Promise.all(opened.splice(0).map((wakeups) => wakeups.stop())) };
}

/** Servers on a database of their own in `server`, for the tests of one `describe`. */
export function wakeupScene(server: Postgres | null) {
  let url = "";
  const servers = wakeupServers(() => url);
  beforeAll(async () => {
    url = (await server?.createDatabase()) ?? "";
  });
  afterEach(servers.stop);
  afterAll(() => server?.stop());
  return {
    ...servers,
    url: () => url,
  };
}

export async function sent(wakeups: Wakeups): Promise<string> {
  const id = anId();
  await wakeups.send(id);
  return id;
}

export async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
