// A value of the target that an expansion may turn into any other text names no target.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are bash
import { expect, test } from "vitest";
import { decoyOf } from "../../decoy.ts";

const names = (text: string) => decoyOf(text, { service: "shop", url: "http://shop:80/" }, "/nothing").names_target;

test.each([
  'test -s "/etc/${ORCH_TARGET_SERVICE/s*/passwd}"',
  'grep -q "^root:" "/etc/passwd${ORCH_TARGET_SERVICE##s*}"',
  'test -s "/etc/passwd${ORCH_TARGET_SERVICE%%[a-z]*}"',
  'test -e "/etc/${ORCH_TARGET_SERVICE:+passwd}"',
  'test -e "/usr/${ORCH_TARGET_SERVICE:0:1}bin"',
  'test "${#ORCH_TARGET_SERVICE}" = "$(wc -l < /etc/hostname)"',
])("it is not named by %s", (text) => {
  expect(names(text)).toBe(false);
});

test.each([
  'curl -fsS "${ORCH_TARGET_URL%/}/health"',
  'pgrep -x "${ORCH_TARGET_URL##*/}$ORCH_TARGET_SERVICE"',
  'test -e "/srv/${ORCH_TARGET_SERVICE//:/-}"',
  'test -e "/srv/${ORCH_TARGET_SERVICE:-shop}"',
  'test -e "/srv/${ORCH_TARGET_SERVICE,,}"',
  'test -e "/srv/${ORCH_TARGET_SERVICE/s*/x}" && pgrep -x "$ORCH_TARGET_SERVICE"',
])("it is named by %s", (text) => {
  expect(names(text)).toBe(true);
});
