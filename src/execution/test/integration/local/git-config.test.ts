// What git runs because an agent has written it: a plain step in that directory runs none of it. Each of them runs where no agent was.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aContract, cmd } from "../../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import { createAgentPlaces } from "../../../local/agent-places.ts";
import { createLocalBackend } from "../../../local/local-backend.ts";
import { preparePlain } from "../../../local/prepare-command.ts";
import { home } from "./a-command.ts";

const SETUP = `git init -q . && git config user.name x && git config user.email x@localhost && echo a > a && git add a && git commit -qm a
printf '#!/bin/sh\\ntouch "$LOOT"\\n' > run && chmod +x run`;

const BARE = "git init -q --bare other && cp run other/hooks/pre-receive";
const PUSH = "git push -q origin HEAD:refs/heads/x$RANDOM || true";
const COMMIT = "git commit -q --allow-empty -m b";
const FILTER = "echo '* filter=f' > .gitattributes";
const CHANGE = "date +%N > g";

/** Where something was planted, a step with git in it. `$LOOT` appears where it ran. */
const OFF: readonly (readonly [title: string, plant: string, step: string])[] = [
  ["a monitor of files", "git config core.fsmonitor ./run", "git status"],
  ["a hook", "cp run .git/hooks/post-commit", COMMIT],
  ["hooks in a directory of their own", "mkdir h; cp run h/post-commit; git config core.hooksPath h", COMMIT],
  ["a monitor below", "git init -q sub && git -C sub config core.fsmonitor $PWD/run", "git -C sub status"],
  [
    "a repository without a work tree",
    `mkdir b && cd b && git init -q --bare . && git config core.bare false && git config core.worktree .. &&
      git config core.fsmonitor $OLDPWD/run`,
    "cd b; git status || true",
  ],
  ["a remote that is a repository beside it, with a hook", `${BARE} && git config remote.origin.url ./other`, PUSH],
  [
    "a branch that goes to one",
    `${BARE} && on=branch.$(git branch --show-current) && git config $on.remote other
      git config push.default upstream; git config $on.merge refs/heads/x`,
    `${COMMIT}; git push -q || true`,
  ],
  [
    "an address that stands for one",
    `${BARE} && for key in remote.origin.url url.$PWD/other.insteadOf; do git config $key https://example.org/x; done`,
    PUSH,
  ],
  [
    "the hooks of a remote that has no key in the configuration",
    `${BARE} && mkdir -p .git/remotes && printf 'URL: file://%s/%%6fther\\n' $PWD > .git/remotes/near`,
    PUSH.replace("origin", "near"),
  ],
  [
    "what is in a repository that lies in what git keeps of another, by a link",
    `git init -q .git/r && git -C .git/r config core.fsmonitor $PWD/run &&
      git -C .git/r config alias.st '!'$PWD/run && ln -s .git/r r`,
    "cd r; git st || git status || true",
  ],
];
const REFUSED: readonly (readonly [title: string, plant: string, step: string, key: string])[] = [
  ["an alias", "git config alias.st '!./run'", "git st", "alias.st"],
  ["a filter", `git config filter.f.clean ./run; ${FILTER}`, `${CHANGE}; git add -A`, "filter.f.clean"],
  ["a program that shows differences", "git config diff.external ./run", "echo b >> a; git diff", "diff.external"],
  [
    "an included file",
    "printf '[alias]\\n\\tst = !./run\\n' > .git/more; git config include.path more",
    "git st",
    "include.path",
  ],
  [
    "a configuration elsewhere",
    "cp -r .git/. elsewhere; git config -f elsewhere/config alias.st '!./run'; echo ../elsewhere > .git/commondir",
    "git st",
    "commondir leads elsewhere",
  ],
  ["an alias below", "git init -q sub && git -C sub config alias.st '!../run'", "git -C sub st", "alias.st"],
  [
    "an alias far below",
    'mkdir -p 1/2/3/4/5 && cd 1/2/3/4/5 && git init -q sub && git -C sub config alias.st "!$OLDPWD/run"',
    "git -C 1/2/3/4/5/sub st",
    "alias.st",
  ],
  [
    "a filter in the configuration of its work tree",
    `git config extensions.worktreeConfig true; git config --worktree filter.f.clean ./run; ${FILTER}`,
    `${CHANGE}; git add -A`,
    "filter.f.clean",
  ],
  [
    "a work tree elsewhere",
    "mkdir ../elsewhere; git config core.worktree ../../elsewhere",
    'rm -f ../elsewhere/a; git checkout -qf HEAD; test ! -e ../elsewhere/a || touch "$LOOT"',
    "core.worktree",
  ],
  [
    "a filter of a submodule that is not there",
    `git -c protocol.file.allow=always submodule --quiet add $PWD/.git s && git commit -qm s &&
      git -C s config filter.f.smudge $PWD/run && echo '* filter=f' > .git/modules/s/info/attributes && rm -rf s`,
    "git -c protocol.file.allow=always submodule --quiet update --init; git -C s checkout -qf HEAD",
    "filter.f.smudge",
  ],
  [
    "a filter of a repository that only the directory of the step leads to",
    `mkdir sub; mv .git meta; cp -r meta common; rm common/HEAD; mkdir sub/meta; cp meta/HEAD meta/index sub/meta/
      echo ../../common > sub/meta/commondir; git config -f common/config filter.f.clean "$PWD/run"; ${FILTER}
      echo 'gitdir: /proc/self/cwd/meta' > .git`,
    `cd sub && ${CHANGE} && git add -A`,
    ".git leads elsewhere",
  ],
  [
    "a filter of a repository that is given another configuration",
    `mv .git common; mkdir meta; mv common/HEAD common/index meta/; echo ../common > meta/commondir
      git config -f common/config core.bare false; git config -f common/config filter.f.clean "$PWD/run"; ${FILTER}`,
    `${CHANGE} && git --git-dir=meta --work-tree=. add -A`,
    "commondir leads elsewhere",
  ],
  [
    "an alias of a bare repository with a directory .git in it",
    "git init -q --bare b.git && mkdir b.git/.git && git -C b.git --git-dir=. config alias.st '!./run'",
    "git --git-dir=b.git --work-tree=. st",
    "alias.st",
  ],
];

