// A database as the version before the last migrations has left it.
import { DatabaseSync } from "node:sqlite";

/** Undoes the migration that brought levels, and every later one. */
export const UNDO = `
  ALTER TABLE task DROP COLUMN needs_level;
  ALTER TABLE checkpoint DROP COLUMN written_by;
  DROP TABLE compatibility;
  DROP TABLE anchor_leaf;
  DROP TABLE archived;
  DROP INDEX task_ended_at_idx;
  ALTER TABLE server DROP COLUMN output_secret;
  ALTER TABLE server DROP COLUMN skew_ms;
  ALTER TABLE server DROP COLUMN windows_digest;
  DELETE FROM _prisma_migrations WHERE migration_name >= '20261127020000';
`;

export function makeOlder(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(UNDO);
  database.close();
}
