// orch console: opens the console without a token to type, or prints the link that does.
import { spawn } from "node:child_process";
import { z } from "zod";
import { consoleLink } from "../../api/operations/shapes/console-link.ts";
import { variablesIn } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import { printable } from "../../domain/printable.ts";
import { type CommandLineContext, command } from "../context.ts";
import { EXIT } from "../failure.ts";

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

// Opens an address in the browser of a desktop, where there is one.

type Environment = CommandLineContext["environment"];

/** Null where no desktop is known. */
function openerOf(environment: Environment): string | null {
  if (process.platform === "darwin") return "open";
  const { DISPLAY = "", WAYLAND_DISPLAY = "" } = environment;
  return DISPLAY + WAYLAND_DISPLAY === "" ? null : "xdg-open";
}

/** A browser has no use for the secrets of orch. */
const withoutOwn = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !(OWN.has(name) || name.startsWith("MCP_") || name.startsWith("ORCH_")),
    ),
  );

const OWN: ReadonlySet<string> = new Set(variablesIn(SETTINGS));

/** Whether a program was started that opens it. */
export function openPage(url: string, environment: Environment): Promise<boolean> {
  const opener = openerOf(environment);
  if (opener === null) return Promise.resolve(false);
  const child = spawn(opener, [url], { env: withoutOwn(environment), stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false)).once("spawn", () => resolve(true));
    child.unref();
  });
}
