// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Promises 3.2: a check that does not do in bash what it seems to do.
import { describe, expect, test } from "vitest";
import { misreadPart, wordingFault } from "../../misread.ts";

const RETURN = "`return` outside of a function does not end the check; instead: exit";
const LESS = "`<` in [ ] opens a file and compares nothing; instead: -lt";
const MORE = "`>` in [ ] opens a file and compares nothing; instead: -gt";
const TEXT_MORE = "`>` in [[ ]] compares text, not numbers; instead: -gt";
const TEXT_LESS = "`<` in [[ ]] compares text, not numbers; instead: -lt";

const REFUSED: readonly (readonly [string, string])[] = [
  ['for s in web db; do grep -q "$s ok" svc || return 1; done; test -f conf', RETURN],
  ["grep -q up f || return 1\ntest -f b", RETURN],
  ["if ! grep -q up f; then return 1; fi\ntest -f b", RETURN],
  ["ok() { grep -q up f; }; ok || return 1; test -f b", RETURN],
  ["bash -c 'grep -q up f || return 1; test -f b'", RETURN],
  ["timeout 9 bash -c 'grep -q up f || return 1; test -f b'", RETURN],
  ['x="$(grep up f || return 1)"; test -f b', RETURN],
  ["grep -q up f || break; test -f b", "`break` outside of a loop does nothing; instead: exit"],
  ["grep -q up f || continue; test -f b", "`continue` outside of a loop does nothing; instead: exit"],
  ['local x=$(grep bad f); test -z "$x"', "`local` outside of a function sets nothing; leave it out"],
  ['[ "$(cat f)" > 7 ]', MORE],
  ['test "$(cat f)" > 7', MORE],
  ['[ "$(df --output=pcent / | tail -1)" < 90 ]', LESS],
  ["[ $(wc -l < f) > 3 ] && test -f b", MORE],
  ["! [ $(wc -l < f) > 3 ]", MORE],
  ["[[ $(cat f) > 10 ]]", TEXT_MORE],
  ["[[ $n < 90 && -f b ]]", TEXT_LESS],
  ["if [[ 9 < $n ]]; then exit 1; fi; test -f b", TEXT_LESS],
  ['test "$(cat f)"==7', '`"$(cat f)"==7` is one word, so it is always true; put blanks around `==`'],
  ['[ "$(cat f)"=7 ]', '`"$(cat f)"=7` is one word, so it is always true; put blanks around `=`'],
  ["[ ! $x!=7 ]", "`$x!=7` is one word, so it is always true; put blanks around `!=`"],
  ["[[ $(cat f)==7 ]]", "`$(cat f)==7` is one word, so it is always true; put blanks around `==`"],
  ["[ -n $x ]", '`-n $x` is also true if $x is empty; instead: -n "$x"'],
  ["test -n $(cat f)", '`-n $(cat f)` is also true if $(cat f) is empty; instead: -n "$(cat f)"'],
  ["[ -n ${x} ] && test -f b", '`-n ${x}` is also true if ${x} is empty; instead: -n "${x}"'],
];

const ACCEPTED = [
  'check() { grep -q "$1 ok" svc || return 1; }; check web && check db',
  "ok() { local x; x=$(cat f) && test $x = 7; }; ok",
  "for f in a b; do [ -f $f ] || continue; grep -q up $f || exit 1; done",
  "while read -r s; do case $s in end) break ;; esac; grep -q $s f || exit 1; done < list",
  "skip() { continue; }; for f in a b; do test -f $f || skip; done; test -f c",
  '[ "$(wc -l < f)" -gt 3 ]',
  '[ "$x" \\> 7 ]',
  '[ "$x" ">" "$y" ]',
  '[ "$(cat f)" = 7 ] 2>/dev/null',
  "test -t 0 < /dev/null",
  "[ -f f ] > /dev/null",
  "[[ $n -gt 10 ]]",
  "(( n > 10 ))",
  '[[ "$a" < "$b" ]]',
  "[[ $day > 2026-01-01 ]]",
  "[[ -n $x ]]",
  '[ -n "$x" ]',
  "[ -n a$x ]",
  "[ ! -z $x ]",
  "[ -f $x ]",
  'test "$(grep port=80 conf)"',
  "test $(grep -c port=80 conf) = 1",
  'test "a=b"',
];

describe("promises 3.2: a check", () => {
  test.each(REFUSED)("%j is refused", (text, why) => {
    expect(misreadPart(text)).toBe(why);
  });

  test.each(ACCEPTED)("%j is accepted", (text) => {
    expect(misreadPart(text)).toBeNull();
  });

  test("a line that decides nothing is reported before a misread part", () => {
    expect(wordingFault("test -f a; test -f b")).toContain("line 1 decides nothing");
  });
});
