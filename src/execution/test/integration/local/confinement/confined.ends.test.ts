// The end of a confined command: the same as of an unconfined one, and none of its processes is left.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { aRunnerSetup } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { type CommandRunner, createCommandRunner } from "../../../../local/runner/command-runner.ts";
import { PLAIN_STEP } from "../../../../sandbox/sandbox.ts";
import { aMark, commandsIn, home, markGone, markUp, pidsOf } from "../a-command.ts";
import { confined, confinedTo, files, MODES, NOBODY, ordered, whereConfined } from "./confined-commands.ts";

whereConfined(() => {
  const { run, ran } = confined();

  type Ran = Awaited<ReturnType<typeof ran>>;
  /** Removes pids and repeated blanks from bash's message about a killed job. */
  const shown = ({ exit_code, signal, stopped, stdout, stderr }: Ran) => {
    const words = stderr.text.replace(/\d+ Killed/g, "Killed").replace(/ +/g, " ");
    return { exit_code, signal, stopped, stdout, stderr: words };
  };

  test.each([
    ...["exit 0", "exit 7", "exit 143", "exit 255", "false; echo on", "no_such_command", "echo out; echo err >&2"],
    ...["TERM", "KILL", "INT", "PIPE", "SEGV", "USR1"].map((name) => `kill -${name} $$`),
    ...["bash -c 'kill -9 $$'; true", "exec sh -c 'kill $$'", "printf 'a\\0began\\0b' >&2"],
  ])("a confined command ends by itself like any other: %s", async (script) => {
    expect(shown(await ran(script))).toEqual(shown(await commandsIn(PLAIN_STEP).ran(script)));
  });

  /** Stops the command once it has reached the word UP. */
  async function stopped(script: string, grace_ms = 5_000): Promise<Ran> {
    const mark = aMark();
    const abort = new AbortController();
    const ending = ran(script.replace("UP", `sleep ${mark} &`), { grace_ms }, abort.signal);
    await markUp(mark);
    abort.abort();
    const end = await ending;
    await markGone(mark);
    return end;
  }

  test("may tidy up on SIGTERM, which it receives once, and keeps its exit code", async () => {
    const end = await stopped(
      "trap 'echo told; sleep 0.2; echo tidy; exit 3' TERM; UP for ((;;)); do sleep 0.05; done",
    );
    expect(end).toMatchObject({ stopped: "abort", exit_code: 3, stdout: { text: "told\ntidy\n" } });
  });

  test("a confined command's child keeps its grace period after bash has ended", async () => {
    const child = "trap 'sleep 0.3; echo tidy; exit 0' TERM; UP for ((;;)); do sleep 0.05; done";
    expect((await stopped(`bash -c "${child}"; true`)).stdout.text).toBe("tidy\n");
  });

  test("a confined command is killed when it ignores SIGTERM", async () => {
    const end = await stopped("trap '' TERM; UP for ((;;)); do sleep 0.05; done", 200);
    expect(end).toMatchObject({ stopped: "abort", signal: "SIGKILL" });
  });

  test("may leave a process that writes its last lines", async () => {
    expect((await ran("exec > >(sleep 0.05; sed s/a/b/); echo a")).stdout.text).toBe("b\n");
  });

  test.each([
    ["ends", "true"],
    ["is stopped at its time limit", "trap '' TERM; sleep 60"],
    ["kills all that it can", "kill -9 -1"],
    ["kills its whole group", "kill -9 0"],
  ])("a confined command leaves no process when it %s", async (_, last) => {
    const mark = aMark();
    const leave = `(setsid nohup sleep ${mark} >/dev/null 2>&1 &); (trap '' TERM HUP; sleep ${mark}) & sleep ${mark} &`;
    await run(`${leave}\nsleep 0.2; ${last}`, { limit_ms: 2_500, grace_ms: 100 });
    await markGone(mark);
  });
});

const [{ fault = null } = {}] = MODES;

describe.skipIf(fault !== null)("confined", () => {
  test.each(MODES.filter((mode) => mode.as_nobody && mode.fault === null))(
    "$name keeps its account, and reports how it ends",
    async () => {
      const hidden = files("data/");
      files("data/token", "free/");
      execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, home()]);
      const look = "id -u; id -g; ls -A data; cat data/token; echo x > free/x && cat free/x";
      const scripts = [look, "exit 7", "kill -9 $$", "kill $$"];
      const [said, ...ends] = await ordered({ sandbox: confinedTo({ hidden }), cwd: home(), env: {}, scripts }, true);
      expect(said).toMatchObject({ ran: true, stdout: { text: `${NOBODY}\n${NOBODY}\nx\n` } });
      expect(ends.map((end) => end.ran && (end.signal ?? end.exit_code))).toEqual([7, "SIGKILL", "SIGTERM"]);
    },
  );

  describe.each([false, true])("by a runner whose steps have pid namespaces: %s", (sandboxed) => {
    let runner: CommandRunner | undefined;
    afterEach(() => runner?.close());
    const never = new AbortController().signal;
    const start = () => {
      runner = createCommandRunner(baseEnvironment({ home: "/" }), aRunnerSetup({ sandboxed }));
      return runner;
    };
    const command = (script: string) => {
      const cwd = home();
      const around = { strict: true, cwd, env: baseEnvironment({ home: homedir() }), limit_ms: 30_000, grace_ms: 200 };
      return { script, ...around, sandbox: confinedTo({ hidden: [join(cwd, "data")] }) };
    };

    test("is confined", async () => {
      files("data/x");
      const end = await start().runCommand(command("ls -A data; exit 5"), never);
      expect(end).toMatchObject({ exit_code: 5, stdout: { text: "" } });
    });

    test("is ended when the runner is killed, with every process that has left its group", async () => {
      const mark = aMark();
      const script = `(setsid nohup sleep ${mark} >/dev/null 2>&1 &); sleep ${mark}; true`;
      const lost = expect(start().runCommand(command(script), never)).rejects.toThrow("was lost");
      await markUp(mark);
      process.kill(runnerAbove(pidsOf(mark)), "SIGKILL");
      await lost;
      await markGone(mark);
    });
  });
});

/** The runner among the ancestors of the processes. A process that has left its group has other ancestors. */
function runnerAbove(pids: readonly number[]): number {
  for (const pid of pids)
    for (let at = pid; at > 1; at = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${at}/stat`, "latin1"))?.[1]))
      if (readFileSync(`/proc/${at}/cmdline`, "utf8").includes("runner-process.ts")) return at;
  throw new Error("none of the processes was started by a runner");
}
