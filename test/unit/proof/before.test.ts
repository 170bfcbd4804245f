// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { readsBefore } from "../../../src/domain/step-run.ts";
import { hasOnce } from "../../../src/proof/examiner.ts";

describe("readsBefore", () => {
  test.each([
    '[ "$x" != "$ORCH_BEFORE" ]',
    "echo ${ORCH_BEFORE:-none}",
    "printenv ORCH_BEFORE",
    "env | grep ORCH_BEFORE",
    "python3 -c 'import os; os.environ[\"ORCH_BEFORE\"]'",
    "bash -c 'test $ORCH_BEFORE'",
    "if true; then # ORCH_BEFORE",
  ])("finds it in %j", (text) => {
    expect(readsBefore(text)).toBe(true);
  });

  test.each(["docker ps", "echo $ORCH_TARGET_SERVICE", "echo before", ""])("does not find it in %j", (text) => {
    expect(readsBefore(text)).toBe(false);
  });
});

describe("hasOnce", () => {
  test("counts the comment anywhere in a text that is too long to be parsed for it", () => {
    const quoted = `echo 'x # orch: once'; ${"true; ".repeat(400)}`;
    expect([hasOnce(quoted), hasOnce(quoted.slice(0, 2_048)), hasOnce(quoted.slice(20))]).toEqual([true, false, false]);
  });

  test.each([
    "docker ps # orch: once",
    "# orch: once\ndocker ps",
    "docker ps;# orch:once",
    "docker ps\n  #  orch:  once because it is slow",
    "x=$(docker ps # orch: once\n)",
  ])("finds the comment in %j", (text) => {
    expect(hasOnce(text)).toBe(true);
  });

  test.each([
    "docker ps",
    "echo '# orch: once'",
    'echo "x # orch: once"',
    "echo x#orch: once",
    "echo \\# orch: once",
    "cat <<E\n# orch: once\nE",
    "docker ps # orch: onceagain",
    "if true; then # orch: once",
  ])("finds no comment in %j", (text) => {
    expect(hasOnce(text)).toBe(false);
  });
});
