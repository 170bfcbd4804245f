// Where the commands of a task run: target.compose_dir when it is given, else the home directory (spec section 2, Target
// attributes). This is a place to start, not confinement: a command may change its directory.
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";

export type Place = { readonly cwd: string } | { readonly issue: string };

export async function workingDirectory(compose_dir: string | undefined, home: string): Promise<Place> {
  if (compose_dir === undefined) return { cwd: home };
  const refused = (why: string): Place => ({ issue: `compose_dir ${JSON.stringify(compose_dir)} ${why}` });
  if (!isAbsolute(compose_dir)) return refused("is not an absolute path");
  try {
    const cwd = await realpath(compose_dir);
    if (cwd === "/") return refused("is the root directory");
    return (await stat(cwd)).isDirectory() ? { cwd } : refused("is not a directory");
  } catch (error) {
    return refused(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}
