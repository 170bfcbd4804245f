// Describes what a backup says of itself: which orch has written it, what it holds, and by which hashes that is checked (D-369).
import { z } from "zod";
import { canonicalJson } from "./json-values.ts";
import { merkleRoot } from "./merkle-root.ts";

export type ThreadEnd = { readonly thread_id: string; readonly seq: number; readonly hash: string };

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** One hash over the last hash of every journal: where one of them differs, so does the root. */
const JournalHead = z.strictObject({ threads: z.int().min(0), root: Hash });
export type JournalHead = z.infer<typeof JournalHead>;

/** In the order of the names, as both databases and every locale give it. */
export const leavesOf = (ends: readonly ThreadEnd[]): string[] =>
  [...ends]
    .sort((one, other) => (one.thread_id < other.thread_id ? -1 : 1))
    .map(({ thread_id, seq, hash }) => canonicalJson({ thread_id, seq, hash }));

export const headOf = (ends: readonly ThreadEnd[]): JournalHead => ({
  threads: ends.length,
  root: merkleRoot(leavesOf(ends)),
});

const PART_NAMES = ["database", "token"] as const;
export type PartName = (typeof PART_NAMES)[number];

const Count = z.int().min(0);

const PackedBytes = z.strictObject({
  bytes: Count.describe("in the file"),
  sha256: Hash.describe("of these bytes"),
});
export type PackedBytes = z.infer<typeof PackedBytes>;

export const BackupPart = z.strictObject({ name: z.enum(PART_NAMES), ...PackedBytes.shape });
export type BackupPart = z.infer<typeof BackupPart>;

export const BackupManifest = z.strictObject({
  orch_backup: z.int().min(1).describe("the version of the format"),
  orch: z.string().describe("the version of orch that has written it"),
  database: z.enum(["sqlite", "postgresql"]),
  database_version: z.string(),
  taken_at: z.iso.datetime(),
  journal_level: z.int().describe("the level that its journals need"),
  tasks: Count,
  cursor: Count.describe("of the last event"),
  head: JournalHead,
  broken: z
    .array(z.string())
    .default([])
    .describe("journals that were not whole in the database either, the first ten; one before a migration names none"),
  parts: z.array(BackupPart).min(1),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export type DatabaseCopy = {
  readonly database: "sqlite" | "postgresql";
  readonly database_version: string;
  readonly journal_level: number;
  readonly tasks: number;
  readonly cursor: number;
  readonly head: JournalHead;
  readonly broken: string[];
};

/** The database of a backup, which does not say how it is packed. */
export type Backed = DatabaseCopy & { readonly taken_at: string };

export const BACKUP_FORMAT = 1;

/** The duty whose cursor is the time of the last backup, in seconds; 0 where none is known. */
export const BACKUP_DUTY = "backup";

export const backupTimeOf = (cursor: number): string | null =>
  cursor === 0 ? null : new Date(cursor * 1_000).toISOString();
