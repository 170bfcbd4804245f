// What is recorded when the journals themselves are kept: brought back from a backup.
import { z } from "zod";

export const KEEPING_EVENTS = {
  restored: z
    .strictObject({ taken_at: z.iso.datetime().describe("when the backup was made") })
    .describe("the database was restored from a backup: what was done after it is not known"),
} as const;
