// The directory for the file that the library keeps: only this user can open it, and it is removed when the process ends,
// except by SIGKILL. By default the file would be inside the library's package and would stay.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of the file; throws when no directory can be made. */
export function temporaryStore(): string {
  const directory = mkdtempSync(join(tmpdir(), "orch-cookie-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "library.json");
}
