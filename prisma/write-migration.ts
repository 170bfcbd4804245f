// Writes the next migration of both databases: `DATABASE_URL=postgresql://... node prisma/write-migration.ts <name> [<old
// schema>]`. The PostgreSQL server only reports its version. Read the result and complete it by hand; for the first
// migration, this file adds what Prisma cannot express (the partial index below).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { withSchemaEngine } from "../src/store/migrate.ts";
import type { Provider } from "../src/store/sql.ts";
import { PROVIDERS, providerSchema } from "./provider-schema.ts";

const ONE_ACTIVE_SOP = `
-- At most one active SOP per key. Prisma cannot express a partial index.
CREATE UNIQUE INDEX sop_one_active ON sop (intent, target_signature) WHERE status = 'active';
`;

const [name, before] = process.argv.slice(2);
const { DATABASE_URL } = process.env;
if (name === undefined || DATABASE_URL === undefined) throw new Error("usage: see the head of this file");

const datamodel = (content: string): DiffTarget => ({
  tag: "schemaDatamodel",
  files: [{ path: "schema.prisma", content }],
});

const factories = {
  sqlite: new PrismaBetterSqlite3({ url: ":memory:" }),
  postgresql: new PrismaPg({ connectionString: DATABASE_URL }),
};

async function difference(provider: Provider): Promise<string> {
  const content = providerSchema(provider);
  const from: DiffTarget =
    before === undefined ? { tag: "empty" } : datamodel(providerSchema(provider, readFileSync(before, "utf8")));
  const filters = { externalTables: [], externalEnums: [] };
  const { stdout } = await withSchemaEngine(
    factories[provider],
    (engine) => engine.diff({ from, to: datamodel(content), script: true, exitCode: null, filters }),
    { path: "schema.prisma", content },
  );
  return (stdout ?? "") + (before === undefined ? ONE_ACTIVE_SOP : "");
}

const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
for (const provider of PROVIDERS) {
  const folder = join(import.meta.dirname, "migrations", provider);
  mkdirSync(join(folder, `${stamp}_${name}`), { recursive: true });
  writeFileSync(join(folder, `${stamp}_${name}`, "migration.sql"), await difference(provider));
  writeFileSync(
    join(folder, "migration_lock.toml"),
    `# Prisma reads from this which database these migrations are for.\nprovider = "${provider}"\n`,
  );
}
