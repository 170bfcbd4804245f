// Databases for tests: real files in a temporary folder, real databases of a real PostgreSQL server.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { type Postgres, postgres } from "./postgres.ts";

/** Makes fresh, empty databases of one kind. `stop` closes what is still open and removes everything. */
export type Databases = {
  readonly create: () => Promise<Database>;
  readonly stop: () => Promise<void>;
};

/** A new folder for files of a test; `remove` it at the end. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "orch-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every database is a copy of one that has been migrated. */
export function sqliteDatabases(): Databases {
  const folder = temporaryFolder();
  let made = 0;
  return tracked(
    async () => {
      const path = join(folder.path, `${++made}.db`);
      await writeMigrated(path);
      return `file:${path}`;
    },
    async () => folder.remove(),
  );
}

let template: Promise<Buffer> | undefined;

/** A new database file that holds what a server would have written before it does anything. */
export async function writeMigrated(path: string): Promise<void> {
  template ??= migratedFile();
  await writeFile(path, await template);
}

async function migratedFile(): Promise<Buffer> {
  const folder = temporaryFolder();
  const path = join(folder.path, "migrated.db");
  const database = await openDatabase({ url: `file:${path}` });
  await database.close();
  const bytes = readFileSync(path);
  folder.remove();
  return bytes;
}

/** As above. Null where PostgreSQL is not installed. */
export function postgresqlDatabases(): Databases | null {
  const server = postgres();
  if (server === null) return null;
  let template: Promise<string> | undefined;
  return tracked(async () => {
    template ??= migrated(server);
    return server.createDatabase(await template);
  }, server.stop);
}

async function migrated(server: Postgres): Promise<string> {
  const url = await server.createDatabase();
  const database = await openDatabase({ url });
  await database.close();
  return url;
}

function tracked(nextUrl: () => Promise<string>, remove: () => Promise<void>): Databases {
  const open = new Set<Database>();
  return {
    async create() {
      const database = await openDatabase({ url: await nextUrl(), exclusive: true });
      open.add(database);
      return {
        ...database,
        async close() {
          open.delete(database);
          await database.close();
        },
      };
    },
    async stop() {
      await Promise.all([...open].map((database) => database.close()));
      await remove();
    },
  };
}

export type Value = string | number | boolean | null | Uint8Array;

/** Changes rows past the store, as a damaged disk or another version would. `?` is a value. Resolves to how many rows it has changed. */
export const runSql = ({ client, provider }: Database, sql: string, ...values: readonly Value[]): Promise<number> =>
  client.$executeRawUnsafe(placed(provider, sql), ...values);

/** Reads rows past the store. */
export const sqlRows = <T = Record<string, unknown>>(
  { client, provider }: Database,
  sql: string,
  ...values: readonly Value[]
): Promise<T[]> => client.$queryRawUnsafe(placed(provider, sql), ...values);

export const placed = (provider: Database["provider"], sql: string): string => {
  let position = 0;
  return provider === "sqlite" ? sql : sql.replaceAll("?", () => `$${++position}`);
};
