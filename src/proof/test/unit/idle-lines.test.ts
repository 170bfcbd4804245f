// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Promises 3.2: a check of which a command decides nothing.
import { describe, expect, test } from "vitest";
import { idleLine } from "../../misread.ts";

/** With the command that decides nothing, and its line. */
const REFUSED: readonly (readonly [string, number, string])[] = [
  ["grep -qx up health.txt\ngrep -qx 7 release.txt", 1, "grep -qx up health.txt"],
  ["grep -qx up health.txt; grep -qx 7 release.txt", 1, "grep -qx up health.txt"],
  ["# both\n\ntest -f a\ntest -f b", 3, "test -f a"],
  ["[ -f a ]; [ -f b ]", 1, "[ -f a ]"],
  ["[[ -f a ]]\n[[ -f b ]]", 1, "[[ -f a ]]"],
  ["(( $(wc -l < a) > 3 ))\ntest -f b", 1, "(( $(wc -l < a) > 3 ))"],
  ["! grep -q down f\ntest -f b", 1, "! grep -q down f"],
  ["curl -fsS http://a/health\ncurl -fsS http://b/health", 1, "curl -fsS http://a/health"],
  ["grep -q up f & test -f b", 1, "grep -q up f"],
  ["grep -q up f || true; test -f b", 1, "grep -q up f || true"],
  ["grep -q up f || echo down; test -f b", 1, "grep -q up f || echo down"],
  ["grep -q up f && echo up; test -f b", 1, "grep -q up f && echo up"],
  ["( grep -q up f ); test -f b", 1, "( grep -q up f )"],
  ["( grep -q up f; test -f b )", 1, "grep -q up f"],
  ["{ grep -q up f; test -f b; } && test -f c", 1, "grep -q up f"],
  ["ok() { grep -q up f; test -f b; }; ok", 1, "grep -q up f"],
  ["ok() { grep -q up f; }; ok; test -f b", 1, "ok"],
  [
    "if grep -q up f; then echo up; else echo down; fi; test -f b",
    1,
    "if grep -q up f; then echo up; else echo down; fi",
  ],
  ["if grep -q up f; test -f b; then exit 0; fi; exit 1", 1, "grep -q up f"],
  ["if true; then grep -q up f; test -f b; else exit 1; fi", 1, "grep -q up f"],
  ["while grep -q starting f; test -f b; do sleep 1; done", 1, "grep -q starting f"],
  ['for f in a b c; do test -f "$f"; done', 1, 'test -f "$f"'],
  ['for f in a b c; do test -f "$f"; done; test -f d', 1, 'for f in a b c; do test -f "$f"; done'],
  ['while read -r f; do test -f "$f"; done < list', 1, 'test -f "$f"'],
  ["case $ORCH_TARGET_ENV in prod) grep -q up f; test -f b ;; *) exit 1 ;; esac", 1, "grep -q up f"],
  ["cd /srv/app; test -f b", 1, "cd /srv/app"],
  ["test -f a; set -e; test -f b", 1, "test -f a"],
  ["set -e\nset +e\ntest -f a\ntest -f b", 3, "test -f a"],
  ["set -e\ngrep -q up f && grep -q 7 g\ntest -f b", 2, "grep -q up f && grep -q 7 g"],
  ["set -e\n! grep -q down f\ntest -f b", 2, "! grep -q down f"],
  ["docker ps | grep web\ntest -f b", 1, "docker ps | grep web"],
  ["bash -c 'test -f a; test -f b'", 1, "test -f a"],
  ["timeout 9 bash -c 'test -f a\ntest -f b'", 1, "test -f a"],
  ["docker exec web sh -c 'test -f a; test -f b'", 1, "test -f a"],
  ["ssh edge1 'test -f a; test -f b'", 1, "test -f a"],
  ["ssh edge1 <<'EOF'\ntest -f a\ntest -f b\nEOF", 1, "test -f a"],
  ["bash <<EOF && test -f c\ntest -f a\ntest -f b\nEOF", 1, "test -f a"],
  ["sudo bash -c \"ssh edge1 'test -f a; test -f b'\"", 1, "test -f a"],
  ["timeout 5 bash -c 'curl -f x'\ntest -f b", 1, "timeout 5 bash -c 'curl -f x'"],
];

