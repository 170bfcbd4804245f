// Records that the database holds and orch cannot read. They are left out of lists and runs, and listed here, so that one
// damaged row costs one record.
import { z } from "zod";

export const Quarantined = z.strictObject({
  record: z.enum(["task", "sop", "approval", "schedule", "freeze", "event"]),
  id: z.string(),
  fault: z.string().describe("what cannot be read"),
});
export type Quarantined = z.infer<typeof Quarantined>;

/** In the answer of a list. An answer of an earlier version has none. */
export const LeftOut = z.array(Quarantined).default([]).describe("records that cannot be read and are left out");

/** What an operator can do about a record. */
export const MEND =
  "restore a backup, or mend the row and start orch again; cancel_task ends its task without it and frees the target";

export type Quarantine = {
  /** The same record again replaces what was known of it. */
  readonly add: (found: Quarantined) => void;
  readonly remove: (record: Quarantined["record"], id: string) => void;
  /** What was found since the start, in the order in which it was found. */
  readonly list: () => readonly Quarantined[];
};

/** More are not kept: so many ask for a backup, not for a list. */
const MOST = 500;

const keyOf = ({ record, id }: Pick<Quarantined, "record" | "id">): string => `${record} ${id}`;

export function createQuarantine(): Quarantine {
  const found = new Map<string, Quarantined>();
  return {
    add: (one) => {
      const key = keyOf(one);
      if (found.has(key) || found.size < MOST) found.set(key, one);
    },
    remove: (record, id) => void found.delete(keyOf({ record, id })),
    list: () => [...found.values()],
  };
}