function aRepository() {
  const directory = join(home(), "web");
  mkdirSync(directory);
  const env = { PATH: process.env["PATH"], HOME: home(), LOOT: "/dev/null" };
  const bash = (script: string) => execFileSync("bash", ["-euc", script], { cwd: directory, env, stdio: "pipe" });
  bash(SETUP);
  const loot = join(home(), "loot");
  const ran = () => {
    const found = existsSync(loot);
    rmSync(loot, { force: true });
    return found;
  };
  return { directory, bash, loot, ran };
}

async function step(script: string, directory: string, implicit_scope: readonly string[] = []) {
  const places = createAgentPlaces(join(home(), "agent-places"));
  const backend = createLocalBackend({ clock: () => new Date(), home: home(), prepare: preparePlain(places) });
  const constraints = { implicit_scope, require_approval_for: [], max_minutes: 1 };
  const task_contract = aContract({ target: { compose_dir: directory }, constraints });
  const request = aRequest([cmd(`export LOOT=${home()}/loot; ${script}`)], { task_contract });
  const { step_results } = await backend.run(request, anObserver().observer, new AbortController().signal);
  return step_results[0];
}

const agentWas = (directory: string) => createAgentPlaces(join(home(), "agent-places")).note([directory]);

/** A repository with what an agent has planted, which runs where no agent was, and which is then recorded as an agent's. */
async function planted(plant: string, script: string) {
  const { directory, bash, ran } = aRepository();
  bash(plant);
  await step(script, directory);
  expect(ran(), "it runs where no agent was").toBe(true);
  await agentWas(directory);
  return { directory, ran };
}

