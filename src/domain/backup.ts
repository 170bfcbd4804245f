// Describes what a backup says of itself: which orch has written it, what it holds, and by which hashes that is checked (D-369).
import { z } from "zod";
import { sha256 } from "./json.ts";
import { canonicalJson } from "./json-values.ts";

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

// Computes the root of a Merkle tree over texts: one hash that changes with any of them. Leaves and inner nodes are hashed
// with different beginnings, so that no inner node passes for a leaf; an odd one at the end of a level goes up as it is
// (RFC 6962).

const leafHash = (text: string): string => sha256(`leaf ${text}`);

const nodeHash = (left: string, right: string): string => sha256(`node ${left} ${right}`);

/** One step on the way from a leaf to the root: the hash beside it, and on which side that is. */
type MerkleStep = { readonly side: "left" | "right"; readonly hash: string };

/** Of no leaf at all it is the hash of nothing. */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves.map(leafHash);
  while (level.length > 1) level = above(level);
  return level[0] ?? sha256("");
}

/** The way from the leaf at this position to the root. */
export function merklePath(leaves: readonly string[], position: number): MerkleStep[] {
  const path: MerkleStep[] = [];
  let level = leaves.map(leafHash);
  for (let at = position; level.length > 1; at = Math.floor(at / 2)) {
    const beside = level[at % 2 === 0 ? at + 1 : at - 1];
    if (beside !== undefined) path.push({ side: at % 2 === 0 ? "right" : "left", hash: beside });
    level = above(level);
  }
  return path;
}

export const rootFrom = (leaf: string, path: readonly MerkleStep[]): string =>
  path.reduce(
    (hash, step) => (step.side === "left" ? nodeHash(step.hash, hash) : nodeHash(hash, step.hash)),
    leafHash(leaf),
  );

function above(level: readonly string[]): string[] {
  const next: string[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left = "", right] = [level[at], level[at + 1]];
    next.push(right === undefined ? left : nodeHash(left, right));
  }
  return next;
}
