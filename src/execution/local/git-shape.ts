// What is unusual about a repository of git in a directory that an agent could write (D-254). git follows the files that it keeps: a link
// leads its writes elsewhere, a pipe keeps it waiting, another directory may hold the configuration, and an operation that is not finished
// may run programs. Only what git itself makes is worked with.
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { isWithin, isWithinAny } from "./confinement/mount-table.ts";
import type { Repository } from "./git-repositories.ts";

/** git keeps the rest of an operation in it. */
const UNFINISHED = new Set(["sequencer", "rebase-merge", "rebase-apply"]);
const MOST_ENTRIES = 50_000;
const OF_ANOTHER = /\/\.git\/(modules|worktrees)\/[^\0]+$/;

/** In words for a refusal; empty for a repository as git makes it. */
export async function oddities({ path, is_git_dir }: Repository, places: readonly string[]): Promise<string[]> {
  if (is_git_dir) return oddEntries(path);
  const kept = join(path, ".git");
  const found = await lstat(kept).catch(() => null);
  if (found?.isDirectory() === true) return oddEntries(kept);
  return found?.isFile() === true && (await isOrdinaryPointer(kept, places)) ? [] : [`${kept} leads elsewhere`];
}

/** The file .git of a submodule or of a further work tree. */
async function isOrdinaryPointer(file: string, places: readonly string[]): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  const [, named = ""] = /^gitdir: (.+)\n?$/.exec(text) ?? [];
  const path = resolve(dirname(file), named);
  const isPlain = named !== "" && (await realpath(path).catch(() => null)) === path;
  return isPlain && (!isWithinAny(path, places) || OF_ANOTHER.test(path));
}

async function oddEntries(git_dir: string): Promise<string[]> {
  const odd: string[] = [];
  const directories = [git_dir];
  let entries = 0;
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    const found = await readdir(at, { withFileTypes: true }).catch(() => null);
    if (found === null) odd.push(`${at} cannot be read`);
    entries += found?.length ?? 0;
    if (entries > MOST_ENTRIES) return [...odd, `${git_dir} has more than ${MOST_ENTRIES} files`];
    for (const entry of found ?? []) {
      const path = join(at, entry.name);
      const below = relative(git_dir, path);
      // Hooks do not run there, and are often links.
      if (isWithin(below, "hooks")) continue;
      if (entry.isSymbolicLink()) odd.push(`${path} is a link`);
      // A pipe keeps its reader waiting.
      else if (!entry.isFile() && !entry.isDirectory()) odd.push(`${path} is no file`);
      else if (entry.name === "commondir" && !(await isOfWorkTree(below, path))) odd.push(`${path} leads elsewhere`);
      else if (entry.isDirectory() && UNFINISHED.has(entry.name)) odd.push(`${path} is of an unfinished operation`);
      // Submodules are repositories of their own.
      else if (entry.isDirectory() && below !== "modules") directories.push(path);
    }
  }
  return odd;
}

const isOfWorkTree = async (below: string, path: string): Promise<boolean> =>
  /^worktrees\/[^/]+\/commondir$/.test(below) && (await readFile(path, "utf8").catch(() => "")).trim() === "../..";
