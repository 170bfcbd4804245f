// Runs orch console: opens the console without a token to type, or prints the link that does.
import { z } from "zod";
import { shape } from "../../api/operations/operation.ts";
import { command } from "../../cli/context.ts";
import { EXIT } from "../../cli/failure.ts";
import { openPage } from "../../cli/open-page.ts";
import { printable } from "../../domain/printable.ts";

const Given = z.object({ print: z.boolean().default(false), name: z.string().optional() });

export const openConsole = command(Given, async (context, { print, name }) => {
  const { call, out, environment } = context;
  const { USER, LOGNAME } = environment;
  const link = await call(consoleLink, { name: name ?? (USER || LOGNAME || undefined) });
  // The link is worth a login: a pipe may be a log.
  const may_open = !(print || out.json) && out.width !== null;
  const opened = may_open && (await openPage(link.url, environment));
  out.answer(link, () => [
    printable(link.url),
    opened ? "The browser opens it." : "Open it within a minute; it logs in once.",
  ]);
  return EXIT.done;
});

// A one-time link to the console. Not an operation: a model has no use for it, and its answer opens a session.

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
