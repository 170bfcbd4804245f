// What is recorded when the journals themselves are kept: brought back from a backup, and vouched for day by day.
import { z } from "zod";

/** A day in UTC. */
const Day = z.iso.date();
const Root = z.string().regex(/^[0-9a-f]{64}$/);

export const KEEPING_EVENTS = {
  restored: z
    .strictObject({ taken_at: z.iso.datetime().describe("when the backup was made") })
    .describe("the database was restored from a backup: what was done after it is not known"),
  anchored: z
    .strictObject({
      day: Day,
      threads: z.int().min(1).describe("how many journals had grown since the anchor before"),
      root: Root.describe("the Merkle root over the last hash of each of them"),
      previous: Root.nullable().describe("the root of the anchor before"),
    })
    .describe("what the journals were at the end of a day"),
} as const;
