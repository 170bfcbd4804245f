// Opens an address in the browser of a desktop, where there is one. No feature starts a process, so this is here.
import { spawn } from "node:child_process";
import { variablesIn } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { CommandLineContext } from "./context.ts";

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
