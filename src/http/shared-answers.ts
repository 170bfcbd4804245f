// One answer for many pages: after an event all of them read the same at once, and each reading costs the server as much as the first
// (D-361). Only pages get it, which read again when something changes.

type Shared = { readonly version: number; readonly until: number; readonly text: Promise<string> };

export type SharedAnswers = (key: string, read: () => Promise<string>) => Promise<string>;

/** What is in an answer by the clock, such as the age of a lease, may be as old as this. */
const LONGEST_MS = 100;

/** `version` is another number after each change: an answer from before it is not given any more. */
export function createSharedAnswers(version: () => number, now = () => performance.now()): SharedAnswers {
  const known = new Map<string, Shared>();
  const isFresh = ({ version: of, until }: Shared): boolean => of === version() && now() < until;
  return (key, read) => {
    const before = known.get(key);
    if (before !== undefined && isFresh(before)) return before.text;
    for (const [old, shared] of known) if (!isFresh(shared)) known.delete(old);
    const text = read();
    known.set(key, { version: version(), until: now() + LONGEST_MS, text });
    return text;
  };
}
