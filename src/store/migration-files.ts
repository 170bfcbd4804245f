// The migrations of this version, in prisma/migrations.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import type { Provider } from "./sql.ts";

const FOLDER = join(import.meta.dirname, "../../prisma/migrations");
const LOCKFILE = "migration_lock.toml";
const SCRIPT = "migration.sql";

/** Oldest first. */
export async function migrationNames(provider: Provider): Promise<string[]> {
  const entries = await readdir(join(FOLDER, provider), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export const migrationSql = (provider: Provider, name: string): Promise<string> =>
  readFile(join(FOLDER, provider, name, SCRIPT), "utf8");

/** As the schema engine takes them. */
export async function migrationList(provider: Provider, names: readonly string[]): Promise<MigrationList> {
  const migrationDirectories = names.map(async (name) => ({
    path: name,
    migrationFile: { path: SCRIPT, content: { tag: "ok" as const, value: await migrationSql(provider, name) } },
  }));
  return {
    baseDir: join(FOLDER, provider),
    lockfile: { path: LOCKFILE, content: await readFile(join(FOLDER, provider, LOCKFILE), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}
