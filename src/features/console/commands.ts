// Runs orch console: opens the console without a token to type, or prints the link that does.
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { EXIT } from "../../cli/failure.ts";
import { openPage } from "../../cli/open-page.ts";
import { printable } from "../../domain/printable.ts";
import { consoleLink } from "./shapes.ts";

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
