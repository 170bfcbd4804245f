// A task whose journal is in a file (D-373): where it is there, and to which entry. Its row and its approvals stay in the database.
import { z } from "zod";

export const ArchivedTask = z.strictObject({
  task_id: z.string(),
  last_seq: z.int().min(1),
  last_hash: z.string(),
  file: z.string(),
  file_offset: z.int().min(0),
  file_bytes: z.int().min(1),
  bundle_digest: z.string(),
  archived_at: z.iso.datetime(),
});
export type ArchivedTask = z.infer<typeof ArchivedTask>;

/** A task that may be archived by its row. */
export type Archivable = { readonly task_id: string; readonly ended_at: string };

export type ArchiveFile = { readonly file: string; readonly file_end: number };

type Page = { readonly limit: number; readonly after: Archivable | null };

export interface KeptArchive {
  /**
   * Ended before that time, counted and not archived, those that ended first. Not: DONE that ended after `unverified_since` without a check from
   * outside, what waits for its verification, what was refuted, and the first and the last task that have proved a version in use.
   */
  listArchivable(
    query: Page & { readonly ended_before: string; readonly unverified_since: string },
  ): Promise<Archivable[]>;
  /** The end of what is on record of a file of the archive; 0 for one that is not known. */
  archivedEnd(file: string): Promise<number>;
  /** Every file on record, and where it ends. */
  listArchiveFiles(): Promise<ArchiveFile[]>;
  findArchived(task_id: string): Promise<ArchivedTask | null>;
}