describe("where an agent could write, a plain step", () => {
  test.each(OFF)("does not run %s", async (_, plant, script) => {
    const { directory, ran } = await planted(plant, script);
    const result = await step(script, directory);
    expect([result?.status, ran()]).toEqual(["passed", false]);
  });

  test.each(REFUSED)("is not run while there is %s, unless the contract allows it", async (_, plant, script, key) => {
    const { directory, ran } = await planted(plant, script);
    const result = await step(script, directory);
    expect([result?.status, ran()]).toEqual(["failed", false]);
    expect(result?.stderr).toContain(key);
    await step(script, directory, ["git:config"]);
    expect(ran()).toBe(true);
  });

  test("runs none of it from another directory either, and what an operator has configured elsewhere", async () => {
    const { directory, bash, ran } = aRepository();
    bash("git config core.fsmonitor $PWD/run; cp run .git/hooks/post-commit");
    bash("git init -q ../own && cp run ../own/.git/hooks/post-commit && mkdir ../far");
    await agentWas(directory);
    const commit = "-c user.name=x -c user.email=x@localhost commit -q --allow-empty -m b";
    const far = join(home(), "far");
    // By a path that its words do not hold.
    expect(await step(`cd ../we* && git status -s && git ${commit}`, far)).toMatchObject({ status: "passed" });
    expect(ran()).toBe(false);
    expect(await step(`git -C ../own ${commit}`, far)).toMatchObject({ status: "passed" });
    expect(ran()).toBe(true);
  });

  test("is not run by a path to it while there is an alias, and where there are too many directories, git refuses what was not looked at", async () => {
    const { directory, bash, ran } = aRepository();
    bash("git config alias.st '!./run'; mkdir ../far");
    await agentWas(directory);
    expect(await step(`git -C ${directory} st`, join(home(), "far"))).toMatchObject({ status: "failed" });
    bash("git config --unset alias.st; mkdir -p many/{1..70}/{1..60} z/deep/er && git init -q z/deep/er/x");
    bash('git -C z/deep/er/x config alias.st "!$PWD/run"');
    expect(await step("git status -s", directory)).toMatchObject({ status: "passed" });
    const refused = await step("git -C z/deep/er/x st || git -C z/deep/er/x status", directory);
    expect([refused?.status, refused?.stderr]).toEqual(["failed", expect.stringContaining("dubious ownership")]);
    expect(ran()).toBe(false);
  });

  test.each([
    ["an included file", "include.path", "echo s3cret > ../kept; git config include.path ../../kept"],
    ["one that git cannot read", "cannot be read", "echo '[s3cret' > ../kept; git config include.path ../../kept"],
    ["a configuration that is a link", ".git/config is a link", "echo s3cret > ../kept; ln -sf ../../kept .git/config"],
  ])("is not run while there is %s, of which the reason repeats nothing", async (_, words, plant) => {
    const { directory, bash } = aRepository();
    bash(plant);
    await agentWas(directory);
    const { status, stderr } = (await step("git status", directory)) ?? {};
    expect(status).toBe("failed");
    expect(stderr).toContain(`nothing was run: an agent could write in ${directory}`);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("s3cret");
  });

  test("runs as elsewhere where git has nothing to run", async () => {
    const { directory, bash } = aRepository();
    bash("git remote add origin ../other; git config pull.rebase true; git checkout -qb more");
    await agentWas(join(directory, ".git"));
    expect(await step("git status --short && git log --oneline", directory)).toMatchObject({ status: "passed" });
  });
});

test("the outermost directories of agents are known to the next server", async () => {
  const file = join(home(), "agent-places");
  for (const name of ["a/b/c", "c"]) mkdirSync(join(home(), name), { recursive: true });
  await createAgentPlaces(file).note([join(home(), "a/b"), join(home(), "missing")]);
  writeFileSync(file, '"/half', { flag: "a" });
  await createAgentPlaces(file).note([join(home(), "a/b/c")]);
  expect(createAgentPlaces(file).all()).toEqual([join(home(), "a/b")]);
});
