// Promises 3.1 to 3.4: what a step's text says is what is run and what counts, from teach to the verdict.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepsDigest } from "../../../src/domain/sop.ts";
import { check, cmd, contractBody } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine, type Target } from "../../support/looking-engine.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Teaches the steps to a task on the target, and resolves with the task when it has ended. */
async function taught(target: Target, steps: readonly object[]) {
  const task_id = `t-${target.service}`;
  await engine.submit({ task_id, target, success_criteria: ["it is done"] });
  const { task } = await engine.call("teach", { task_id, steps, wait_seconds: 40 });
  return task;
}

/** `teach` refuses the steps with these words. */
async function expectRefused(steps: readonly object[], words: string) {
  const refusal = await engine.refusal("teach", { intent: "deploy", target: await engine.aTarget(), steps });
  expect(refusal).toMatchObject({ code: "sop_steps_invalid", message: expect.stringContaining(words) });
}

/** Writes far more than a pipe holds. */
const MANY = `awk 'BEGIN { for (i = 1; i <= 200000; i++) print "line", i }'`;

describe("promises 3.1", () => {
  test("a negative check does not pass because its reader was content", async () => {
    const target = await engine.aTarget();
    const text = `if ${MANY} | grep -q '^line 3$'; then exit 1; fi; test -f done.txt`;
    expect(await taught(target, [cmd("touch done.txt"), check(text)])).toMatchObject({
      status: "failed",
      outcome: { reason_code: "check_failed" },
    });
  });

  test("a true criterion does not fail because its reader was content, and is proved", async () => {
    const target = await engine.aTarget();
    const task = await taught(target, [
      cmd(`${MANY} > log.txt`),
      check(`test -f log.txt && cat "$ORCH_TARGET_COMPOSE_DIR/log.txt" | grep -q '^line 3$'`),
    ]);
    expect(task).toMatchObject({ status: "ok", checks: [{ proof: "proved" }] });
  });

  test("a pipeline that may fail by chance is refused with another text", async () => {
    await expectRefused([check(`${MANY} | head -1`)], "| sed -n 1p");
    const steps = [cmd("touch x"), check("gzip -dc a | wc -l && git log | grep -q X")];
    await expectRefused(steps, "instead: `git log | grep X`");
  });

  test("a stored check that may fail by chance has not been seen to fail", async () => {
    const target = await engine.aTarget();
    const text = `set -o pipefail; if ls "$ORCH_TARGET_COMPOSE_DIR" | head -1; then test -f done.txt; else exit 1; fi`;
    await engine.plant("deploy", target, [cmd("touch done.txt"), check(text)]);
    const task = await engine.start(`t-${target.service}`, target);
    expect(task).toMatchObject({ status: "ok", checks: [{ proof: "cannot_tell", seen_red: [] }] });
  });

  test("a step that ends with 141 says why", async () => {
    const target = await engine.aTarget();
    const task = await taught(target, [cmd(`${MANY} | head -1`), check("test -f absent")]);
    expect(task.outcome).toMatchObject({
      reason_code: "step_failed",
      message: expect.stringMatching(/with exit code 141.*SIGPIPE.*such as head or grep -q/),
    });
  });
});

describe("promises 3.2", () => {
  test("a check and a reconcile command of which a line decides nothing are refused", async () => {
    const release = cmd("echo 7 > release.txt");
    await expectRefused([release, check("test -f a\ntest -f b")], "line 1 decides nothing");
    const words = "steps.0.reconcile: the reconcile command of step 0: line 1 decides nothing";
    await expectRefused([{ ...release, reconcile: "test -f a\ntest -f b" }, check("test -f b")], words);
  });

  test("the same lines with set -e fail where the first one does not hold", async () => {
    const target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "health.txt"), "down\n");
    const text = "set -e\ngrep -qx up health.txt\ngrep -qx 7 release.txt";
    expect(await taught(target, [cmd("echo 7 > release.txt"), check(text)])).toMatchObject({
      outcome: { reason_code: "check_failed" },
    });
  });
});

