// The secrets that the units load: files of root in one directory, by the names of their variables.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSecret } from "../../config/secret-files.ts";

type Credentials = {
  /** Files by the names of the secrets that they hold. */
  readonly files: Readonly<Record<string, string>>;
  /** Why they are not known, as a sentence: units without them would start a server without its secrets. */
  readonly fault: string | null;
};

export async function readCredentials(directory: string): Promise<Credentials> {
  try {
    const names = (await readdir(directory)).filter(isSecret);
    return { files: Object.fromEntries(names.map((name) => [name, join(directory, name)])), fault: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { files: {}, fault: null };
    const why = code === "EACCES" ? "run the command as root" : "it has to be a directory of files";
    return { files: {}, fault: `${directory} cannot be read (${code}), so the units load no secret from it: ${why}.` };
  }
}
