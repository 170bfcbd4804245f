// A clock that is ahead, for one process: the environment in which libfaketime (Debian's package faketime) gives it another time. What it
// measures with a monotonic clock stays as it is.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const LIBRARIES = "/usr/lib";

export type ClockAhead = Readonly<Record<string, string>>;

/** Null, and a line that says so, where the library is not installed. */
export function clockAhead(seconds: number): ClockAhead | null {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [];
  const files = folders.map((folder) => join(LIBRARIES, folder, "faketime/libfaketime.so.1"));
  const library = files.find((file) => existsSync(file));
  if (library !== undefined)
    return { LD_PRELOAD: library, FAKETIME: `+${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: "1", FAKETIME_NO_CACHE: "1" };
  process.stdout.write("faketime is not installed here: nothing is tried with a wrong clock\n");
  return null;
}
