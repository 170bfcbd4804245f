// What git would run because a file where an agent could write says so (D-254): monitors, hooks, filters, aliases, helpers. What has a
// switch is switched off for plain steps; another key keeps a step there from running.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isWithin } from "./confinement/mount-table.ts";
import { type Repositories, repositoriesIn } from "./git-repositories.ts";

const GIT = "/usr/bin/git";
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

/**
 * For a step that works in a place: off everywhere. Where not all repositories could be looked at, git itself refuses the others:
 * it takes them for those of another account.
 */
export async function switchedOff({ found, is_whole }: Repositories, around: readonly string[]): Promise<Env> {
  if (is_whole) return asEnv(OFF);
  const above = (await Promise.all(around.map(topLevel))).filter((path) => path !== "");
  const trusted = [...new Set([...found, ...above])].map((path): Setting => ["safe.directory", path]);
  return { ...asEnv([...OFF, ...trusted]), GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
}

/** Settings of a repository that run nothing, by their lower-case names. Any other may. */
const HARMLESS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf)$/,
  /^core\.(sparsecheckout(cone)?|untrackedcache|quotepath|abbrev|compression|sharedrepository|whitespace|longpaths)$/,
  /^(user|author|committer)\.(name|email|signingkey)$/,
  /^remote\..+\.(fetch|push|prune|prunetags|tagopt|mirror|promisor|partialclonefilter)$/,
  /^branch\..+\.(merge|rebase|description)$/,
  /^submodule\.(.+\.(path|active|branch|ignore)|active|recurse)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|prunetags|parallel)|rebase\.(autostash|autosquash))$/,
  /^(merge\.(ff|conflictstyle)|init\.defaultbranch|gc\.auto|extensions\.\w+|advice\.\w+|color\.\w+|safe\.directory)$/,
  ...OFF.map(([key]) => new RegExp(`^${key.toLowerCase().replaceAll(".", "\\.")}$`)),
];
/** Harmless, unless the value leads to a repository that an agent could write: git runs the hooks of the other end too. */
const TO_A_REPOSITORY = /^(remote\..+\.(url|pushurl)|branch\..+\.(remote|pushremote)|submodule\..+\.url)$/;
const REWRITES_URLS = /^url\.(.*)\.(pushinsteadof|insteadof)$/s;

export type RunByGit = { readonly keys: readonly string[]; readonly repositories: Repositories };

/** Keys of the repositories in these places that may make git run something, or write outside of them. */
export async function runByGit(places: readonly string[]): Promise<RunByGit> {
  const repositories = await repositoriesIn(places);
  const keys = await Promise.all(repositories.found.map((path) => keysAt(path, places)));
  return { keys: [...new Set(keys.flat())], repositories };
}

async function keysAt(directory: string, places: readonly string[]): Promise<string[]> {
  const [said, todo] = await Promise.all([
    git(directory, "config", "--includes", "--list", "-z"),
    git(directory, "rev-parse", "--path-format=absolute", "--git-path", REBASE),
  ]);
  if (said === null) return [];
  const settings = said.split("\0").filter((one) => one !== "");
  const runs = settings.filter((one) => mayRun(settingOf(one), directory, places)).map((one) => settingOf(one)[0]);
  if (todo !== null && existsSync(todo.trimEnd())) runs.push(REBASE);
  if (!runs.includes(WORK_TREE)) return runs;
  const work_tree = await topLevel(directory);
  return places.some((place) => isWithin(work_tree, place)) ? runs.filter((key) => key !== WORK_TREE) : runs;
}

/** The rest of a rebase may be commands. */
const REBASE = "rebase-merge/git-rebase-todo";

/** Empty where there is none. */
const topLevel = async (directory: string): Promise<string> =>
  (await git(directory, "rev-parse", "--show-toplevel"))?.trimEnd() ?? "";

const WORK_TREE = "core.worktree";

/** Names are in lower case, but for the part between the first and the last dot. */
function settingOf(listed: string): Setting {
  const at = listed.indexOf("\n");
  return at === -1 ? [listed, ""] : [listed.slice(0, at), listed.slice(at + 1)];
}

function mayRun([key, value]: Setting, directory: string, places: readonly string[]): boolean {
  const target = REWRITES_URLS.exec(key)?.[1] ?? (TO_A_REPOSITORY.test(key) ? value : null);
  if (target === null) return !HARMLESS.some((harmless) => harmless.test(key));
  const path = pathOf(target);
  if (path === null) return false;
  const other = resolve(directory, path);
  return existsSync(other) && places.some((place) => isWithin(other, place));
}

/** Null for a place on another machine. The name of a remote is read as a path too, as git reads one that is not configured. */
function pathOf(url: string): string | null {
  if (/^file:\/\//i.test(url)) return url.slice("file://".length);
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || /^[^/]*:/.test(url)) return null;
  return url.startsWith("~/") ? join(homedir(), url.slice(2)) : url;
}

/** Null where there is no repository, or no git: then nothing of it runs. */
async function git(directory: string, ...args: readonly string[]): Promise<string | null> {
  const settings = asEnv([...OFF.filter(([key]) => key !== "safe.bareRepository"), ["safe.directory", "*"]]);
  const own = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: "/nonexistent" };
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...own, ...settings };
  try {
    const { stdout } = await promisify(execFile)(GIT, ["-C", directory, ...args], {
      ...{ env, timeout: LIMIT_MS, maxBuffer: 2 ** 22 },
    });
    return stdout;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 128 || code === "ENOENT") return null;
    return `(its configuration cannot be read)\0`;
  }
}
