// A repository where an agent could write is worked with only as git makes it.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oddities } from "../../../local/git-config.ts";
import { home } from "./a-command.ts";

const SETUP = `git init -q -b main . && git config user.name x && git config user.email x@localhost && echo 1 > f && git add f && git commit -qm 1`;

/** What is odd about the repository below the place, without the path of the place. */
async function oddAfter(script: string, path = "."): Promise<string[]> {
  const place = join(home(), "place");
  mkdirSync(place);
  const env = { PATH: process.env["PATH"], HOME: home() };
  execFileSync("bash", ["-euc", `${SETUP}\n${script}`], { cwd: place, env, stdio: "pipe" });
  const odd = await oddities({ path: join(place, path), is_git_dir: false }, [place]);
  return odd.map((words) => words.replace(`${place}/`, ""));
}

const SUBMODULE = "git -c protocol.file.allow=always submodule --quiet add $PWD/.git s && git commit -qm s";
const CONFLICT =
  "git checkout -qb o; echo 2 > f; git commit -qam 2; echo 3 > f; git commit -qam 3; git checkout -q main; echo 4 > f; git commit -qam 4";

test.each([
  ["a new repository", "true", "."],
  ["one with hooks that are links", "ln -s ../../run .git/hooks/pre-commit", "."],
  ["one with a submodule", SUBMODULE, "."],
  ["the submodule", SUBMODULE, "s"],
  ["one with a further work tree", "git worktree add -q w", "."],
  ["the further work tree", "git worktree add -q w", "w"],
  ["one with packed objects", "git gc -q", "."],
  ["one in the middle of a merge", `${CONFLICT}; git merge -q o || true`, "."],
])("%s is as git makes it", async (_title, script, path) => {
  expect(await oddAfter(script, path)).toEqual([]);
});

test.each([
  ["a log that leads elsewhere", "rm .git/logs/HEAD; ln -s /tmp/x .git/logs/HEAD", ".git/logs/HEAD is a link"],
  ["an index that leads elsewhere", "ln -sf /tmp/x .git/index", ".git/index is a link"],
  ["a repository that is a link", "mv .git kept; ln -s kept .git", ".git leads elsewhere"],
  ["a file that names a directory in the place", "mv .git kept; echo 'gitdir: kept' > .git", ".git leads elsewhere"],
  [
    "a file that names one by a link",
    "mv .git kept; ln -s kept way; echo 'gitdir: way' > .git",
    ".git leads elsewhere",
  ],
  ["a configuration elsewhere", "cp -r .git kept; echo ../kept > .git/commondir", ".git/commondir leads elsewhere"],
  [
    "a pipe that says of which repository a work tree is",
    "mkdir -p .git/worktrees/w; mkfifo .git/worktrees/w/commondir",
    ".git/worktrees/w/commondir is no file",
  ],
  ["a pipe among its branches", "mkfifo .git/refs/heads/o", ".git/refs/heads/o is no file"],
  [
    "picked commits that are not finished",
    `${CONFLICT}; git cherry-pick main..o > /dev/null 2>&1 || true`,
    ".git/sequencer is of an unfinished operation",
  ],
  [
    "a rebase that is not finished",
    `${CONFLICT}; git rebase -q o > /dev/null 2>&1 || true`,
    ".git/rebase-merge is of an unfinished operation",
  ],
])("%s is odd", async (_title, script, words) => {
  expect(await oddAfter(script)).toContain(words);
});
