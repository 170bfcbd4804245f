// A command that ends its parent ends itself, and no command of another task (D-311).

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aRunnerSetup } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createCommandRunner } from "../../../../local/runner/command-runner.ts";
import { canSandbox, expectGone } from "../a-command.ts";
import { MODES } from "../confinement/confined-commands.ts";

const canHide = MODES[0]?.fault === null;

/** `kills`: in a pid namespace it does not even end itself. */
const CASES = [
  ["a process group that hides files", canHide, { sandboxed: false, hides: true }],
  ["a process group", true, { sandboxed: false, hides: false }],
  ["a pid namespace", canSandbox, { sandboxed: true, hides: true }],
] as const;

function runnerWith({ sandboxed, hides }: (typeof CASES)[number][2]) {
  const directory = mkdtempSync(join(tmpdir(), "orch-parent-"));
  const env = baseEnvironment({ home: directory });
  const hidden = hides ? [directory] : [];
  const runner = createCommandRunner(env, aRunnerSetup({ sandboxed, hidden }));
  onTestFinished(() => {
    runner.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return (script: string, allowed?: Promise<boolean>, limit_ms = 20_000) => {
    const command = {
      script,
      strict: true,
      cwd: "/",
      env,
      limit_ms,
      grace_ms: 100,
      ...(allowed && { allowed }),
    };
    return runner.runCommand(command, new AbortController().signal);
  };
}

describe.each(CASES)("in %s", (_name, works, setup) => {
  test.skipIf(!works).each(["sh -c 'kill -9 $PPID'", "kill -9 $PPID", "kill -TERM $PPID; sleep 0.1"])(
    "%j leaves the commands of other tasks alone",
    async (script) => {
      const run = runnerWith(setup);
      await run("true");
      const other = run("sleep 0.5; echo there");
      await run(script, Promise.resolve(true));
      await run(script);
      expect(await other).toMatchObject({ ran: true, exit_code: 0, stdout: { text: "there\n" } });
      expect(await run("echo after")).toMatchObject({ ran: true, stdout: { text: "after\n" } });
    },
  );

  test.skipIf(!works)("a command that stops its parent leaves nothing that stays", async () => {
    const run = runnerWith(setup);
    const end = await run("[ $PPID = 1 ] || echo $PPID; kill -STOP $PPID", Promise.resolve(true), 500);
    expect(end).toMatchObject({ ran: true });
    if (end.ran && end.stdout.text !== "") await expectGone([Number(end.stdout.text)]);
  });

  test.skipIf(!works)("a command ends with what ends it, and leads its group", async () => {
    const run = runnerWith(setup);
    await run("true");
    expect(await run("exit 7")).toMatchObject({ exit_code: 7, signal: null });
    expect(await run("kill -9 $$")).toMatchObject({ exit_code: null, signal: "SIGKILL" });
    expect(await run("kill -34 $$")).toMatchObject({ exit_code: null, signal: "signal 34" });
    expect(await run("exec bash -c 'kill -s RTMAX $$'")).toMatchObject({ exit_code: null, signal: "signal 64" });
    if (!setup.sandboxed) expect(await run("kill -TERM -- -$$; sleep 5")).toMatchObject({ signal: "SIGTERM" });
    expect(await run("sleep 60 & echo started")).toMatchObject({ exit_code: 0, stdout: { text: "started\n" } });
  });
});