const ACCEPTED = [
  "test -f a",
  "test -f a && test -f b",
  "bash -ec 'test -f a; test -f b'",
  "bash -euo pipefail -c 'test -f a; test -f b'",
  "ssh edge1 'set -e; test -f a; test -f b'",
  "ssh edge1 'test -f a && test -f b'",
  "ssh edge1 <<'EOF'\nset -e\ntest -f a\ntest -f b\nEOF",
  "ssh -o ConnectTimeout=5 edge1 'cd app && git diff --quiet'",
  "timeout 60 bash -c 'until curl -sf x >/dev/null; do sleep 1; done'",
  "test -f a &&\n  test -f b",
  "test -f a || exit 1\ntest -f b",
  "test -f a || { echo 'no a' >&2; exit 1; }\ntest -f b",
  "test -f a || { docker logs web; exit 1; }",
  "set -e\ntest -f a\ntest -f b",
  "set -euo pipefail\ncd /srv/app\ntest -f b",
  "set -o errexit; test -f a; test -f b",
  "cd /srv/app && test -f b",
  "cd /srv/app || exit 1; test -f b",
  'x=$(cat release.txt)\ntest "$x" = 7',
  'x=$(cat release.txt)\ny=$(cat other.txt)\n[ "$x" = "$y" ]',
  "export LC_ALL=C\ntest -f b",
  "# a comment\necho looking\nsleep 1\ntest -f b",
  "trap 'rm -f t' EXIT\ntest -f b",
  "ok() { curl -fsS x; }\nok",
  'retry() { local n=$1; shift; until "$@"; do ((n-- > 0)) || return 1; sleep 2; done; }\nretry 15 curl -f x',
  "for i in 1 2 3; do curl -fsS x && exit 0; sleep 2; done; exit 1",
  "for i in 1 2 3; do if curl -fsS x; then exit 0; fi; sleep 2; done\nexit 1",
  'for f in a b c; do test -f "$f" || exit 1; done',
  'ok=1; for f in a b c; do test -f "$f" || ok=0; done; [ "$ok" = 1 ]',
  'n=0; for f in a b; do [ -f "$f" ] && n=$((n+1)); done; [ "$n" -eq 2 ]',
  "until curl -fsS x; do sleep 1; done\ntest -f b",
  "end=$((SECONDS+30)); while [ $SECONDS -lt $end ]; do curl -f x && exit 0; sleep 1; done; false",
  "if ! grep -q up f; then exit 1; fi\ntest -f b",
  "if grep -q up f; then test -f b; else exit 1; fi",
  "grep -q up f; rc=$?; rm -f t; exit $rc",
  "docker ps | grep web; [ ${PIPESTATUS[0]} -eq 0 ]",
  "curl -f x & curl -f y & wait -n && wait -n",
  "sleep 30 & until curl -f x; do sleep 1; done; kill $!",
  "cat > /dev/null <<EOF; test -f b\nx\nEOF".replace("cat > /dev/null", "read -r x"),
  'read -r v < VERSION; [ "$v" = 7 ]',
  "shopt -s nullglob; files=(backup/*.sql); (( ${#files[@]} > 0 ))",
  "bad=0; grep -q up f || bad=1; grep -q 7 g || bad=1; exit $bad",
  "((i = 3)); test $i -lt 4",
  "! grep -q down f && test -f b",
  "exec 3<> /dev/tcp/127.0.0.1/80 && head -1 <&3 | grep -q 200",
];

describe("promises 3.2: a check", () => {
  test.each(REFUSED)("%j is refused", (text, line, command) => {
    const shown = command.replace(/\s+/g, " ");
    const cut = shown.length > 60 ? `${shown.slice(0, 60)}...` : shown;
    expect(idleLine(text)).toBe(
      `line ${line} decides nothing: nothing looks at the exit code of \`${cut}\`; join the lines with &&, or begin with set -e`,
    );
  });

  test.each(ACCEPTED)("%j is accepted", (text) => {
    expect(idleLine(text)).toBeNull();
  });
});
