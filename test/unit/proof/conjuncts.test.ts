// The parts of a check that all have to hold, as checks of their own: the last one first.
import { describe, expect, test } from "vitest";
import { conjunctsOf } from "../../../src/proof/conjuncts.ts";

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
