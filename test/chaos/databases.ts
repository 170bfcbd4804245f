// Runs on one database after the other. A run that found something leaves its directory, with the data and the server's log.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgres } from "../support/postgres.ts";
import { postgresqlProxy } from "../support/postgresql-proxy.ts";
import { type DatabaseUnderTest, type Result, run } from "./run.ts";

type Wanted = { readonly seconds: number; readonly seed: number };

/** Null where PostgreSQL is not installed. */
export function runOn(name: DatabaseUnderTest["name"], wanted: Wanted): Promise<Result | null> {
  return name === "sqlite" ? inDirectory({ name }, wanted) : onPostgresql(wanted);
}

async function onPostgresql(wanted: Wanted): Promise<Result | null> {
  const server = postgres();
  if (server === null) return null;
  const url = await server.createDatabase();
  const proxy = await postgresqlProxy(url);
  try {
    return await inDirectory({ name: "postgresql", url, proxy }, wanted);
  } finally {
    await proxy.stop();
    await server.stop();
  }
}

async function inDirectory(database: DatabaseUnderTest, wanted: Wanted): Promise<Result> {
  const data_dir = await mkdtemp(join(tmpdir(), `orch-chaos-${database.name}-`));
  const result = await run({ database, data_dir, ...wanted });
  if (result.findings.length === 0) await rm(data_dir, { recursive: true, force: true, maxRetries: 10 });
  else process.stdout.write(`${database.name}: the data and server.log are left in ${data_dir}\n`);
  return result;
}
