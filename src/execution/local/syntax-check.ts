// Bash reads a script line by line and runs what it has read: an error in the last line is found when the rest is done.
// So a script of several lines is read to its end first. One line is read whole before anything of it runs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const KEPT = 256;
const LIMIT_MS = 10_000;

/** What bash has against the script, null when nothing. */
export type SyntaxCheck = (script: string) => Promise<string | null>;

export function createSyntaxCheck(): SyntaxCheck {
  // In the order of their last use.
  const valid = new Set<string>();
  return async (script) => {
    if (!script.trimEnd().includes("\n")) return null;
    const fault = valid.delete(script) ? null : await readByBash(script);
    if (fault === null) valid.add(script);
    for (const oldest of valid) if (valid.size > KEPT) valid.delete(oldest);
    return fault;
  };
}

/** Null too where bash cannot be started or does not come to its end: starting the command will tell why. */
async function readByBash(script: string): Promise<string | null> {
  // Nothing is run here, `shopt -s extglob` neither, and yet it decides what the lines after it may look like.
  const extglob = script.includes("extglob") ? ["-O", "extglob"] : [];
  const args = ["--noprofile", "--norc", "-p", ...extglob, "-n", "-c", script];
  const options = { cwd: "/", env: { LANG: "C.UTF-8", SHLVL: "1" }, timeout: LIMIT_MS };
  const read = promisify(execFile);
  try {
    const reading = read("/bin/bash", args, options);
    reading.child.stdin?.end();
    await reading;
    return null;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    return typeof code === "number" ? (stderr ?? "").trim() : null;
  }
}
