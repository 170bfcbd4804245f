// A plan is judged as a whole, with what its steps write and with the scripts on disk that they run; what has changed since does
// not run. The repository and its uncommitted work are real.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine());

const AUTHOR = ["-c", "user.name=op", "-c", "user.email=op@example.com"];
const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    execFileSync("git", [...AUTHOR, ...args], { cwd });

/** A repository with one commit and a change that is not committed. */
function repository(name: string): string {
  const directory = join(engine.directory, name);
  mkdirSync(directory);
  const git = gitIn(directory);
  git("init", "-q");
  writeFileSync(join(directory, "notes.txt"), "committed\n");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(join(directory, "notes.txt"), "uncommitted work\n");
  return directory;
}

const notesIn = (directory: string): string => readFileSync(join(directory, "notes.txt"), "utf8");
const cmd = (value: string) => ({ kind: "cmd", value });
const CHECK = { kind: "check", value: "test -d .git" };
const WORK = "uncommitted work\n";

/** A version that is in use: a supervisor has approved it. */
async function run(name: string, steps: readonly object[], over: object = {}) {
  const directory = repository(name);
  const target = { service: name, compose_dir: directory };
  await engine.plant("deploy", target, steps as never);
  return {
    directory,
    again: () => engine.run(`${name}-run`, { intent: "deploy", delegation_mode: "known_only", target, ...over }),
  };
}

test.each<[string, readonly object[], string | null, number, string]>([
  ["that one step writes", [cmd("echo 'git reset --hard' > sync.sh"), cmd("bash sync.sh")], null, 1, "sync.sh, line 1"],
  ["on disk", [cmd("./tidy.sh")], "#!/bin/sh\n# tidy\nexec git reset --hard\n", 0, "tidy.sh, line 3"],
])(
  "a script %s is judged before the first step runs: uncommitted work stays",
  async (what, steps, text, step_index, place) => {
    const { directory, again } = await run(what.replaceAll(" ", "-"), [...steps, CHECK]);
    if (text !== null) writeFileSync(join(directory, "tidy.sh"), text, { mode: 0o755 });
    const outcome = { reason_code: "always_blocked", step_index, message: expect.stringContaining(place) };
    expect(await again()).toMatchObject({ status: "blocked", outcome });
    expect(notesIn(directory)).toBe(WORK);
  },
);

/** A branch that holds another text of a script than the working tree. */
function branch(directory: string, script: string, text: string): void {
  const git = gitIn(directory);
  git("stash", "-q");
  git("checkout", "-qb", "other");
  writeFileSync(join(directory, script), text);
  git("add", script);
  git("commit", "-qm", "other");
  git("checkout", "-q", "-");
  git("stash", "pop", "-q");
  writeFileSync(join(directory, script), "df -h . > before\n");
}

const TAKES = cmd("git checkout -q other -- tidy.sh");

test.each([
  ["one that resets", "git reset --hard\n", { message: expect.stringContaining("tidy.sh is not what was judged") }],
  ["one that is too long to be read", `${"#".repeat(70_000)}\ngit reset --hard\n`, {}],
  ["a harmless one, which runs", "df -h . > after\n", null],
])(
  "a script that an earlier step has replaced is judged again directly before its step: by %s",
  async (what, text, blocked) => {
    const { directory, again } = await run(what.replaceAll(/\W+/g, "-"), [TAKES, cmd("sh ./tidy.sh"), CHECK]);
    branch(directory, "tidy.sh", text);
    const stale = { status: "blocked", outcome: { reason_code: "approval_stale", step_index: 1, ...blocked } };
    expect(await again()).toMatchObject(blocked === null ? { status: "ok" } : stale);
    expect(notesIn(directory)).toBe(WORK);
    expect(existsSync(join(directory, "after"))).toBe(blocked === null);
  },
);

test("an approved one that an earlier step has replaced does not run, a harmless one neither", async () => {
  const { directory, again } = await run("approved-replaced", [TAKES, cmd('sh ./tidy.sh; "$NONE" || true'), CHECK]);
  branch(directory, "tidy.sh", "df -h . > after\n");
  expect(await again()).toMatchObject({ status: "need_approval" });
  const { approval_id } = await engine.approvalOf("approved-replaced-run");
  await engine.call("approve", { approval_id, decision: "approve" });
  const message = expect.stringContaining("is not what was approved with step 1");
  const outcome = { reason_code: "approval_stale", message };
  expect(await engine.outcomeOf("approved-replaced-run")).toMatchObject({ outcome });
  expect(existsSync(join(directory, "after"))).toBe(false);
});

test("an ordinary plan with an ordinary makefile runs without a question", async () => {
  const { directory, again } = await run("ordinary", [cmd("git status --short"), cmd("make build"), CHECK]);
  writeFileSync(join(directory, "Makefile"), "build:\n\t@echo built > out\n\nreset:\n\tgit reset --hard\n");
  expect(await again()).toMatchObject({ status: "ok" });
  expect(readFileSync(join(directory, "out"), "utf8")).toBe("built\n");
  expect(notesIn(directory)).toBe(WORK);
});
