// Records that the database holds and orch cannot read. They are left out of lists and runs, and listed here, so that one
// damaged row costs one record.
import { z } from "zod";

export const Quarantined = z.strictObject({
  record: z.enum(["task", "sop", "approval", "event"]),
  id: z.string(),
  fault: z.string().describe("what cannot be read"),
});
export type Quarantined = z.infer<typeof Quarantined>;

export type Quarantine = {
  /** The same record again replaces what was known of it. */
  readonly add: (found: Quarantined) => void;
  /** What was found since the start, in the order in which it was found. */
  readonly list: () => readonly Quarantined[];
};

/** More are not kept: so many ask for a backup, not for a list. */
const MOST = 500;

export function createQuarantine(): Quarantine {
  const found = new Map<string, Quarantined>();
  return {
    add: (one) => {
      const key = `${one.record} ${one.id}`;
      if (found.has(key) || found.size < MOST) found.set(key, one);
    },
    list: () => [...found.values()],
  };
}
