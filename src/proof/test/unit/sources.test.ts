// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { chanceIn } from "../../read-check.ts";

const CHANCE = [
  ["[ $((RANDOM % 2)) = 0 ]", "$RANDOM"],
  ["(( RANDOM % 2 ))", "$RANDOM"],
  ["(( RANDOM < 20000 ))", "$RANDOM"],
  ["[ $RANDOM -lt 31000 ]", "$RANDOM"],
  ["[[ $RANDOM -lt 31000 ]]", "$RANDOM"],
  ["r=$RANDOM; if [ $r -gt 100 ]; then exit 0; fi; exit 1", "$RANDOM"],
  ["r=$((RANDOM % 2)); exit $r", "$RANDOM"],
  ["exit $((RANDOM % 2))", "$RANDOM"],
  ["let 'x=RANDOM%2'; [ $x = 1 ]", "$RANDOM"],
  ["echo $((RANDOM % 2)) | grep -q 1", "$RANDOM"],
  ["grep -q 1 <<<$((RANDOM % 2))", "$RANDOM"],
  ["a=(true false); ${a[RANDOM % 2]}", "$RANDOM"],
  ["case $((SRANDOM % 2)) in 0) exit 1 ;; esac", "$RANDOM"],
  ["bash -c '[ $((RANDOM % 2)) = 0 ]'", "$RANDOM"],
  ["[ -e /proc/$RANDOM ]", "$RANDOM"],
  ["[ $(( $$ % 2 )) = 0 ]", "the remainder of $$"],
  ["(( BASHPID % 2 ))", "the remainder of BASHPID"],
  ["[ $(( $(date +%s) % 2 )) = 0 ]", "the remainder of date"],
  ["t=$(date +%s); (( t % 2 == 0 ))", "the remainder of date"],
  ["expr $(date +%s) % 2", "the remainder of date"],
  ["(( EPOCHSECONDS % 2 ))", "the remainder of EPOCHSECONDS"],
  ["(( SECONDS % 2 ))", "the remainder of SECONDS"],
  ["[ $(date +%N) -lt 500000000 ]", "date +%N"],
  ["date +%s | awk '{ exit $1 % 2 }'", "the remainder of date"],
  ["[ $(( $(cut -d. -f1 /proc/uptime) % 2 )) = 0 ]", "the remainder of uptime"],
  ["u=$(cut -d. -f1 </proc/uptime); (( u % 2 ))", "the remainder of uptime"],
  ['[ "$(shuf -i 0-1 -n 1)" = 1 ]', "a random value"],
  ["shuf -e true false -n 1 | grep -q true", "a random value"],
  ["ping -c1 $(shuf -n1 hosts)", "a random value"],
  ['[ "$(head -c1 /dev/urandom | od -An -tu1)" -lt 128 ]', "/dev/urandom"],
  ["od -An -N1 -tu1 </dev/urandom | grep -q '[02468]$'", "/dev/urandom"],
  ['[ "$(uuidgen)" != "$ORCH_BEFORE" ]', "a random value"],
  ["openssl rand -hex 1 | grep -q '^[0-7]'", "a random value"],
  ["awk 'BEGIN { srand(); exit rand() < 0.5 }'", "a random number"],
  ["python3 -c 'import random, sys; sys.exit(random.random() < 0.5)'", "a random number"],
  ["python3 -c 'import time, sys; sys.exit(int(time.time()) % 2)'", "the remainder of time"],
] as const;

const HONEST = [
  // The moment of the run is time, and no chance.
  "date +%s | grep -q '[02468]$'",
  "[ $(date +%S) -lt 30 ]",
  'x=$(date +%s%N); [ "$x" != "$ORCH_BEFORE" ]',
  "s=$(date +%s%3N); curl -f http://web; [ $(( $(date +%s%3N) - s )) -lt 500 ]",
  "date; curl -f http://web & (sleep 1)",
  "grep -q RANDOM f",
  "date; curl -f http://web/a%20b",
  "date; printf '%5s %-3d' a 1",
  "docker inspect web",
  "sleep $((RANDOM % 5)); curl -fsS http://web",
  'curl -fsS "http://web/?nocache=$RANDOM"',
  "f=$(mktemp); curl -fsS http://web >$f && grep -q ok $f",
  "f=/tmp/x.$$; curl -fsS http://web >$f; [ -s $f ]",
  "end=$((SECONDS + 60)); while [ $SECONDS -lt $end ]; do curl -f http://web && exit 0; sleep 1; done; exit 1",
  "while (( SECONDS < 60 )); do curl -f http://web && exit 0; sleep 1; done; exit 1",
  "end=$(( $(date +%s) + 60 )); while [ $(date +%s) -lt $end ]; do curl -f http://web && exit 0; done; exit 1",
  "[ $(( $(date +%s) - $(stat -c %Y /srv/backup) )) -lt 3600 ]",
  "age=$(( $(date +%s) - $(stat -c %Y /srv/backup) )); (( age < 3600 ))",
  "now=$(date +%s); then=$(stat -c %Y f); [ $((now - then)) -lt 60 ]",
  "s=$(date +%s%N); curl -f http://web; e=$(date +%s%N); [ $(( (e - s) / 1000000 )) -lt 500 ]",
  "[ $(cut -d. -f1 /proc/uptime) -lt 600 ]",
  '[ "$(stat -c %y /srv/backup | cut -d" " -f1)" = "$(date +%F)" ]',
  '[ "$(stat -c %Y /srv/backup)" -gt "$(date -d "1 day ago" +%s)" ]',
  "kill -0 $$",
  "echo $RANDOM; docker inspect web",
  "test -f /var/backups/$(date +%F).tar.gz",
  "df --output=pcent / | tail -1 | awk '{ exit $1 > 90 }'",
  "printf '%s' x",
  "",
  "if true; then",
];

describe("chanceIn", () => {
  test.each(CHANCE)("finds what decides in %j", (text, what) => {
    expect(chanceIn(text)).toBe(what);
  });

  test.each(HONEST)("finds nothing in %j", (text) => {
    expect(chanceIn(text)).toBeNull();
  });
});
