// Defines a task as it is stored and listed, and where its journal is once that has moved to the archive (D-373).
import { z } from "zod";
import { BackendName, Labels, TaskContract } from "./contract.ts";
import { Outcome, TASK_STATUSES, type TaskStatus } from "./outcome.ts";
import { Verification } from "./verification.ts";

/** What a paused task waits for. `interrupt_id` names the one question that an answer may resume. */
export const Waiting = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("teaching"), interrupt_id: z.string() }),
  z.strictObject({ kind: z.literal("approval"), interrupt_id: z.string(), approval_id: z.string() }),
  z.strictObject({
    kind: z.literal("resolution"),
    interrupt_id: z.string(),
    index: z.int().min(0),
    attempt: z.int().min(1),
  }),
  z.strictObject({ kind: z.literal("parked"), interrupt_id: z.string() }),
]);
export type Waiting = z.infer<typeof Waiting>;

/**
 * Which tasks are listed: `verified` by the external verification on record, `since` those accepted at a time in UTC or later, `q` those
 * with the text in their id, intent or target, in letters of any case where they are of ASCII; `waits_for` those that are paused for it.
 */
export type TaskFilter = {
  readonly status?: TaskStatus | undefined;
  readonly verified?: "none" | "true" | "false" | undefined;
  readonly waits_for?: Waiting["kind"] | undefined;
} & { readonly [K in "intent" | "target_signature" | "sop_id" | "since" | "q"]?: string | undefined };

const StateOfTask = z.strictObject({
  contract: TaskContract,
  contract_digest: z.string(),
  intent: z.string(),
  target_signature: z.string(),
  delegation_mode: z.string(),
  status: z.enum(TASK_STATUSES),
  outcome: Outcome.nullable(),
  waiting: Waiting.nullable(),
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  backend: BackendName,
  owner: z.string().nullable(),
  lease_expires_at: z.iso.datetime().nullable(),
  verification: Verification.nullable(),
  /** Sorted, as resolved when it was accepted; null where it runs anywhere. */
  runs_on: Labels.nullable(),
  /** The level that its journal needs of a server; null where every version that shares a database can read it. */
  needs_level: z.int().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});
export type TaskMoves = Partial<z.infer<typeof StateOfTask>>;

export const Task = z.strictObject({ task_id: z.string(), ...StateOfTask.shape });
export type Task = z.infer<typeof Task>;

/** A task by the columns that can be read where the rest of the row is damaged. */
export type TaskColumns = Pick<
  Task,
  | "task_id"
  | "intent"
  | "target_signature"
  | "status"
  | "backend"
  | "owner"
  | "lease_expires_at"
  | "runs_on"
  | "needs_level"
  | "created_at"
>;

// A task whose journal is in a file (D-373): where it is there, and to which entry. Its row and its approvals stay in the database.

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
