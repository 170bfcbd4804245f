// Defines what is recorded when the journals themselves are kept: brought back from a backup, and vouched for day by day.
import { z } from "zod";
import { event } from "../../domain/event.ts";
import { counted } from "../../domain/printable.ts";

/** A day in UTC. */
const Day = z.iso.date();
const Root = z.string().regex(/^[0-9a-f]{64}$/);

export const KEEPING_EVENTS = {
  restored: event({
    body: z
      .strictObject({ taken_at: z.iso.datetime().describe("when the backup was made") })
      .describe("the database was restored from a backup: what was done after it is not known"),
    level: 54,
    text: ({ taken_at }) => ({
      about: "restored",
      state: "pending",
      text: `from a backup of ${taken_at}; what was done after it is not known`,
    }),
  }),
  anchored: event({
    body: z
      .strictObject({
        day: Day,
        threads: z.int().min(1).describe("how many journals had grown since the anchor before"),
        root: Root.describe("the Merkle root over the last hash of each of them"),
        previous: Root.nullable().describe("the root of the anchor before"),
      })
      .describe("what the journals were at the end of a day"),
    level: 56,
    text: ({ day, threads, root }) => ({
      about: "anchored",
      text: `${day}: ${counted(threads, "journal")} ${root}`,
    }),
  }),
};
