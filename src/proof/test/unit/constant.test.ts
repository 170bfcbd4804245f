// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { constantExit } from "../../constant.ts";

const ENV = {
  ORCH_TARGET_SERVICE: "web",
  ORCH_TARGET_DIR: "/srv/web",
  ORCH_PAYLOAD: '{"op":"x"}',
  ORCH_TASK_ID: "t-1",
};

const exitOf = (text: string) => constantExit(text, ENV)?.exit_code ?? null;

const ALWAYS_0 = [
  // Its last part decides alone (D-411).
  "echo ok | true",
  "true",
  ":",
  "",
  "# a comment",
  "exit 0",
  "exit 256",
  "echo ok",
  "echo ok >&2",
  "echo ok >/dev/null 2>&1",
  'printf "ok\\n"',
  "printf '%s\\n' \"$ORCH_TARGET_SERVICE\"",
  'test -n "$ORCH_TARGET_SERVICE"',
  '[ "$ORCH_TARGET_SERVICE" = web ]',
  "[ $ORCH_TARGET_SERVICE = web ]",
  'test -n "$ORCH_PAYLOAD"',
  "[ docker ]",
  "docker ps || true",
  "docker ps || :",
  "docker ps || exit 0",
  "docker ps && echo ok || echo bad",
  "docker ps; true",
  "docker ps; exit 0",
  "docker ps; rc=$?; exit 0",
  "docker ps\necho done",
  "docker ps &",
  "! false",
  "! ! true",
  "if docker ps; then :; fi",
  "if docker ps; then echo up; else echo down; fi",
  "( docker ps; exit 0 )",
  "{ docker ps; true; }",
  "( exit 3 ); true",
  "f() { docker ps; return 0; }; f",
  "f() { local x=$(docker ps); }; f",
  "export X=$(docker ps)",
  "set -e; docker ps || true; echo ok",
  "set -e; true",
  "for i in 1 2 3; do docker ps && break; sleep 1; done",
  "for i in $(seq 9); do docker ps && break; sleep 1; done; true",
  "time true",
  "docker ps || \\\ntrue",
];

const ALWAYS_1 = [
  "false",
  "exit 1",
  "exit 7",
  "! true",
  "docker ps; false",
  "docker ps | false",
  "docker ps && false",
  "[ 1 -gt 2 ]",
  '[ -z "$ORCH_TARGET_SERVICE" ]',
  "test",
];

/** They end alike on any machine too. What finds that out is their control, as with every check. */
const NOT_FOLLOWED = [
  "[[ $ORCH_TARGET_SERVICE == w* ]]",
  "[[ -n $ORCH_TARGET_SERVICE && $ORCH_TARGET_DIR == /srv/* ]]",
  '[ "${ORCH_TARGET_SERVICE:-none}" != none ]',
  '[ "${#ORCH_TARGET_SERVICE}" -eq 3 ]',
  "(( 1 + 1 == 2 ))",
  "[ $# -eq 0 ]",
  "trap 'exit 0' EXIT; docker ps",
  "while false; do docker ps; done",
  "case x in y) docker ps ;; *) true ;; esac",
  "case $ORCH_TARGET_SERVICE in web) ;; *) exit 1 ;; esac",
  "for ((i = 0; i < 5; i++)); do docker ps && break; sleep 1; done",
  "i=0; while [ $i -lt 5 ]; do docker ps && break; i=$((i + 1)); sleep 1; done",
  'x=$(echo hi); test "$x" = hi',
  "bash -c 'docker ps; true'",
  "sh -c 'exit 0'",
  "/bin/true",
  "set -e; false; true",
  "trap 'exit 3' EXIT; true",
  "(( 0 ))",
  '[ "$1" ]',
];

