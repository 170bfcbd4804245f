// Checks the syntax of scripts of several lines before they run (D-062). Bash reads and runs a script line by line, so it
// finds an error in the last line after the others have run. It reads a single line whole before it runs any of it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const LIMIT_MS = 10_000;

/** Bash's error message for the script, null when the syntax is valid. */
type SyntaxCheck = (script: string) => Promise<string | null>;

/** The last `kept` valid scripts are not read again. */
export function createSyntaxCheck(kept = 256): SyntaxCheck {
  // In the order of last use.
  const valid = new Set<string>();
  return async (script) => {
    if (!script.trimEnd().includes("\n")) return null;
    const fault = valid.delete(script) ? null : await readByBash(script);
    if (fault === null) valid.add(script);
    for (const oldest of valid) if (valid.size > kept) valid.delete(oldest);
    return fault;
  };
}

/** Also null when bash cannot start or does not end: starting the command then gives the reason. */
async function readByBash(script: string): Promise<string | null> {
  // Nothing runs here, not even `shopt -s extglob`, although it changes the syntax of the lines after it.
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
