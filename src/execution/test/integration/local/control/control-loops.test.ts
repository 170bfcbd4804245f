// Checks that wait: time jumps, so that they answer soon, and as they would after the real time.
import { describe, expect, test } from "vitest";
import { answer, check, each, fault, has, impatient, look } from "./a-control.ts";

const GET = "curl -sf -o /dev/null localhost:8080";

const NEEDS_CURL: readonly (readonly [label: string, script: string])[] = [
  ["red", `for i in $(seq 60); do ${GET} && exit 0; sleep 2; done; exit 1`],
  ["green bare", `for i in $(seq 20); do ${GET} && break; sleep 2; done`],
  ["red", `timeout 60 bash -c 'until ${GET}; do sleep 1; done'`],
  ["red", `timeout 90 sh -c 'until ${GET}; do sleep 5; done'`],
  ["red", `n=0; until ${GET}; do n=$((n+1)); [ $n -ge 30 ] && exit 1; sleep 10; done`],
  ["green bare", `timeout 30 bash -c 'until ${GET}; do sleep 1; done' || true`],
  ["red", "curl --retry 10 --retry-delay 3 --retry-connrefused -fsS -o /dev/null localhost:8080"],
  ["red", "curl --retry 5 --retry-all-errors --max-time 10 -fsS -o /dev/null http://localhost:8080/health"],
];

const NEEDS_PERL: readonly (readonly [label: string, script: string])[] = [
  ["red", "perl -e 'for (1 .. 20) { exit 0 if -e q(/srv/ready); sleep 1 } exit 1'"],
  ["red bare", "perl -e 'for (1 .. 20) { exit 0 if -e q(/srv/ready); sleep 1 } exit 0'"],
  ["red", "perl -e '$end = time + 90; while (time < $end) { exit 0 if -e q(/srv/ready); sleep 5 } exit 1'"],
  ["red", "perl -MTime::HiRes=sleep,time -e '$end = time + 9; sleep 0.5 while time < $end; exit 3'"],
];

const LOOPS: readonly (readonly [label: string, script: string])[] = [
  ["red", "for i in {1..30}; do [ -e /srv/app/ready ] && exit 0; sleep 10; done; exit 1"],
  ["green bare", "for i in {1..30}; do [ -e /srv/app/ready ] && exit 0; sleep 10; done"],
  ["red", "timeout -k 5 2m bash -c 'until test -e /srv/ready; do sleep 5; done'"],
  ["red", "timeout --signal=INT 60 sh -c 'while ! test -e /srv/ready; do sleep 1m; done'"],
  ["red", "timeout 300 bash -c 'timeout 5 bash -c \"until test -e /x; do sleep 1; done\"; exit 7'"],
  ["red", "SECONDS=0; until test -e /x; do ((SECONDS > 90)) && exit 1; sleep 3; done"],
  ["red", "bash -c 'SECONDS=0; until test -e /x; do ((SECONDS > 90)) && exit 1; sleep 0.7; done'"],
  ["red", "end=$(($(date +%s) + 60)); while (($(date +%s) < end)); do test -e /x && exit 0; sleep 6; done; exit 1"],
  ["red", "end=$(date -d '+2 minutes' +%s); until test -e /x; do [ $(date +%s) -gt $end ] && exit 1; sleep 20; done"],
  ["red", "end=$((EPOCHSECONDS + 120)); while ((EPOCHSECONDS < end)); do test -e /x && exit 0; sleep 5; done; exit 1"],
  [
    "red",
    "IFS=. read -r a _ <<<$EPOCHREALTIME; sleep 9; IFS=. read -r b _ <<<$EPOCHREALTIME; ((b - a >= 9)) && exit 1; :",
  ],
  ["red", "for i in 1 2 3 4 5; do read -r -t 10 x <> <(:); test -e /x && exit 0; done; exit 1"],
  ["red", "sleep 5m; sleep 1h 2.5h 1d; sleep 0.5; test -e /x"],
  ["red", "a=$(date +%s); sleep 1h; b=$(date +%s); [ $((b - a)) -ge 3600 ] && [ $((b - a)) -le 3602 ] && exit 1; :"],
  ["red", "a=$(date +%s); sleep 600; b=$(date -d '10 minutes ago' +%s); [ $((b - a)) -le 2 ] && exit 1; :"],
  ["red", "sleep 600; [ $(date -ud @86400 +%F) = 1970-01-02 ] && exit 1; :"],
  ["red", "env sleep 60; /bin/sleep 60; echo 60 | xargs sleep; [ $SECONDS -lt 100 ] || exit 2; exit 1"],
  ["red", "timeout 1h sleep infinity"],
  ["red", "timeout 10 sleep 20; [ $? = 124 ] && exit 1; :"],
  ["red", "timeout 20 sleep 10 && exit 1; :"],
  ["red", "sleep nonsense || exit 1; :"],
  ["red", "while test ! -e /x; do sleep 5; done & wait $! & sleep 3; test -e /x"],
];

describe.skipIf(fault !== null)(`a check that waits (${fault ?? "worlds can be made here"})`, () => {
  test("answers soon what it would answer after the real time", async () => {
    const found = await each(LOOPS, async ([, script]) => [await answer(script), script]);
    expect(found).toEqual(LOOPS);
  });

  test.skipIf(!has("perl"))("for something with Perl answers soon", async () => {
    const found = await each(NEEDS_PERL, async ([, script]) => [await answer(script), script]);
    expect(found).toEqual(NEEDS_PERL);
  });

  test.skipIf(!has("curl"))("for a service answers soon, where there is curl", async () => {
    const found = await each(NEEDS_CURL, async ([, script]) => [await answer(script), script]);
    expect(found).toEqual(NEEDS_CURL);
  });

  test("without an end has no colour", async () => {
    const loop = await impatient(check("until test -e /x; do sleep 5; done"), new AbortController().signal);
    expect([loop.answer, loop.reason]).toEqual(["cannot_tell", "it did not end within 1.5 s"]);
    const { answer: unknown, reason } = await impatient(check("sleep infinity"), new AbortController().signal);
    expect([unknown, reason]).toEqual(["cannot_tell", "it did not end within 1.5 s"]);
  });

  test.skipIf(!has("perl"))("for its own service gives the service the real time that it needs", async () => {
    const serve = `perl -MIO::Socket::INET -e 'select undef, undef, undef, 0.2 if 0; my $n = 0; $n += $_ for 1 .. 4e6;
my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 8080, Listen => 5, ReuseAddr => 1);
while (my $c = $s->accept) { close $c }' &
sleep 5; : </dev/tcp/127.0.0.1/8080`;
    expect((await look(serve)).world).toBe("bare");
    const reader = `read -r -t 5 v < <(perl -e 'my $n = 0; $n += $_ for 1 .. 3e6; print "1\\n"'); [ "$v" = 1 ]`;
    expect((await look(reader)).world).toBe("bare");
  });
});
