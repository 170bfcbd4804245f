// The repositories of git in the directories that agents could write, the outer ones first.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export type Repositories = {
  readonly found: readonly string[];
  /** False where there are more directories than are looked through. */
  readonly is_whole: boolean;
};

const MAX_DIRECTORIES = 4_000;
const AT_ONCE = 64;

export async function repositoriesIn(places: readonly string[]): Promise<Repositories> {
  const found: string[] = [];
  let level = [...places];
  let looked_at = 0;
  while (level.length > 0) {
    const next: string[] = [];
    for (let from = 0; from < level.length; from += AT_ONCE) {
      const batch = level.slice(from, from + AT_ONCE);
      looked_at += batch.length;
      if (looked_at > MAX_DIRECTORIES) return { found, is_whole: false };
      for (const [at, entries] of (await Promise.all(batch.map(entriesOf))).entries()) {
        const path = batch[at] as string;
        if (isRepository(entries)) found.push(path);
        next.push(...entries.filter(isInner).map(({ name }) => join(path, name)));
      }
    }
    level = next;
  }
  return { found, is_whole: true };
}

/** With a work tree, or bare. */
const isRepository = (entries: readonly Dirent[]): boolean => {
  const names = new Set(entries.map(({ name }) => name));
  return names.has(".git") || ["HEAD", "objects", "refs"].every((name) => names.has(name));
};

const isInner = (entry: Dirent): boolean => entry.isDirectory() && entry.name !== ".git";

const entriesOf = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);
