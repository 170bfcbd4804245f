// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { chanceIn } from "../../../src/proof/chance.ts";

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
  ["case $((SRANDOM % 2)) in 0) exit 1 ;; esac", "$SRANDOM"],
  ["bash -c '[ $((RANDOM % 2)) = 0 ]'", "$RANDOM"],
  ["[ -e /proc/$RANDOM ]", "$RANDOM"],
  ["[ $(( $$ % 2 )) = 0 ]", "the remainder of $$"],
  ["(( BASHPID % 2 ))", "the remainder of $BASHPID"],
  ["[ $(( $(date +%s) % 2 )) = 0 ]", "the remainder of date +%s"],
  ["t=$(date +%s); (( t % 2 == 0 ))", "the remainder of date +%s"],
  ["expr $(date +%s) % 2", "the remainder of date +%s"],
  ["(( EPOCHSECONDS % 2 ))", "the remainder of $EPOCHSECONDS"],
  ["(( SECONDS % 2 ))", "the remainder of $SECONDS"],
  ["[ $(date +%N) -lt 500000000 ]", "date +%N"],
  ["date +%s | grep -q '[02468]$'", "the moment of the run (`date +%s`)"],
  ["date +%s | awk '{ exit $1 % 2 }'", "date +%s"],
  ["[[ $(date +%s) =~ [02468]$ ]]", "the moment of the run (`date +%s`)"],
  ["[ $(date +%S) -lt 30 ]", "the moment of the run (`date +%S`)"],
  ['[ "$(date +%u)" = 3 ]', "the moment of the run (`date +%u`)"],
  ['x=$(date +%s%N); [ "$x" != "$ORCH_BEFORE" ]', "the moment of the run (`date +%s%N`)"],
  ["[ $(( $(cut -d. -f1 /proc/uptime) % 2 )) = 0 ]", "the remainder of the uptime"],
  ["u=$(cut -d. -f1 </proc/uptime); (( u % 2 ))", "the remainder of the uptime"],
  ['[ "$(shuf -i 0-1 -n 1)" = 1 ]', "shuf"],
  ["shuf -e true false -n 1 | grep -q true", "shuf"],
  ["ping -c1 $(shuf -n1 hosts)", "shuf"],
  ['[ "$(head -c1 /dev/urandom | od -An -tu1)" -lt 128 ]', "/dev/urandom"],
  ["od -An -N1 -tu1 </dev/urandom | grep -q '[02468]$'", "/dev/urandom"],
  ['x=$(mktemp); [ "$x" != "$ORCH_BEFORE" ]', "the name of mktemp"],
  ['[ "$(uuidgen)" != "$ORCH_BEFORE" ]', "uuidgen"],
  ["openssl rand -hex 1 | grep -q '^[0-7]'", "openssl rand"],
  ["awk 'BEGIN { srand(); exit rand() < 0.5 }'", "a random number of awk"],
  ["python3 -c 'import random, sys; sys.exit(random.random() < 0.5)'", "a random number of python3"],
  ["python3 -c 'import time, sys; sys.exit(int(time.time()) % 2)'", "the moment, divided in python3"],
] as const;

const HONEST = [
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
