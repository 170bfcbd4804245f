// The hash chain of an evidence bundle, computed anew: SHA-256 over the canonical JSON (RFC 8785, by a library of others) of an
// entry without its hash. The first entry names 64 zeros as the hash before it.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Entry } from "./history.ts";

const BEFORE_THE_FIRST = "0".repeat(64);

export function hashOf({ thread_id, seq, kind, body, at, prev_hash }: Omit<Entry, "hash">): string {
  const text = canonicalize({ thread_id, seq, kind, body, at, prev_hash }) ?? "";
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** What is wrong with the first entry that does not follow from the one before; null for a whole chain. */
export function breakOf(thread_id: string, journal: readonly Entry[]): string | null {
  let before = BEFORE_THE_FIRST;
  for (const [place, entry] of journal.entries()) {
    if (entry.thread_id !== thread_id) return `entry ${entry.seq} is of the thread ${entry.thread_id}`;
    if (entry.seq !== place + 1) return `entry ${entry.seq} is in place ${place + 1}`;
    if (entry.prev_hash !== before) return `entry ${entry.seq} does not name the hash of the one before`;
    if (entry.hash !== hashOf(entry)) return `entry ${entry.seq} does not have its hash`;
    before = entry.hash;
  }
  return journal.length === 0 ? "it is empty" : null;
}
