// What a start does to the schema of a database, from what was done to it. A start and `orch migrate --dry-run` ask here, so that one shows
// what the other does.
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { type Release, skippedLine } from "../domain/release.ts";
import { COMPATIBILITY, Compatibility, mayUse, wantedBy } from "./compatibility.ts";
import { kindOf } from "./fault.ts";
import { MIGRATION_HISTORY } from "./sql.ts";

type Migration = { readonly name: string; readonly state: string };

/** Empty for a new database. */
export type MigrationState = {
  readonly history: readonly Migration[];
  readonly compatibility: Compatibility | null;
};

export type MigrationPlan = {
  /** To be run, oldest first. */
  readonly pending: readonly string[];
  /** Have left nothing, and are run again. */
  readonly failed: readonly string[];
  /** Null for a new database. */
  readonly last: string | null;
};

/** Resolves with no rows where there is no such table. */
type Ask = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const History = z.array(z.object({ migration_name: z.string(), state: z.string() }));

export async function migrationState(ask: Ask): Promise<MigrationState> {
  const history = History.parse(await ask(MIGRATION_HISTORY));
  const [row] = await ask(COMPATIBILITY);
  return {
    history: history.map(({ migration_name, state }) => ({ name: migration_name, state })),
    compatibility: row === undefined ? null : Compatibility.parse(row),
  };
}

export const askThrough =
  (adapter: SqlDriverAdapter): Ask =>
  async (sql) => {
    try {
      const { columnNames, rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
      return rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name, row[at]])));
    } catch (error) {
      if (kindOf(error) === "TableDoesNotExist") return [];
      throw error;
    }
  };

function pendingIn(history: readonly Migration[], names: readonly string[]): string[] {
  const isApplied = (known: string) => history.some(({ name, state }) => name === known && state === "applied");
  return names.filter((name) => !isApplied(name));
}

/** `names` are the migrations of this version. Throws what a start is refused with. */
export function planMigration(state: MigrationState, names: readonly string[], release: Release): MigrationPlan {
  const { history, compatibility } = state;
  const pending = pendingIn(history, names);
  const stranger = history.find(({ name }) => !names.includes(name));
  const isUsable = pending.length === 0 && mayUse(compatibility);
  if (stranger !== undefined && !isUsable) throw tooNew(stranger.name, compatibility);
  const last = history.findLast(({ name, state: is }) => is === "applied" && names.includes(name))?.name ?? null;
  if (last !== null) ensureNoneSkipped(compatibility?.last_release ?? null, release);
  const failed = history.flatMap(({ name, state: is }) => (is === "failed" ? [name] : []));
  return { pending, failed, last };
}

/** A newer version has migrated it. Its migrations add, so that this one may go on beside it, down to a level (D-329). */
function tooNew(stranger: string, found: Compatibility | null): OrchError {
  const message = `the database was migrated by a newer version of orch (${stranger}): ${wantedBy(found)}`;
  const fix = `run version ${found?.min_version ?? "that has migrated it"} or a later one`;
  return new OrchError("database_unusable", message, { fix });
}

function ensureNoneSkipped(found: string | null, release: Release): void {
  const line = skippedLine(found, release);
  if (line === null) return;
  const last = found === null ? "of an early 0.1 release" : `of release ${found}`;
  const message = `the database is ${last}, and ${release.version} cannot migrate it: ${line} comes between`;
  const fix = `install the last release of ${line}, start it once, or run its orch migrate, and then upgrade to ${release.version}`;
  throw new OrchError("release_skipped", message, { fix });
}
