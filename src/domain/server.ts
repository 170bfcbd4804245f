// A server of orch as others see it: its row in the database.
import { z } from "zod";
import { Label } from "./labels.ts";

export const Server = z.strictObject({
  server_id: z.string(),
  name: z.string(),
  labels: z.array(Label),
  /** It claims nothing more. */
  draining: z.boolean(),
});
export type Server = z.infer<typeof Server>;

/** What a server says of itself when it starts. `journal_level`: the newest kind of event that it can read. */
export type ServerSelf = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly version?: string;
  readonly journal_level?: number;
  readonly concurrency?: number;
};

/** What is known of the server that owns a task. */
export type OwnerState = {
  /** It works on its tasks, or may: they are left to it. */
  readonly lives: boolean;
  /** It may have ended without being stopped. */
  readonly may_have_crashed: boolean;
  /** It has ended for certain, and this server has looked for what it had left running. */
  readonly is_over: boolean;
};
