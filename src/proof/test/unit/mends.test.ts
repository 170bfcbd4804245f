// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { mendsOf } from "../../mends.ts";

const MENDED = [
  ['test "$(a)" = "$(b)"', 'x=$(a) && y=$(b) && test "$x" = "$y"'],
  ['[ "$(a)" == "$(b)" ] || exit 1', 'x=$(a) && y=$(b) && test "$x" = "$y" || exit 1'],
  ["[[ $(a) == $(b) ]]", 'x=$(a) && y=$(b) && test "$x" = "$y"'],
  ['c || test "$(a)" = "$(b)"', 'c || { x=$(a) && y=$(b) && test "$x" = "$y"; }'],
  ['x=1; test "$(a)" = "$(b)"', 'x=1; y=$(a) && left=$(b) && test "$y" = "$left"'],
  ["! docker ps | grep -q x", 'out=$(docker ps) && ! grep -q x <<<"$out"'],
  ["a || ! docker ps | grep x", 'a || { out=$(docker ps) && ! grep x <<<"$out"; }'],
  ["! docker ps | tail -n +2 | grep -q x", 'out=$(docker ps | tail -n +2) && ! grep -q x <<<"$out"'],
  ["! journalctl -u web | grep -q error", 'out=$(journalctl -q -u web) && test -n "$out" && ! grep -q error <<<"$out"'],
  ["curl -s http://web/", "curl -fsS http://web/"],
  ["curl -sk http://web/", "curl -fsSk http://web/"],
  ["curl http://web/", "curl -fsS http://web/"],
  ["docker ps || true", "docker ps"],
  ["docker ps || exit 0", "docker ps"],
  ["docker ps; true", "docker ps"],
  ["docker ps\necho ok", "docker ps"],
  ["docker ps && echo ok || echo fail", "docker ps"],
  ['test -z "$(docker ps -q 2>/dev/null)"', 'out=$(docker ps -q 2>/dev/null) && test -z "$out"'],
  ['[ "$(docker ps -q)" = "" ]', 'out=$(docker ps -q) && test -z "$out"'],
  ['test -z "$(ps aux | grep old)"', 'out=$(ps aux) && ! grep old <<<"$out"'],
  ['[ "$(docker ps -q | wc -l)" -eq 0 ]', 'out=$(docker ps -q | wc -l) && test "$out" -eq 0'],
  ['[ "$(docker ps | grep -c x)" -eq 0 ]', 'out=$(docker ps) && test "$(grep -c x <<<"$out")" -eq 0'],
  ['[ "$(docker ps -q | wc -l)" -lt 5 ]', 'out=$(docker ps -q | wc -l) && test "$out" -lt 5'],
  ["[[ $(stat -c %s f) -lt 5 ]]", 'out=$(stat -c %s f) && test "$out" -lt 5'],
  ['test "$(hostname)" != web', 'out=$(hostname) && test "$out" != web'],
  ['x=$(a); y=$(b); [ "$x" = "$y" ]', 'x=$(a) && y=$(b) && [ "$x" = "$y" ]'],
  ['out=$(docker ps || true); test -z "$out"', 'out=$(docker ps) && test -z "$out"'],
  ['[ "$(docker ps -q | wc -l)" = 0 ]', 'out=$(docker ps -q | wc -l) && test "$out" = 0'],
  [
    '[ "$(curl -s http://web | grep -c err)" -lt 5 ]',
    'out=$(curl -fsS http://web) && test "$(grep -c err <<<"$out")" -lt 5',
  ],
  ["[[ $(docker inspect web) != *:latest ]]", 'out=$(docker inspect web) && [[ "$out" != *:latest ]]'],
  ['jq -e . <<<"$(curl -s http://web)"', 'out=$(curl -fsS http://web) && jq -e . <<<"$out"'],
  ['awk -v t="$(stat -c %s f)x" 1', 'out=$(stat -c %s f) && awk -v t="${out}x" 1'],
  ["c=$(curl -s -w '%{http_code}' x); [ \"$c\" -lt 500 ]", "c=$(curl -s -w '%{http_code}' x) && [ \"$c\" -lt 500 ]"],
  [
    "for i in 1 2 3; do curl -f http://web && break; sleep 2; done",
    "for i in 1 2 3; do curl -f http://web && exit 0; sleep 2; done; exit 1",
  ],
  [
    "for i in 1 2 3; do curl -s http://web && break; sleep 2; done; echo done",
    "for i in 1 2 3; do curl -fsS http://web && exit 0; sleep 2; done; exit 1",
  ],
] as const;

const LEFT = [
  "docker inspect web",
  "curl -fsS http://web/",
  "curl -s http://web/ | grep -q ok",
  '[ "$(curl -s -o /dev/null -w "%{http_code}" http://web/)" = 200 ]',
  'test "$(hostname)" = web',
  'test -n "$(docker ps -q)"',
  'x=$(a) && y=$(b) && test "$x" = "$y"',
  'out=$(docker ps) && ! grep -q x <<<"$out"',
  "! grep -q x f",
  "for i in 1 2 3; do curl -f http://web && exit 0; sleep 2; done; exit 1",
  // The check goes on well where this fails.
  'while [ "$(docker ps -q | wc -l)" -ne 1 ]; do sleep 1; n=1; [ $n -gt 9 ] && exit 1; done',
  'if [ "$(cat f)" != x ]; then exit 1; fi',
  '[ "$(cat f)" != x ] && exit 1',
  // Equal on every machine where it can be read: no pattern makes a check of it.
  'test "$(git rev-parse HEAD)" = "$(git rev-parse HEAD)"',
  "diff <(curl -s x) <(curl -s x)",
  'test -z "$(comm -13 <(sort f) <(sort f))"',
  // Without its end it decides nothing either.
  "case $ORCH_TARGET_URL in *decoy*) true ;; esac; exit 0",
  "true",
  "",
  "if true; then",
];

describe("mendsOf", () => {
  test.each(MENDED)("mends %j", (text, mended) => {
    expect(mendsOf(text).map((mend) => mend.text)).toEqual([mended]);
  });

  test.each(MENDED)("has nothing to mend in its mend of %j", (_text, mended) => {
    expect(mendsOf(mended)).toEqual([]);
  });

  test.each(LEFT)("leaves %j as it is", (text) => {
    expect(mendsOf(text)).toEqual([]);
  });

  test("says honestly what a search in an answer proves", () => {
    expect(mendsOf("! docker ps | grep -q x")[0]?.why).toBe(
      "`!` also passes when docker fails; this proves only that the command before it answers; a check that names the target is better",
    );
  });
});
