// A plan is judged as a whole, with what its steps write and with the scripts on disk that they run; what has changed since does
// not run. The repository and its uncommitted work are real.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

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

test("a script that one step writes and the next runs is judged before the first: uncommitted work stays", async () => {
  const { directory, again } = await run("written", [
    cmd("echo 'git reset --hard' > sync.sh"),
    cmd("bash sync.sh"),
    CHECK,
  ]);
  expect(await again()).toMatchObject({
    status: "blocked",
    outcome: { reason_code: "always_blocked", step_index: 1, message: expect.stringContaining("sync.sh, line 1") },
  });
  expect(notesIn(directory)).toBe(WORK);
});

test("a script on disk is judged with the step that runs it", async () => {
  const { directory, again } = await run("on-disk", [cmd("./tidy.sh"), CHECK]);
  writeFileSync(join(directory, "tidy.sh"), "#!/bin/sh\n# tidy\nexec git reset --hard\n", { mode: 0o755 });
  expect(await again()).toMatchObject({
    status: "blocked",
    outcome: { step_index: 0, message: expect.stringContaining("tidy.sh, line 3") },
  });
  expect(notesIn(directory)).toBe(WORK);
});

test("an approval shows the scripts that it covers, and one that has changed since is stale", async () => {
  const { directory, again } = await run("approved", [cmd("./save.sh"), CHECK]);
  const script = join(directory, "save.sh");
  writeFileSync(script, '#!/bin/sh\n"$(cat save)" notes.txt\ntrue\n', { mode: 0o755 });
  expect(await again()).toMatchObject({ status: "need_approval", outcome: { findings: [{ code: "dyn.program" }] } });
  const { approval_id, content } = await engine.approvalOf("approved-run");
  expect(content).toMatchObject({
    scripts: [{ path: script, digest: expect.stringMatching(/^sha256:|^[0-9a-f]{64}$/) }],
  });
  writeFileSync(script, "#!/bin/sh\ntouch changed\n", { mode: 0o755 });
  await engine.call("approve", { approval_id, decision: "approve" });
  expect(await engine.outcomeOf("approved-run")).toMatchObject({
    status: "blocked",
    outcome: { reason_code: "approval_stale" },
  });
  expect(() => readFileSync(join(directory, "changed"))).toThrow("ENOENT");
});

test("an approval whose scripts are the same lets them run", async () => {
  const { directory, again } = await run("same", [cmd("./save.sh"), CHECK]);
  writeFileSync(join(directory, "save.sh"), '#!/bin/sh\n"$NONE" || touch ran\n', {
    mode: 0o755,
  });
  expect(await again()).toMatchObject({ status: "need_approval" });
  const { approval_id } = await engine.approvalOf("same-run");
  await engine.call("approve", { approval_id, decision: "approve" });
  expect(await engine.outcomeOf("same-run")).toMatchObject({ status: "ok" });
  expect(readFileSync(join(directory, "ran"), "utf8")).toBe("");
});

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

test("a script that an earlier step has replaced is judged again directly before its step", async () => {
  const { directory, again } = await run("replaced", [TAKES, cmd("sh ./tidy.sh"), CHECK]);
  branch(directory, "tidy.sh", "git reset --hard\n");
  expect(await again()).toMatchObject({
    status: "blocked",
    outcome: {
      reason_code: "approval_stale",
      step_index: 1,
      message: expect.stringContaining("tidy.sh is not what was judged"),
    },
  });
  expect(notesIn(directory)).toBe(WORK);
});

test("one that is replaced by a text that is too long to be read does not run", async () => {
  const { directory, again } = await run("too-long", [TAKES, cmd("sh ./tidy.sh"), CHECK]);
  branch(directory, "tidy.sh", `${"#".repeat(70_000)}\ngit reset --hard\n`);
  expect(await again()).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale", step_index: 1 } });
  expect(notesIn(directory)).toBe(WORK);
});

test("one that is replaced by another harmless one runs", async () => {
  const { directory, again } = await run("harmless", [TAKES, cmd("sh ./tidy.sh"), CHECK]);
  branch(directory, "tidy.sh", "df -h . > after\n");
  expect(await again()).toMatchObject({ status: "ok" });
  expect(readFileSync(join(directory, "after"), "utf8")).toContain("Filesystem");
});

test("an approved one that an earlier step has replaced does not run, a harmless one neither", async () => {
  const { directory, again } = await run("approved-replaced", [TAKES, cmd('sh ./tidy.sh; "$NONE" || true'), CHECK]);
  branch(directory, "tidy.sh", "df -h . > after\n");
  expect(await again()).toMatchObject({ status: "need_approval" });
  const { approval_id } = await engine.approvalOf("approved-replaced-run");
  await engine.call("approve", { approval_id, decision: "approve" });
  expect(await engine.outcomeOf("approved-replaced-run")).toMatchObject({
    outcome: {
      reason_code: "approval_stale",
      message: expect.stringContaining("is not what was approved with step 1"),
    },
  });
  expect(() => readFileSync(join(directory, "after"))).toThrow("ENOENT");
});

test("an ordinary plan with an ordinary makefile runs without a question", async () => {
  const { directory, again } = await run("ordinary", [cmd("git status --short"), cmd("make build"), CHECK]);
  writeFileSync(join(directory, "Makefile"), "build:\n\t@echo built > out\n\nreset:\n\tgit reset --hard\n");
  expect(await again()).toMatchObject({ status: "ok" });
  expect(readFileSync(join(directory, "out"), "utf8")).toBe("built\n");
  expect(notesIn(directory)).toBe(WORK);
});