const NOT_CONSTANT = [
  "docker ps",
  "docker ps | cat",
  "docker ps | true",
  "echo ok | cat",
  "x=$(docker ps)",
  'test -n "$(docker ps)"',
  'test "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)"',
  "! docker ps | grep -q Restarting",
  "set -e; docker ps; true",
  'set -u; test -n "$FOO"; true',
  "until docker ps; do sleep 1; done",
  "until docker ps; do sleep 1; done; echo up",
  "while true; do docker ps && break; sleep 1; done",
  "while ! docker ps; do sleep 1; done; exit 0",
  "for i in 1 2 3; do docker ps && exit 0; sleep 1; done; exit 1",
  "docker ps || exit 1; true",
  "docker ps && exit 0; exit 1",
  "rc=0; docker ps || rc=1; exit $rc",
  "docker ps; exit $?",
  "f() { docker ps; }; f",
  "f() { docker ps; return; }; f",
  "true() { docker ps; }; true",
  "trap 'docker ps' EXIT; trap - EXIT; docker ps",
  "[ -f /etc/hosts ]",
  "[[ -d $ORCH_TARGET_DIR ]]",
  '[ -n "$HOME" ]',
  'test -n "$ORCH_BEFORE"',
  '[ "$x" != "$ORCH_BEFORE" ]',
  '[ "$ORCH_TASK_ID" = t-1 ]',
  '[ "$ORCH_PAYLOAD" = \'{"op":"x"}\' ]',
  "echo ok >/etc/flag",
  'cat <<<"${x:?}"; true',
  ': "${FOO:?}"; true',
  "echo $(( $(docker ps -q | wc -l) + 1 )); true",
  "eval true",
  ". /etc/profile; true",
  "source x; true",
  "exec 3<>/dev/tcp/web/80; true",
  "alias true=false; true",
  "shopt -s expand_aliases; true",
  "kill $$; true",
  "$CMD; true",
  "wait; wait $!",
  "cd /srv/web",
  "read -r x",
  "docker ps & wait $!",
  "PATH=/x bash -c true",
  "local x=$(docker ps)",
  "return 0",
  "if true; then",
];

describe("constantExit", () => {
  test.each(ALWAYS_0)("finds that %j always exits with 0", (text) => {
    expect(exitOf(text)).toBe(0);
  });

  test.each(ALWAYS_1)("finds that %j never exits with 0", (text) => {
    expect(exitOf(text)).toBe(1);
  });

  test.each(NOT_FOLLOWED)("does not follow %j", (text) => {
    expect(constantExit(text, ENV)).toBeNull();
  });

  test.each(NOT_CONSTANT)("leaves %j to the machine", (text) => {
    expect(constantExit(text, ENV)).toBeNull();
  });

  test("gives the commands that decide as the reason", () => {
    expect(constantExit("docker ps || true", {})?.why).toBe(
      "its exit code is 0 on any machine: it ends with `docker ps` or with `true`",
    );
    expect(constantExit("docker ps; exit 0", {})?.why).toBe(
      "its exit code is that of `exit 0`, which is 0 on any machine",
    );
    expect(constantExit("", {})?.why).toBe("it runs nothing that could fail");
  });

  test("knows only the variables of the contract", () => {
    expect(constantExit('test -n "$HOME"', { HOME: "/root" })).toBeNull();
    expect(constantExit('test -n "$ORCH_TARGET_SERVICE"', {})).toBeNull();
    expect(constantExit('test -n "$ORCH_BEFORE"', { ORCH_BEFORE: "x" })).toBeNull();
  });

  test("knows the words of a list that is written out", () => {
    expect(exitOf('for i in 1 2; do [ "$i" = 2 ] && exit 0; done; docker ps')).toBe(0);
    expect(exitOf('for i in 1 2; do [ "$i" = 3 ] && exit 0; done; docker ps')).toBeNull();
    expect(exitOf('for i in 1 2; do read -r i; [ "$i" = 2 ] && exit 0; done; docker ps')).toBeNull();
  });

  test("gives up on text that branches without end", () => {
    const nested = `${"if a; then ".repeat(40)}true${"; fi".repeat(40)}`;
    expect(constantExit(nested, {})?.exit_code ?? 0).toBe(0);
    expect(constantExit("f() { f; }; f; true", {})).toBeNull();
  });
});

test.each([
  `test "$ORCH_PAYLOAD" != '{"fail":true}'`,
  "[[ $ORCH_PAYLOAD == *on* ]]",
  "case $ORCH_TASK_ID in a) exit 1 ;; esac",
])("a comparison with what another task chooses is not constant: %s", (text) => {
  expect(constantExit(text, { ORCH_PAYLOAD: "{}", ORCH_TASK_ID: "t-1" })).toBeNull();
});
