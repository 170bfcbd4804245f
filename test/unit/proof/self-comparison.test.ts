// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// A comparison of an operand with itself decides nothing: its outcome is put in its place before a check is examined.
import { describe, expect, test } from "vitest";
import { withoutSelfComparison } from "../../../src/proof/check-text.ts";

describe("a comparison of an operand with itself", () => {
  test.each([
    ["cmp -s app.conf app.conf", ":"],
    ["cmp -s ./app.conf app.conf", ":"],
    ["diff -q app.conf 'app.conf' >/dev/null", ":"],
    ["diff -U 3 app.conf app.conf", ":"],
    ['cmp "$ORCH_TARGET_FILE" "$ORCH_TARGET_FILE"', ":"],
    ["test app.conf -ef app.conf", ":"],
    ['[ "$x" = "$x" ]', ":"],
    ["[ app.conf -nt app.conf ]", "false"],
    ["[[ app.conf -ef app.conf ]]", "[[ -n 1 ]]"],
    ["[[ $a -lt $a || -e b ]]", "[[ -z 1 || -e b ]]"],
    ["cmp -s a a && curl -f http://web/ || exit 1", ": && curl -f http://web/ || exit 1"],
    ["if ! cmp -s a a; then exit 1; fi; test -d /", "if ! :; then exit 1; fi; test -d /"],
  ])("%j is %j", (text, expected) => {
    expect(withoutSelfComparison(text)).toBe(expected);
  });

  test.each([
    "cmp -s app.conf other.conf",
    "cmp -i 0:8 app.conf app.conf",
    "diff a b a",
    "diff -x a b a",
    "[ a = b ]",
    "[ $RANDOM = $RANDOM ]",
    '[ "$(cat a)" = "$(cat a)" ]',
    "cmp /dev/urandom /dev/urandom",
    "echo cmp a a",
    "cmp a",
    "cmp a a (",
  ])("is nowhere in %j", (text) => {
    expect(withoutSelfComparison(text)).toBe(text);
  });
});
