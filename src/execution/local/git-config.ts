// What git would run because a file where an agent could write says so (D-254): monitors, hooks, filters, aliases, helpers. What has a
// switch is switched off for plain steps; another key keeps a step there from running.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { isWithinAny } from "./confinement/mount-table.ts";
import { type Repositories, type Repository, repositoriesIn } from "./git-repositories.ts";
import { oddities } from "./git-shape.ts";

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
      ...{ env, timeout: LIMIT_MS, maxBuffer: 2 ** 22 },
    });
    return stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === "ENOENT" || (code === 128 && NO_REPOSITORY.test(stderr))) return null;
    return UNREADABLE;
  }
}
