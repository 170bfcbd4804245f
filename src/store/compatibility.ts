// Whether this version may use a database that a newer one has migrated (D-329): that one says down to which level.
import { JOURNAL_LEVEL } from "../domain/journal-level.ts";

/** One row; there is none in a database from before it. */
export const COMPATIBILITY = "SELECT min_level, min_version FROM compatibility WHERE id = 'orch'";

export type Compatibility = { readonly min_level: number; readonly min_version: string };

export const mayUse = (found: Compatibility | null): boolean => found !== null && found.min_level <= JOURNAL_LEVEL;

/** What the database wants and what this version has. */
export const wantedBy = (found: Compatibility | null): string =>
  found === null
    ? `it does not say down to which version it may be used`
    : `it needs level ${found.min_level}, which orch has from version ${found.min_version} on, and this one has level ${JOURNAL_LEVEL}`;
