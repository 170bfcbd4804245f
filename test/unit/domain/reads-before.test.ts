// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { readsBefore } from "../../../src/domain/step-run.ts";

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
