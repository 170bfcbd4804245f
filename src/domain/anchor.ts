// Anchors: once a day the last hashes of all journals that have grown become one root (D-372). A root that left this machine proves later
// that a journal was there that day, also against who can write to the database.
import { z } from "zod";
import { leavesOf, type ThreadEnd } from "./backup.ts";
import { canonicalJson } from "./json-values.ts";
import { merklePath, merkleRoot, rootFrom } from "./merkle.ts";

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

export const EvidenceAnchor = z.strictObject({
  day: z.iso.date(),
  seq: z.int().min(1).describe("the last entry of the journal that day"),
  hash: Hash.describe("of that entry"),
  root: Hash.describe("of the day"),
  path: z
    .array(z.strictObject({ side: z.enum(["left", "right"]), hash: Hash }))
    .describe("the hashes beside the way from the entry to the root"),
});
export type EvidenceAnchor = z.infer<typeof EvidenceAnchor>;

/** An event as an anchor sees it. */
export type Growth = ThreadEnd & { readonly cursor: number; readonly at: string };

/** What a Store keeps for anchors. */
export interface KeptAnchors {
  /** Events of all threads after the cursor, in the order of cursors. */
  readGrowth(after: number, limit: number): Promise<Growth[]>;
  /** What the root of the day is over, in any order. */
  readLeaves(day: string): Promise<ThreadEnd[]>;
  /** The last days on which the thread was anchored, the newest first. */
  listAnchored(
    thread_id: string,
    limit: number,
  ): Promise<(Pick<ThreadEnd, "seq" | "hash"> & { readonly day: string })[]>;
}

export const rootOf = (ends: readonly ThreadEnd[]): string => merkleRoot(leavesOf(ends));

/** How the end of one journal leads to the root of its day. Null where it is not among the leaves. */
export function anchorOf(day: string, leaves: readonly string[], end: ThreadEnd): EvidenceAnchor | null {
  const position = leaves.indexOf(leafOf(end));
  if (position === -1) return null;
  return { day, seq: end.seq, hash: end.hash, root: merkleRoot(leaves), path: merklePath(leaves, position) };
}

const leafOf = ({ thread_id, seq, hash }: ThreadEnd): string => canonicalJson({ thread_id, seq, hash });

type Entry = { readonly thread_id: string; readonly seq: number; readonly hash: string };

/** What is wrong with the anchors of a journal by itself: each is over an entry of it and leads to its root. */
export const anchorFaults = (anchors: readonly EvidenceAnchor[], journal: readonly Entry[]): string[] =>
  anchors.flatMap(({ day, seq, hash, root, path }) => {
    const entry = journal[seq - 1];
    if (entry === undefined || entry.hash !== hash)
      return [`the anchor of ${day} is not over an entry of the journal.`];
    return rootFrom(leafOf(entry), path) === root ? [] : [`the anchor of ${day} does not lead to its root.`];
  });

/** The day that has ended last in UTC, and when it ended; `after_ms` later nothing of it is still being written. */
export function dayToAnchor(now: Date, after_ms: number): { readonly day: string; readonly before: string } {
  const before = `${new Date(now.getTime() - after_ms).toISOString().slice(0, 10)}T00:00:00.000Z`;
  return { day: new Date(Date.parse(before) - 1).toISOString().slice(0, 10), before };
}
