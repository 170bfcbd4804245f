// The look with a decoy: on this machine, in a directory of something else, with a clock that jumps.
import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createCheckLooks } from "../../../../src/execution/local/check-looks.ts";
import { createRunCommand } from "../../../../src/execution/local/run-command.ts";

const { decoy } = createCheckLooks({
  account: { home: "/" },
  runCommand: createRunCommand(),
  hidden: [],
  confinement: { hidden: [], read_only: [] },
});
const look = (script: string, limit_ms = 600_000) => decoy(() => ({ script, env: {} }), { by_agent: false, limit_ms });

const LOOPS: readonly (readonly [answer: string, script: string])[] = [
  ["red", "for i in $(seq 60); do test -e /nothere && exit 0; sleep 10; done; exit 1"],
  ["green", "for i in $(seq 50); do test -e /nothere && break; sleep 10; done"],
  ["red", "timeout 90 bash -c 'until test -e /nothere; do sleep 1; done'"],
  ["green", "timeout 90 sh -c 'until test -e /nothere; do sleep 1; done'; [ $? = 124 ]"],
  ["red", "end=$((SECONDS + 90)); while ((SECONDS < end)); do test -e /nothere && exit 0; sleep 5; done; exit 1"],
  ["red", "end=$(($(date +%s) + 90)); until test -e /nothere; do [ $(date +%s) -lt $end ] || exit 1; sleep 5; done"],
  ["green", "sleep 60 & sleep 30; wait $!; [ $SECONDS -ge 60 ]"],
];

describe("a look with a decoy", () => {
  test.each(LOOPS)("is %s where time has passed: %s", async (answer, script) => {
    expect(await look(script)).toMatchObject({ answer, reason: null });
  });

  test("is red where the check waits for longer than the time limit of its step", async () => {
    const until = "until test -e /nothere; do sleep 5; done";
    expect(await look(until)).toEqual({ answer: "red", exit_code: null, reason: null });
    expect(await look(`bash -c 'timeout 2h sh -c "${until}"'`)).toMatchObject({ answer: "red", exit_code: null });
    expect(await look("sleep 59; exit 3", 60_000)).toMatchObject({ answer: "red", exit_code: 3 });
  });

  test("ends no other process of the machine", async () => {
    const other = spawn("/bin/sleep", ["60"], { stdio: "ignore" });
    await look("until test -e /nothere; do sleep 5; done", 60_000);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    other.kill();
  });

  test("finds a directory with something in it", async () => {
    expect(await look('[ -n "$(ls -A)" ] && [ "$(stat -c %h .)" -gt 0 ] && ! ls *.conf')).toMatchObject({
      answer: "green",
    });
    expect(await look("du -s . | awk '{exit $1 < 9}'")).toMatchObject({ answer: "green" });
  });

  test("has the text where a step has it: a check that finds itself finds itself here", async () => {
    expect(await look("pgrep -f nothere-in-any-text >/dev/null; [ $? -eq 0 ]")).toMatchObject({ answer: "green" });
    expect(await look("pgrep -f nothere-in-any-text")).toMatchObject({ answer: "red" });
  });
});
