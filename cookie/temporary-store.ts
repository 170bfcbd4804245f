// A place for the file that the library keeps: in a directory of its own that only this user can open, removed when the
// process ends, unless it is killed outright (SIGKILL). Inside the library's package, where it would lie otherwise, it
// would always stay.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of the file; throws when there is no place for it. */
export function temporaryStore(): string {
  const directory = mkdtempSync(join(tmpdir(), "orch-cookie-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "library.json");
}
