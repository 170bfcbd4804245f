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

/** Roots by their day, from lines of a day and a root. Null where a line is neither that nor a comment, and where a day has two roots. */
export function rootsIn(text: string): ReadonlyMap<string, string> | null {
  const roots = new Map<string, string>();
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, day, root] = /^(\d{4}-\d{2}-\d{2})\s+([0-9a-f]{64})$/.exec(line) ?? [];
    if (day === undefined || root === undefined || (roots.get(day) ?? root) !== root) return null;
    roots.set(day, root);
  }
  return roots;
}

type AnchorProof =
  /** Everything up to the entry was there at the end of that day. */
  { readonly proved: EvidenceAnchor } | { readonly fault: string };

/** By the root that was noted outside and is over the most entries: nothing of the bundle is believed but what leads to it. */
export function provedBy(roots: ReadonlyMap<string, string>, anchors: readonly EvidenceAnchor[]): AnchorProof {
  const known = anchors.filter(({ day }) => roots.has(day));
  const wrong = known.find(({ day, root }) => roots.get(day) !== root);
  if (wrong !== undefined) return { fault: `the root of ${wrong.day} is not the one that was noted` };
  const latest = known.reduce<EvidenceAnchor | null>(
    (one, other) => (one !== null && one.seq >= other.seq ? one : other),
    null,
  );
  if (latest !== null) return { proved: latest };
  if (anchors.length === 0) return { fault: "the bundle has no anchor: it is from before the end of its first day" };
  return { fault: `no root is noted for ${anchors.map(({ day }) => day).join(", ")}` };
}

/** The day that has ended last in UTC, and when it ended; `after_ms` later nothing of it is still being written. */
export function dayToAnchor(now: Date, after_ms: number): { readonly day: string; readonly before: string } {
  const before = `${new Date(now.getTime() - after_ms).toISOString().slice(0, 10)}T00:00:00.000Z`;
  return { day: new Date(Date.parse(before) - 1).toISOString().slice(0, 10), before };
}
