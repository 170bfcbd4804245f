// The repositories of git in the directories that agents could write, the outer ones first.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** `is_git_dir`: the path is that of what git keeps, and not of a work tree. */
export type Repository = { readonly path: string; readonly is_git_dir: boolean };

export type Repositories = {
  readonly found: readonly Repository[];
  /** False where there are more directories than are looked through, or one that cannot be read. */
  readonly is_whole: boolean;
};

const MAX_DIRECTORIES = 4_000;
const AT_ONCE = 64;

export async function repositoriesIn(places: readonly string[]): Promise<Repositories> {
  const found: Repository[] = [];
  let level = [...places];
  let looked_at = 0;
  let is_whole = true;
  while (level.length > 0) {
    const next: string[] = [];
    for (let from = 0; from < level.length; from += AT_ONCE) {
      const batch = level.slice(from, from + AT_ONCE);
      looked_at += batch.length;
      if (looked_at > MAX_DIRECTORIES) return { found, is_whole: false };
      for (const [at, entries] of (await Promise.all(batch.map(entriesOf))).entries()) {
        const path = batch[at] as string;
        if (entries === null) is_whole = false;
        if (entries === null) continue;
        found.push(...repositoriesAt(path, entries));
        next.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, innerOf(name))));
      }
    }
    level = next;
  }
  return { found, is_whole };
}

function repositoriesAt(path: string, entries: readonly Dirent[]): Repository[] {
  const names = new Set(entries.map(({ name }) => name));
  const isGitDir = names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
  return [
    ...(names.has(".git") ? [{ path, is_git_dir: false }] : []),
    ...(isGitDir ? [{ path, is_git_dir: true }] : []),
  ];
}

/** Of what git keeps, only the submodules are repositories of their own. */
const innerOf = (name: string): string => (name === ".git" ? ".git/modules" : name);

/** Null where they cannot be read; a directory that is gone has none. */
const entriesOf = (path: string): Promise<Dirent[] | null> =>
  readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : null));
