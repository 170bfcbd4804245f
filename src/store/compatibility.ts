// What a database says of the versions that may use it: down to which level (D-329), and which release was the last to have it (D-380).
import { z } from "zod";
import metadata from "../../package.json" with { type: "json" };
import { JOURNAL_LEVEL } from "../domain/journal-level.ts";
import { RELEASE_LINES, type Release } from "../domain/release.ts";

/** One row; there is none in a database from before it, and no `last_release` until that was migrated. */
export const COMPATIBILITY = "SELECT * FROM compatibility WHERE id = 'orch'";

export const RECORD_RELEASE = "UPDATE compatibility SET last_release = ? WHERE id = 'orch'";

export const Compatibility = z.object({
  min_level: z.coerce.number().int(),
  min_version: z.string(),
  last_release: z
    .string()
    .nullish()
    .transform((found) => found ?? null),
});
export type Compatibility = z.infer<typeof Compatibility>;

export const OWN_RELEASE: Release = { version: metadata.version, lines: RELEASE_LINES };

export const mayUse = (found: Compatibility | null): boolean => found !== null && found.min_level <= JOURNAL_LEVEL;

/** What the database wants and what this version has. */
export const wantedBy = (found: Compatibility | null): string =>
  found === null
    ? `it does not say down to which version it may be used`
    : `it needs level ${found.min_level}, which orch has from version ${found.min_version} on, and this one has level ${JOURNAL_LEVEL}`;
