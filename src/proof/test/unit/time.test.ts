// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { expect, test } from "vitest";
import { mayTimeTurnGreen } from "../../read-check.ts";

// Labelled before they were judged: time alone may turn these green.
const RISING = [
  '! find . -newermt "2 seconds ago" | grep -q .',
  '[ -z "$(find logs -mmin -1)" ]',
  "[ $(( $(date +%s) - $(stat -c %Y f) )) -gt 5 ]",
  "find . -not -newermt '-3 seconds' -name f | grep -q .",
  '[ "$(date -r f +%s)" -lt "$(date -d \'5 seconds ago\' +%s)" ]',
  "find f -not -newermt \"$(date -d '2 seconds ago')\" | grep -q f",
  "test $(( $(date +%s) - $START )) -ge 3",
  'journalctl --since "-5s" | (! grep error)',
  '! journalctl --since "10 sec ago" | grep -q error',
  "[ $SECONDS -ge 3 ]",
  '[ "$(cut -d. -f1 /proc/uptime)" -gt 600 ]',
  '[ "$(ps -o etimes= -p 1)" -ge 60 ]',
  "(( EPOCHSECONDS - $(stat -c %Y f) >= 5 ))",
  "now=$(date +%s); m=$(stat -c %Y f); test $((now - m)) -gt 3 && echo ok",
  "python3 -c 'import os,time,sys; sys.exit(time.time()-os.path.getmtime(\"f\") < 5)'",
  "uptime | grep -q 'min'",
  "docker ps --filter name=x --format '{{.Status}}' | grep -q 'Up [2-9] minutes'",
  "until [ $(( $(date +%s) - $(stat -c %Y f) )) -gt 5 ]; do sleep 1; done",
  "! openssl x509 -checkend 100 -in c.pem",
  "t=$(mktemp); touch -d '-5 seconds' $t; [ f -ot $t ]",
  "t=$(mktemp); touch -d '-5 seconds' $t; [ -z \"$(find . -newer $t)\" ]",
  "git log --since '5 seconds ago' --oneline | (! grep .)",
  "git log --until '5 seconds ago' --oneline | grep -q fix",
  "psql -tc \"select count(*)=0 from e where t > now() - interval '5 seconds'\" | grep -q t",
  "curl -s \"$PROM/query?query=rate(errors[5m])\" | jq -e '.data.result|length==0'",
  "printf '%(%s)T' -1 | { read t; [ $((t - $(stat -c %Y f))) -gt 5 ]; }",
  "timeout 5 bash -c '! find . -mmin -1 | grep -q .'",
  "perl -e 'exit !(-M \"f\" > 0.0001)'",
  "systemctl status x | grep -q 'min ago'",
  '[ "$(date -d "$(stat -c %y f) + 5 seconds" +%s)" -lt "$(date +%s)" ]',
  "echo '[ -z \"$(find . -mmin -1)\" ]' | bash",
  "printf -v now '%(%s)T' -1; [ $((now - $(stat -c %Y f))) -gt 5 ]",
  "[ $(( $(stat -c %Y /proc/self) - $(stat -c %Y f) )) -gt 5 ]",
  "pgrep --older 5 -x nginx",
  "pgrep -O 5 -x nginx",
  "[ \"$(jq -n 'now' | cut -d. -f1)\" -gt 5 ]",
  '[ "$(psql -tc "select count(*) from e where t > now() - interval \'5 s\'")" -eq 0 ]',
  "kubectl get pods | grep web | grep -qE '[0-9]+m'",
  "fd --changed-before 5s f | grep -q f",
  "{ find . -mmin -1 | grep -q . && false; } || true && [ $(( $(date +%s) - $(stat -c %Y f) )) -gt 2 ]",
  "last=$(stat -c %Y f); (( last + 5 < $(date +%s) ))",
  'n=5; [ "$(date -r f +%s)" -lt "$(date -d "-$n seconds" +%s)" ]',
  "ls -l --time-style=+%s f | awk -v now=\"$(date +%s)\" '{exit !(now-$6 > 5)}'",
];

test.each(RISING)("time alone may turn %j green", (text) => {
  expect(mayTimeTurnGreen(text)).toBe(true);
});

/** Time turns these red, or nothing. They look at the clock, so they count for less. */
const FALLING = [
  "[ -n \"$(find backup -newermt '-1 day')\" ]",
  '[ "$(stat -c %Y b)" -gt "$(date -d \'1 day ago\' +%s)" ]',
  'end=$((SECONDS+90)); while [ $SECONDS -lt $end ]; do [ "$(curl -s -o /dev/null -w \'%{http_code}\' "$U/health")" = 200 ] && exit 0; sleep 5; done; false',
  'deadline=$(( $(date +%s) + 120 )); until curl -fs "$U" | grep -qx 2.4.0; do [ "$(date +%s)" -lt "$deadline" ] || exit 1; sleep 4; done',
  "stop=$((EPOCHSECONDS+60)); until curl -fsS \"$U\" | jq -e 'length==3' >/dev/null; do ((EPOCHSECONDS<stop)) || exit 1; sleep 2; done",
  "until curl -f http://web; do (( SECONDS > 60 )) && exit 1; sleep 1; done",
  "SECONDS=0; until curl -f http://web; do if [ $SECONDS -gt 60 ]; then echo timeout; exit 1; fi; sleep 1; done",
  "start=$(date +%s); while true; do curl -f x && break; [ $(( $(date +%s) - start )) -gt 60 ] && exit 1; sleep 1; done",
  'end=$(date -d "$(openssl x509 -enddate -noout -in "$D/tls.pem" | cut -d= -f2)" +%s) && (( (end - $(date +%s)) / 86400 > 14 ))',
  "journalctl -u x --since '5 min ago' | grep -q started",
  "start=$(docker inspect -f '{{.State.StartedAt}}' x); ! docker logs --since \"$start\" x 2>&1 | grep -q error",
  "git log -1 --since='1 day ago' --format=%h | grep -q .",
  "touch -d '-1 day' /tmp/ref; [ b -nt /tmp/ref ]",
  "[ b -nt a ]",
  "[ \"$(find b -newermt '2026-01-01' | wc -l)\" -ge 1 ]",
  "docker ps --filter name=web --format '{{.Status}}' | grep -q '^Up'",
];

test.each(FALLING)("%j looks at the clock, and which way time turns it is not followed", (text) => {
  expect(mayTimeTurnGreen(text)).toBe(true);
});

test.each(["d\\ate +%s | grep -q 1", 'da""te | grep -q 1', "$'\\x64ate' | grep -q 1"])(
  "%j is read as the shell reads it",
  (text) => {
    expect(mayTimeTurnGreen(text)).toBe(true);
  },
);

test.each([
  "",
  "if true; then",
  "true",
  "docker inspect web",
  "fail=0; grep -q x f || fail=1; exit $fail",
  "kubectl get pods -l app=web | grep -q '1/1.*Running'",
  "systemctl is-active --quiet x && journalctl -u x -n 20 | grep -q ready",
  "pgrep -f worker",
  "curl -fsS http://web/update?name=candidate",
  "[ \"$(docker inspect -f '{{.State.Health.Status}}' web)\" = healthy ]",
  "kubectl get pod web -o jsonpath='{.status.phase}' | grep -qx Running",
  "for i in {1..30}; do curl -fs http://web/ && exit 0; sleep 2; done; exit 1",
])("%j does not look at the clock", (text) => {
  expect(mayTimeTurnGreen(text)).toBe(false);
});
