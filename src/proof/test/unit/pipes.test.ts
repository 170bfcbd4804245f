// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Promises 3.1: which part of a pipeline decides, and where a reader that stops early is refused.
import { describe, expect, test } from "vitest";
import { readPipes } from "../../pipes.ts";

const BY_LAST_PART = [
  "if dpkg -l | grep -q '^ii  adduser'; then exit 1; fi; test -f done.txt",
  "git log | grep -q X",
  "! docker ps | grep -q web",
  "docker ps | grep -qx web || exit 1",
  "git log | head -5 | grep -q X",
  "git log |& grep -m 1 X",
  "git log | grep -l X",
  "git log | sudo -n grep -q X",
  "git log | timeout 5 /usr/bin/egrep -q X",
  "git log | (grep -q X)",
  "git log | LC_ALL=C grep --quiet X",
  "until docker logs web | grep -q ready; do sleep 1; done",
  "while ! docker logs web | grep -q ready; do sleep 1; done",
  "ready() { docker logs web | grep -q ready; }; ready",
  "for s in a b; do docker ps | grep -q $s || exit 1; done",
  "yes | head -1 && test -f x",
  'echo "$out" | head -1 | grep -q X && printf "%s" "$out" | sed q',
  'test "$(git log | wc -l)" -gt 3 && git log | grep -q X',
  "docker ps | grep -q web; [ $? -eq 1 ]",
];

/** With what the refusal says to write instead. */
const REFUSED: readonly (readonly [string, string])[] = [
  ["git log | head -1", "`git log | sed -n 1p`"],
  ["git log | head -n 5 && test -f x", "`git log | sed -n 1,5p`"],
  ["git log | head", "`git log | sed -n 1,10p`"],
  ["journalctl | sed q", 'out=$(journalctl) && ...`, and ask "$out"'],
  ["journalctl | sed -n '/x/{p;q}'", "out=$(journalctl)"],
  ["journalctl | awk '{exit}'", "let awk exit in END"],
  ["journalctl | awk '/x/ {print; exit 0}'", "let awk exit in END"],
  ["journalctl | read line", "out=$(journalctl)"],
  ['git log | { read x; test "$x" = a; }', "out=$(git log)"],
  ["git log | while read -r l; do [ $l = a ] && exit 0; done", "out=$(git log)"],
  ["git log | true", "out=$(git log)"],
  ["git log | perl -ne 'exit if /x/'", "out=$(git log)"],
  ["x=$(git log | head -1) && test -n $x", "`git log | sed -n 1p`"],
  ["gzip -dc a.gz | wc -l && git log | grep -q X", "`git log | grep X`"],
  ["curl -f x | jq -e .ok && git log | grep -Eqx 'a b'", "`git log | grep -Ex 'a b'`"],
  ["set -o pipefail; git log | grep -q X", "`git log | grep X`"],
  ["set -euo pipefail; if git log | grep -q X; then exit 1; fi", "`git log | grep X`"],
  ["bash -o pipefail -c 'git log | grep -q X'", "`git log | grep X`"],
  ["timeout 9 bash -euo pipefail -c 'if git log | grep -q X; then exit 1; fi'", "`git log | grep X`"],
  ["sh -c 'set -o pipefail; git log | head -1'", "`git log | sed -n 1p`"],
  ["git log | grep -qL X", "`git log | grep -L X`"],
  ["pg_dump db | gzip -t && yes | apt-get check", "apt-get check < <(yes)"],
];

const UNTOUCHED = [
  "git log",
  "git log || head -1 f",
  "git log | grep X",
  "git log | grep -c X",
  "git log | wc -l",
  "gzip -dc a.gz | tar -t",
  'test "$(git log | head -1)" = x',
  'x=$(git log | head -1); test "$x" = y',
  "free -m | awk '/^Mem:/ {exit ($7 < 64)}'",
  "df / | awk 'NR==2 {ok=1} END {exit !ok}'",
  "ps | awk '/x/ {exit 1}'",
  "git log | head -n -1",
  "git log | while read -r l; do echo $l; done",
  "git log | { grep -q X; cat; }",
  "echo 'a | head -1'",
  "set +o pipefail; git log | head -1",
  "bash -c 'git log | grep -q X'",
  "git log | sed -n 1p",
  "git log | sed 's/q/x/'",
];

describe("promises 3.1: a check", () => {
  test.each(BY_LAST_PART)("%j is decided by the last part of its pipelines", (text) => {
    expect(readPipes(text, { strict: false })).toEqual({ last_part_decides: true, faults: [] });
  });

  test.each(REFUSED)("%j is refused with a text that reads everything", (text, instead) => {
    const { last_part_decides, faults } = readPipes(text, { strict: false });
    expect([last_part_decides, faults]).toEqual([false, [expect.stringContaining(instead)]]);
  });

  test.each(UNTOUCHED)("%j is as it is", (text) => {
    expect(readPipes(text, { strict: false })).toEqual({ last_part_decides: false, faults: [] });
  });
});

describe("promises 3.1: a command", () => {
  test.each([
    "if ! docker ps | grep -q web; then docker start web; fi",
    "docker ps | grep -q web || docker start web",
    "yes | apt-get install -y jq",
    "! docker ps | grep -q web",
  ])("%j is decided by the last part of its pipelines", (text) => {
    expect(readPipes(text, { strict: true }).last_part_decides).toBe(true);
  });

  test.each([
    "pg_dump db | gzip > f; if docker ps | grep -q web; then docker restart web; fi",
    "first=$(git log | head -1) || exit 1; pg_dump db | gzip > f",
  ])("%j is refused: a condition in it may go wrong", (text) => {
    expect(readPipes(text, { strict: true }).faults).toHaveLength(1);
  });

  test.each(["journalctl | head -50", "pg_dump db | gzip > f; journalctl | head -1", "docker logs web | sed q"])(
    "%j keeps pipefail: where the writer is stopped, the command fails and says so",
    (text) => {
      expect(readPipes(text, { strict: true })).toEqual({ last_part_decides: false, faults: [] });
    },
  );
});

test("a text that is nested too deeply has no reading", () => {
  expect(readPipes(`${"( ".repeat(20_000)}a | head -1${" )".repeat(20_000)}`, { strict: false }).faults).toEqual([]);
});
