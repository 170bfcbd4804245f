// A process that uses the database as a server, as the others see it.
import { z } from "zod";

/** Its row, without the sum. Times are in UTC; those of the lease are by the clock of the database. */
export const Server = z.strictObject({
  server_id: z.string(),
  /** Raised when another server takes its tasks over. */
  epoch: z.int(),
  /** Null on the row of a version before names. */
  name: z.string().nullable(),
  labels: z.array(z.string()).nullable(),
  version: z.string().nullable(),
  /** The newest kind of event that it can read. */
  journal_level: z.int().nullable(),
  concurrency: z.int().nullable(),
  url: z.string().nullable(),
  started_at: z.string(),
  seen_at: z.string(),
  lease_expires_at: z.string().nullable(),
  drain_asked_at: z.string().nullable(),
  stopped_at: z.string().nullable(),
});
export type Server = z.infer<typeof Server>;

/** What a server says of itself when it starts. */
export type ServerSelf = Pick<Server, "name" | "labels" | "version" | "journal_level" | "concurrency" | "url">;

/** What is known of the server that owns a task. */
export type OwnerState = {
  /** It works on its tasks, or may: they are left to it. */
  readonly lives: boolean;
  /** It may have ended without being stopped. */
  readonly may_have_crashed: boolean;
  /** It has ended for certain, and this server has looked for what it had left running. */
  readonly is_over: boolean;
};
