// The look with a decoy: on this machine, in a directory of something else, with a clock that jumps.

import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { anAgentSandbox } from "../../../../../test/support/sandboxes.ts";
import { createCheckProbes } from "../../../local/control/check-looks.ts";
import { createDisk, textAtOf } from "../../../local/disk.ts";
import { createRunCommand } from "../../../local/run-command.ts";
import { PLAIN_STEP } from "../../../sandbox/sandbox.ts";
import { has } from "./control/a-control.ts";

const probes = createCheckProbes({
  textAt: textAtOf(createDisk([], (text) => text)),
  account: { home: "/" },
  runCommand: createRunCommand(),
  hidden: [],
  plain: PLAIN_STEP,
  agent: anAgentSandbox(),
  inNetwork: (run) => run,
});
const look = (script: string) => probes(null).decoy(async () => ({ script, env: {} }));

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

  test.skipIf(!has("perl"))("is red where Perl waits by itself", async () => {
    const wait = "for (1 .. 20) { exit 0 if -e q(/nothere); sleep 1 } exit 1";
    expect(await look(`perl -e '${wait}'`)).toMatchObject({ answer: "red", exit_code: 1 });
  });

  test("has no colour where the check waits without an end, and ends no other process of the machine", async () => {
    const other = spawn("/bin/sleep", ["60"], { stdio: "ignore" });
    const { answer, reason } = await look("until test -e /nothere; do sleep 5; done");
    expect([answer, reason]).toEqual(["cannot_tell", "it reached the time limit of the look"]);
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
