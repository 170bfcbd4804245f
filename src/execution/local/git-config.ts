// Finds what git would run because a file where an agent could write says so (D-254): monitors, hooks, filters, aliases, helpers.
// What has a switch is switched off for plain steps; another key, or a repository that git itself did not make so, keeps a step
// there from running.
import { execFile } from "node:child_process";
import type { Dirent } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { isWithin, isWithinAny } from "../sandbox/mounts.ts";

/** `is_git_dir`: the path is that of what git keeps, and not of a work tree. */
type Repository = { readonly path: string; readonly is_git_dir: boolean };

type Repositories = {
  readonly found: readonly Repository[];
  /** False where there are more directories than are looked through, or one that cannot be read. */
  readonly is_whole: boolean;
};

const MAX_DIRECTORIES = 4_000;
const AT_ONCE = 64;

/** The repositories of git in the directories that agents could write, the outer ones first. */
async function repositoriesIn(places: readonly string[]): Promise<Repositories> {
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

/** git keeps the rest of an operation in it. */
const UNFINISHED = new Set(["sequencer", "rebase-merge", "rebase-apply"]);
const MOST_ENTRIES = 50_000;
const OF_ANOTHER = /\/\.git\/(modules|worktrees)\/[^\0]+$/;

/**
 * What is unusual about a repository of git in a directory that an agent could write (D-254). git follows the files that it
 * keeps: a link leads its writes elsewhere, a pipe keeps it waiting, another directory may hold the configuration, and an
 * operation that is not finished may run programs. Only what git itself makes is worked with. In words for a refusal; empty for a
 * repository as git makes it.
 */
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

/** Fixed: no directory that an agent could write is in it. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const LIMIT_MS = 10_000;
const SWITCHED_OFF = join(import.meta.dirname, "git-switched-off.gitconfig");

type Setting = readonly [key: string, value: string];
type Env = Readonly<Record<string, string>>;

const OFF: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["safe.bareRepository", "explicit"],
  ["protocol.ext.allow", "never"],
];

/** Settings of one run of git, which have precedence over every file. */
const asEnv = (settings: readonly Setting[]): Env => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ),
});

/** For a step that works elsewhere: off in the repositories in these places alone. */
export const switchedOffIn = (places: readonly string[]): Env =>
  asEnv(places.map((place) => [`includeIf.gitdir:${place.replaceAll(/[\\*?[\]]/g, "\\$&")}/.path`, SWITCHED_OFF]));

/** No repository on this machine: git runs the hooks of the other end, with a configuration that is its own. */
const REMOTE_ONLY = { GIT_ALLOW_PROTOCOL: "http:https:ssh:git" };

/**
 * For a step near a place: off everywhere. In a place, and where not all repositories could be looked at, git itself refuses
 * the others: it takes them for those of another account.
 */
export async function switchedOff(cwd: string, places: readonly string[], repositories: Repositories): Promise<Env> {
  const isInside = isWithinAny(cwd, places);
  if (repositories.is_whole && !isInside) return { ...asEnv(OFF), ...REMOTE_ONLY };
  const top = await topLevel({ path: cwd, is_git_dir: false });
  const around = top === "" || isWithinAny(top, places) ? [] : [top];
  const trusted = [...new Set([...repositories.found.map(({ path }) => path), ...around])];
  const settings = [...OFF, ...trusted.map((path): Setting => ["safe.directory", path])];
  return { ...asEnv(settings), ...REMOTE_ONLY, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
}

/** Settings of a repository that run nothing. Any other may. Names are in lower case, but for the part between the first and last dot. */
const HARMLESS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf)$/,
  /^core\.(sparsecheckout(cone)?|untrackedcache|quotepath|abbrev|compression|sharedrepository|whitespace|longpaths)$/,
  /^(user|author|committer)\.(name|email|signingkey)$/,
  /^remote\..+\.(url|pushurl|fetch|push|prune|prunetags|tagopt|mirror|promisor|partialclonefilter)$/,
  /^branch\..+\.(remote|pushremote|merge|rebase|description)$/,
  /^submodule\.(.+\.(url|path|active|branch|ignore)|active|recurse)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags|parallel)|rebase\.(autostash|autosquash))$/,
  /^(merge\.(ff|conflictstyle)|init\.defaultbranch|gc\.auto|extensions\.\w+|advice\.\w+|color\.\w+|safe\.directory|url\..+\.(pushinsteadof|insteadof))$/s,
  ...OFF.map(([key]) => new RegExp(`^${key.toLowerCase().replaceAll(".", "\\.")}$`)),
];

export type RunByGit = { readonly keys: readonly string[]; readonly repositories: Repositories };

/** Keys of the repositories in these places that may make git run something, or write outside of them. */
export async function runByGit(places: readonly string[]): Promise<RunByGit> {
  const repositories = await repositoriesIn(places);
  const keys = await Promise.all(repositories.found.map((one) => keysAt(one, places)));
  return { keys: [...new Set(keys.flat())], repositories };
}

async function keysAt(repository: Repository, places: readonly string[]): Promise<string[]> {
  const odd = await oddities(repository, places);
  // git would read for this account what a link leads to, and the names of its keys are in the reason.
  if (odd.length > 0) return odd;
  // Nor is it asked for what is included: a step may see another file there, or none.
  const said = await git(repository, "config", "--no-includes", "--list", "--name-only", "-z");
  const listed = (said ?? "").split("\0").filter((key) => key !== "");
  const runs = listed.filter((key) => !HARMLESS.some((harmless) => harmless.test(key)));
  if (!runs.includes(WORK_TREE)) return runs;
  return isWithinAny(await topLevel(repository), places) ? runs.filter((key) => key !== WORK_TREE) : runs;
}

/** Empty where there is none. */
async function topLevel(repository: Repository): Promise<string> {
  const said = await git(repository, "rev-parse", "--show-toplevel");
  return said === UNREADABLE ? "" : (said?.trimEnd() ?? "");
}

const WORK_TREE = "core.worktree";

const UNREADABLE = "(its configuration cannot be read)\0";
const NO_REPOSITORY = /^fatal: not a git repository/m;

/** Null where there is no repository, or no git: then nothing of it runs. What this git cannot read, that of the step may. */
async function git({ path, is_git_dir }: Repository, ...args: readonly string[]): Promise<string | null> {
  const settings = asEnv([...OFF.filter(([key]) => key !== "safe.bareRepository"), ["safe.directory", "*"]]);
  const own = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: "/nonexistent" };
  const env = { PATH, LANG: "C.UTF-8", ...own, ...settings };
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", path, ...(is_git_dir ? ["--git-dir=."] : []), ...args], {
      env,
      timeout: LIMIT_MS,
      maxBuffer: 2 ** 22,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === "ENOENT" || (code === 128 && NO_REPOSITORY.test(stderr))) return null;
    return UNREADABLE;
  }
}
