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