describe("promises 3.3", () => {
  const stepsWith = (end: string) => [
    {
      ...cmd(`echo 6 > old.txt${end}echo 7 > release.txt${end}`),
      reconcile: `grep -qx 7 release.txt${end}`,
    },
    check(`grep -qx 7 release.txt${end}`),
  ];
  const CRLF = stepsWith("\r\n");
  const LF = stepsWith("\n");

  test("line ends of another system are those of this one, before the digest", async () => {
    const target = await engine.aTarget();
    const task = await taught(target, CRLF);
    expect(task).toMatchObject({ status: "ok" });
    expect(readFileSync(join(target.compose_dir, "release.txt"), "utf8")).toBe("7\n");
    expect(existsSync(join(target.compose_dir, "release.txt\r"))).toBe(false);
    const { sops } = await engine.call("list_sops", { target_signature: task.target_signature });
    expect(sops).toMatchObject([{ steps_digest: stepsDigest(LF) }]);
  });

  test("a stored version keeps them and its digest, and its run is refused with the reason", async () => {
    const target = await engine.aTarget();
    const { sop_id, steps_digest } = await engine.plant("deploy", target, CRLF);
    const { sop } = await engine.call("get_sop", { sop_id });
    expect(sop).toMatchObject({ steps: CRLF, steps_digest });
    expect(stepsDigest(CRLF)).toBe(steps_digest);
    const task = await engine.start(`t-${target.service}`, target);
    expect(task.outcome.message).toContain("line 1, column 17 has U+000D");
    expect(existsSync(join(target.compose_dir, "release.txt\r"))).toBe(false);
  });

  test.each([
    ["check", [cmd("touch x"), check("test -f x\u200b")], "U+200B"],
    ["command", [cmd("touch\u00a0x"), check("test -f x")], "U+00A0"],
    ["preview", [{ ...cmd("touch x"), preview: "ls\u00a0x" }, check("test -f x")], "U+00A0"],
    ["reconcile", [{ ...cmd("touch x"), reconcile: "test -f x\u2060" }, check("test -f x")], "U+2060"],
    ["lone carriage return", [cmd("echo 'a\rb' > x"), check("test -f x")], "U+000D"],
  ])("what is not seen in a %s is refused", async (_, steps, code) => {
    await expectRefused(steps, code);
  });

  test("letters that look alike are marked in what explain says", async () => {
    const target = await engine.aTarget();
    const contract = contractBody({ target });
    const { steps } = await engine.call("explain", { contract, steps: [cmd("ls /srv/dаta"), check("test -f x")] });
    expect(steps[0].findings[0].reason).toContain("U+0430");
  });
});

describe("promises 3.4", () => {
  const OPEN = "cat > release.txt <<EOF\n7\nEOF \ntouch done.txt";
  test.each([
    ["cmd", [cmd(OPEN), check("test -f done.txt")]],
    ["check", [cmd("touch x"), check("grep -q 7 <<EOF\n7\nEOF \n test -f x")]],
    ["reconcile", [{ ...cmd("touch x"), reconcile: "grep -q 7 <<EOF\n7\n" }, check("test -f x")]],
    ["preview", [{ ...cmd("touch x"), preview: "cat <<EOF\n7\n" }, check("test -f x")]],
    ["nested text", [cmd(`bash -c '${OPEN}'`), check("test -f x")]],
  ])("a here-document that never ends is refused in a %s", async (_, steps) => {
    await expectRefused(steps, "the here-document at line 1 never ends");
  });

  test("in a script on disk it is refused where the script is read", async () => {
    const target = await engine.aTarget();
    await writeFile(join(target.compose_dir, "go.sh"), OPEN);
    const steps = [cmd("bash ./go.sh"), check("test -f done.txt")];
    const { message } = await engine.refusal("teach", { intent: "deploy", target, steps });
    expect(message).toContain("the here-document at line 1 never ends");
  });
});
