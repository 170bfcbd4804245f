// Anchors: once a day the last hashes of all journals that have grown become one root (D-372). A root that left this machine proves later
// that a journal was there that day, also against who can write to the database.
import { z } from "zod";
import { leavesOf, merklePath, merkleRoot, rootFrom, type ThreadEnd } from "./backup.ts";
import { canonicalJson } from "./json-values.ts";

// The roots of days as they were noted outside of this machine, and what a bundle proves by them. A restore is noted beside them, because a
// journal that was written after it is not the one that was there before (D-384).

export const Restore = z.strictObject({
  restored_at: z.iso.datetime(),
  taken_at: z.iso.datetime().describe("when the backup was made"),
});
export type Restore = z.infer<typeof Restore>;

type DayRoot = { readonly day: string; readonly root: string };

export type NotedRoots = {
  /** By day, each with how many restores were noted before it. */
  readonly roots: ReadonlyMap<string, { readonly root: string; readonly restores_before: number }>;
  readonly restores: readonly Restore[];
};

const ROOT_LINE = /^(\d{4}-\d{2}-\d{2})\s+([0-9a-f]{64})$/;
/** A comment for every version that does not know it. */
const RESTORE_LINE = /^# restored (\S+) from a backup of (\S+)$/;

/** From lines of a day and a root. Null where a line is neither that nor a comment, and where a day has two roots. */
export function rootsIn(text: string): NotedRoots | null {
  const roots = new Map<string, { root: string; restores_before: number }>();
  const restores: Restore[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const restore = restoreIn(line);
    if (restore !== null) restores.push(restore);
    if (line === "" || line.startsWith("#")) continue;
    const [, day, root] = ROOT_LINE.exec(line) ?? [];
    if (day === undefined || root === undefined || (roots.get(day)?.root ?? root) !== root) return null;
    if (!roots.has(day)) roots.set(day, { root, restores_before: restores.length });
  }
  return { roots, restores };
}

function restoreIn(line: string): Restore | null {
  const [, restored_at, taken_at] = RESTORE_LINE.exec(line) ?? [];
  return Restore.safeParse({ restored_at, taken_at }).data ?? null;
}

/** The lines of a file of roots, in the order in which they became true: the root of a day at its end. */
export const rootLines = (anchors: readonly DayRoot[], restores: readonly Restore[]): string[] =>
  [
    ...anchors.map(({ day, root }) => ({ at: `${day}T24`, line: `${day} ${root}` })),
    ...restores.map(({ restored_at, taken_at }) => ({
      at: restored_at,
      line: `# restored ${restored_at} from a backup of ${taken_at}`,
    })),
  ]
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ line }) => line);

/** What of a bundle is compared: its anchors, and the restores of its database, as it says itself. */
type Compared = { readonly anchors: readonly EvidenceAnchor[]; readonly restores: readonly Restore[] };

/** A restore that one of both has seen. What the roots do not note only the bundle says, and it may be invented. */
export type RestoreBetween = Restore & { readonly noted: boolean; readonly bundle_is: "before" | "after" };

type AnchorProof =
  /** Everything up to the entry was there at the end of that day. */
  | { readonly proved: EvidenceAnchor }
  /** `between`: why an honest bundle may have another root. It proves nothing. */
  | { readonly fault: string; readonly between: RestoreBetween | null };

/** By the root that was noted outside and is over the most entries: nothing of the bundle is believed but what leads to it. */
export function provedBy(noted: NotedRoots, { anchors, restores }: Compared): AnchorProof {
  const { roots } = noted;
  const between = (day: string) => restoreBetween(noted, { day, restores });
  const known = anchors.filter(({ day }) => roots.has(day));
  const wrong = known.find(({ day, root }) => roots.get(day)?.root !== root);
  if (wrong !== undefined)
    return { fault: `the root of ${wrong.day} is not the one that was noted`, between: between(wrong.day) };
  const latest = known.reduce<EvidenceAnchor | null>(
    (one, other) => (one !== null && one.seq >= other.seq ? one : other),
    null,
  );
  if (latest !== null) return { proved: latest };
  const days = anchors.map(({ day }) => day).sort();
  const newest = days.at(-1);
  if (newest === undefined) return { fault: NO_ANCHOR, between: null };
  return { fault: `no root is noted for ${days.join(", ")}`, between: between(newest) };
}

const NO_ANCHOR =
  "the bundle has no anchor: no day has ended since the journal began, or since its database was restored";

/**
 * The first restore that only one side has seen, of a backup that was made by that day: up to the backup the journals of both are the
 * same, so it explains no difference from before. `restores` are those of who has another root for the day than the noted one.
 */
export function restoreBetween(
  { roots, restores: all }: NotedRoots,
  { day, restores }: { readonly day: string; readonly restores: readonly Restore[] },
): RestoreBetween | null {
  const before = all.slice(0, roots.get(day)?.restores_before);
  const [of_root, of_bundle, noted] = [timesOf(before), timesOf(restores), timesOf(all)];
  const one_sided = [
    ...before.filter((one) => !of_bundle.has(one.restored_at)).map((one) => ({ ...one, bundle_is: "before" as const })),
    ...restores.filter((one) => !of_root.has(one.restored_at)).map((one) => ({ ...one, bundle_is: "after" as const })),
  ];
  const found = one_sided.find(({ taken_at }) => taken_at.slice(0, 10) <= day);
  return found === undefined ? null : { ...found, noted: noted.has(found.restored_at) };
}

const timesOf = (restores: readonly Restore[]): ReadonlySet<string> =>
  new Set(restores.map(({ restored_at }) => restored_at));

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

/** Keeps the leaves of the tree whose root is the anchor of the day. */
export type AnchorChange = {
  readonly on: "anchor_leaves";
  readonly day: string;
  readonly leaves: readonly ThreadEnd[];
};
