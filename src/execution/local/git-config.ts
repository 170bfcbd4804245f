// What git would run because a file in the directory says so (D-254): monitors, hooks, filters, aliases, helpers. A plain step where an
// agent could write has those off that have a switch, and does not run where another one is configured.
import { execFile } from "node:child_process";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const GIT = "/usr/bin/git";
const LIMIT_MS = 10_000;
const DEPTH = 3;
const MAX_REPOSITORIES = 64;
const SKIPPED = new Set(["node_modules", ".git"]);

const OFF: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["safe.bareRepository", "explicit"],
  ["protocol.ext.allow", "never"],
];

/** It has precedence over every file. */
export const GIT_SWITCHED_OFF: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: String(OFF.length),
  ...Object.fromEntries(
    OFF.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ),
};

/** Settings of a repository that run nothing. Any other may. */
const HARMLESS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf)$/,
  /^core\.(sparsecheckout(cone)?|untrackedcache|quotepath|abbrev|compression|worktree|sharedrepository|whitespace|longpaths)$/,
  /^(user|author|committer)\.(name|email|signingkey)$/,
  /^remote\..+\.(url|pushurl|fetch|push|prune|prunetags|tagopt|mirror|promisor|partialclonefilter)$/,
  /^branch\..+\.(remote|merge|rebase|pushremote|description)$/,
  /^submodule\.(.+\.(url|path|active|branch|ignore)|active|recurse)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags|parallel)|rebase\.(autostash|autosquash))$/,
  /^(merge\.(ff|conflictstyle)|init\.defaultbranch|gc\.auto|extensions\.\w+|advice\.\w+|color\.\w+|url\..+\.(pushinsteadof|insteadof))$/,
  ...OFF.map(([key]) => new RegExp(`^${key.toLowerCase().replaceAll(".", "\\.")}$`)),
];

/** Keys of the repositories in and around the directory that may make git run something. */
export async function runByGit(directory: string): Promise<string[]> {
  const places = [directory, ...(await repositoriesBelow(directory))];
  const keys = await Promise.all(places.map(keysOf));
  return [...new Set(keys.flat())].filter((key) => !HARMLESS.some((harmless) => harmless.test(key)));
}

async function repositoriesBelow(directory: string, depth = DEPTH): Promise<string[]> {
  if (depth === 0) return [];
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => []);
  const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const found = await Promise.all(
    below.map(async ({ name }) => {
      const path = join(directory, name);
      const names = await readdir(path).catch((): string[] => []);
      return [...(names.includes(".git") ? [path] : []), ...(await repositoriesBelow(path, depth - 1))];
    }),
  );
  return found.flat().slice(0, MAX_REPOSITORIES);
}

/** Lower case, but for the part between the first and the last dot. None where git finds no repository, or does not trust it. */
async function keysOf(directory: string): Promise<string[]> {
  const args = ["-C", directory, "config", "--local", "--includes", "--list", "--name-only", "-z"];
  const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LANG: "C.UTF-8", ...GIT_SWITCHED_OFF };
  try {
    const { stdout } = await promisify(execFile)(GIT, args, { env, timeout: LIMIT_MS, maxBuffer: 2 ** 22 });
    return stdout.split("\0").filter((key) => key !== "");
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // 128: no repository. Without git nothing of it runs.
    if (code === 128 || code === "ENOENT") return [];
    return ["(its configuration cannot be read)"];
  }
}
