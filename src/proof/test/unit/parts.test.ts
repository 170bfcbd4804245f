// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// The parts of a check that all have to hold, as checks of their own: the last one first.
import { describe, expect, test } from "vitest";
import { conjunctsOf, withoutSelfComparison } from "../../parts.ts";

describe("the parts of", () => {
  test.each<[string, readonly string[]]>([
    ["a && b && c", ["a || :; b || :; c", "a || :; b", "a"]],
    ["x=1; a |\n b && c", ["x=1; a |\n b || :; c", "x=1; a |\n b"]],
    ["a || exit 1; b", ["a || :; b", "a"]],
    ["x=$(a) || { echo no >&2; exit 2; }\nb && c || exit 1", ["x=$(a) || :\nb || :; c", "x=$(a) || :\nb", "x=$(a)"]],
    ["a && b || false", ["a || :; b", "a"]],
    ["set -eu\na\nb; c", ["set -eu\na || :\nb || :; c", "set -eu\na || :\nb", "set -eu\na"]],
    ["a || exit 1; b || c", ["a || :; b || c", "a"]],
    ["x=1; (a && b)", ["x=1; a || :; b", "x=1; a"]],
    ["if a; then b; else exit 1; fi", ["{ a\n} || :; { b\n}", "{ a\n}"]],
    ["[[ -e a && $b == c ]]", ["[[ -e a ]] || :; [[ $b == c ]]", "[[ -e a ]]"]],
    ["x && [[ ( -e a && -e b ) ]] || exit 1", ["x || :; [[ -e a ]] || :; [[ -e b ]]", "x || :; [[ -e a ]]", "x"]],
    ['[ -e a -a "$b" = c ]', ['[ -e a ] || :; [ "$b" = c ]', "[ -e a ]"]],
    ["test -e a -a ! -e b", ["[ -e a ] || :; [ ! -e b ]", "[ -e a ]"]],
    ["a <<x && b\nx\n", ["a <<x || :; b\nx\n"]],
  ])("%j", (text, expected) => {
    expect(conjunctsOf(text)).toEqual(expected);
  });

  test.each([
    "",
    "a",
    "a; b",
    "a || b",
    "a && b || c",
    "a && b || exit 0",
    "a || exit 1",
    "if a; then b; fi",
    "a &&",
    "[[ a || b ]]",
    "! [[ -e a && -e b ]]",
    "[ -a f ]",
    "[ a -a b -o c ]",
  ])("%j are none", (text) => {
    expect(conjunctsOf(text)).toEqual([]);
  });
});

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
