import { describe, expect, test } from "vitest";
import { codesOf, outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "git reset --hard",
  "git reset --har",
  "git reset --h",
  "git -C x reset --hard",
  "git -c alias.x='reset --hard' x",
  "git -c alias.x='!git reset --hard' x",
  "git config alias.wipe 'reset --hard'; git wipe",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='reset --hard' git z",
  "git submodule foreach 'git reset --hard'",
  "git submodule foreach --recursive git reset --hard",
  "git-reset --hard",
  "/usr/lib/git-core/git-reset --hard HEAD",
  "git fetch && git reset --hard origin/main",
  "git --git-dir=.git --work-tree . reset -q --hard",
  "git rebase -x 'git reset --hard' HEAD~2",
  "git bisect run git reset --hard",
  "git reset HEAD~1 --hard --",
  "cd x && git 'reset' \"--hard\"",
  "git stash; git reset --hard",
  "echo $(git reset --hard)",
];

const ALLOWED = [
  "git commit -m 'git reset --hard is bad'",
  "git reset",
  "git reset HEAD~1",
  "git reset --soft HEAD~1",
  "git reset -- --hard",
  "git reset --keep x",
  "git checkout -- .",
  "git stash push",
  "git clean -fd",
  "git push --force",
  "git log --oneline -5",
  "git status --porcelain",
  "git diff HEAD~1",
  "git pull --rebase",
  "cat <<EOF > doc.md\ngit reset --hard\nEOF",
  "ssh -o BatchMode=yes host 'cd /srv/app && git pull'",
  'test -n "$(git status --porcelain)"',
  "cd /srv/app && git pull && npm ci",
  "git log --grep='reset --hard'",
  "git show HEAD:file",
  "git stash@{0}",
  "git reset --hard --help",
  "git config --get alias.x",
];

describe("reset --hard", () => {
  test.each(BLOCKED)("%j is blocked as git.reset_hard", (command) => {
    expect(codesOf(command)).toContain("git.reset_hard");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
