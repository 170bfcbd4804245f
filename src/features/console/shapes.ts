// A one-time link to the console. Not an operation: a model has no use for it, and its answer opens a session.
import { z } from "zod";
import { shape } from "../../api/operations/operation.ts";

export const consoleLink = shape({
  name: "link_console",
  summary: "A link that opens the console once, within a minute.",
  method: "POST",
  path: "/console/links",
  scope: "read",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({ name: z.string().max(256).optional() }),
  output: z.strictObject({ url: z.url(), expires_at: z.iso.datetime() }),
  example: {},
});
