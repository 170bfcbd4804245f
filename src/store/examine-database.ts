// Examines a database without using it, for `orch doctor`.
import { access, constants, realpath } from "node:fs/promises";
import { OrchError } from "../domain/errors.ts";
import { isPostgresql, sqlitePath } from "./database-target.ts";
import { reasonOf } from "./fault.ts";
import { type MigrationState, migrationNames, OWN_RELEASE, planMigration } from "./migration-plan.ts";
import { hasLog, sizeOf, stateOfFile, stateOfServer, stillRestoring } from "./read-migrations.ts";
import type { Provider } from "./sql.ts";
import { holderOfFile } from "./sqlite-lock.ts";

/**
 * `holder` is the orch server that uses the database. `pending` counts the migrations that the next start applies, null when
 * unknown; `refusal` is what the next start is refused with.
 */
export type DatabaseExamination =
  | { readonly is: "missing"; readonly path: string }
  | { readonly is: "unusable"; readonly reason: string }
  | {
      readonly is: "there";
      readonly name: string;
      readonly holder: string | null;
      readonly pending: number | null;
      readonly refusal: Pick<OrchError, "message" | "fix"> | null;
    };

const UNSEEN = { pending: null, refusal: null };

export async function examineDatabase(url: string): Promise<DatabaseExamination> {
  try {
    return await (isPostgresql(url) ? examineServer(url) : examineFile(sqlitePath(url)));
  } catch (error) {
    return { is: "unusable", reason: reasonOf(error) };
  }
}

async function examineFile(given: string): Promise<DatabaseExamination> {
  const path = await realpath(given).catch(() => given);
  if ((await sizeOf(path)) === null) return { is: "missing", path };
  await access(path, constants.R_OK | constants.W_OK);
  const there = { is: "there", name: `SQLite, ${path}` } as const;
  const holder = await holderOfFile(path);
  // Reading what a server has left in its log would repair the file.
  if (holder !== null || (await hasLog(path))) return { ...there, holder, ...UNSEEN };
  return { ...there, holder, ...(await judged("sqlite", await stateOfFile(path))) };
}

async function examineServer(url: string): Promise<DatabaseExamination> {
  const { version, holder, state, is_restoring } = await stateOfServer(url);
  const found = is_restoring ? { pending: null, refusal: stillRestoring() } : await judged("postgresql", state);
  return { is: "there", name: `PostgreSQL ${version}`, holder, ...found };
}

async function judged(provider: Provider, state: MigrationState) {
  try {
    const { pending } = planMigration(state, await migrationNames(provider), OWN_RELEASE);
    return { pending: pending.length, refusal: null };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { pending: null, refusal: error };
  }
}
