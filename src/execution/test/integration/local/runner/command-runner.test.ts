import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { aRunnerSetup } from "../../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { type CommandRunner, createCommandRunner } from "../../../../local/runner/command-runner.ts";
import { endLeftoverGroups } from "../../../../local/runner/leftovers.ts";
import { aMark, canSandbox, home, isAlive, markGone, markUp, pidsOf } from "../a-command.ts";

let runner: CommandRunner | undefined;
afterEach(() => runner?.close());

const command = (script: string) => {
  const cwd = home();
  return { script, strict: true, cwd, env: baseEnvironment({ home: cwd }), limit_ms: 30_000, grace_ms: 200 };
};
const never = new AbortController().signal;

const parentOf = (pid: number): number => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1]);
const isCalled = (pid: number, name: string): boolean => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name);

/** The runner among the ancestors of a process. */
function runnerOf(pid: number): number {
  for (let at = pid; at > 1; at = parentOf(at)) if (isCalled(at, "runner-process.ts")) return at;
  throw new Error(`process ${pid} was not started by a runner`);
}

const MODES = [
  ["process groups", false],
  ["pid namespaces", true],
] as const;

const running = () => join(home(), "running");

describe.each(MODES)("the command runner with %s", (_, sandboxed) => {
  describe.skipIf(sandboxed && !canSandbox)("", () => {
    const setup = () => aRunnerSetup({ sandboxed, hidden: ["/srv"], running_dir: running() });
    const start = () => {
      runner = createCommandRunner(baseEnvironment({ home: "/" }), setup());
      return runner;
    };
    // The runner writes the note on a group after its command starts. A later start ends only groups with a note.
    const noted = async () => {
      const running_dir = running();
      const sizes = () => readdirSync(running_dir).map((name) => statSync(join(running_dir, name)).size);
      if (!sandboxed) await expect.poll(sizes, { timeout: 10_000 }).toEqual([expect.toSatisfy((size) => size > 0)]);
    };

    test("returns how a command ended and what it wrote", async () => {
      const end = await start().runCommand(command("echo out; echo err >&2; exit 3"), never);
      expect(end).toMatchObject({ ran: true, exit_code: 3, stdout: { text: "out\n" }, stderr: { text: "err\n" } });
    });

    test("runs several commands at once and returns to each its own result", async () => {
      const { runCommand } = start();
      const codes = [3, 1, 2];
      const ends = await Promise.all(codes.map((code) => runCommand(command(`sleep 0.0${code}; exit ${code}`), never)));
      expect(ends.map((end) => end.ran && end.exit_code)).toEqual(codes);
    });

    test("prevents core files, and no command can change that", async () => {
      const end = await start().runCommand(command("ulimit -Hc; ulimit -Sc"), never);
      expect(end).toMatchObject({ stdout: { text: "0\n0\n" } });
    });

    test("kills the command when it is aborted", async () => {
      const abort = new AbortController();
      const mark = aMark();
      const ending = start().runCommand(command(`sleep ${mark}`), abort.signal);
      await markUp(mark);
      abort.abort();
      expect(await ending).toMatchObject({ ran: true, stopped: "abort" });
      await markGone(mark);
    });

    test("kills the command when the server has said for how long it lives, and says no more", async () => {
      const { runCommand, lives } = start();
      const mark = aMark();
      lives(10_000);
      const ending = runCommand(command(`sleep ${mark}`), never);
      await markUp(mark);
      lives(300);
      expect(await ending).toMatchObject({ ran: true, stopped: "abort" });
      await markGone(mark);
    });

    test("rejects and ends the running command when its process is lost, and starts another process for the next", async () => {
      const { runCommand } = start();
      const mark = aMark();
      const ending = runCommand(command(`sleep ${mark}; true`), never);
      const rejected = expect(ending).rejects.toThrow("the process that runs commands was lost");
      await markUp(mark);
      await noted();
      process.kill(runnerOf(pidsOf(mark)[0] ?? 0), "SIGKILL");
      await rejected;
      await markGone(mark);
      expect(readdirSync(home()).includes("running") ? readdirSync(join(home(), "running")) : []).toEqual([]);
      expect(await runCommand(command("exit 0"), never)).toMatchObject({ exit_code: 0 });
    });

    describe("leaves no command running", () => {
      const TIDY = "trap 'echo tidy > tidy; exit' TERM";
      const serverWith = async (script: string, mark: string, count = 1) => {
        const server = fork(
          join(import.meta.dirname, "../../../support/runner-owner-process.ts"),
          [JSON.stringify(setup()), home(), script],
          { stdio: ["ignore", "ignore", "ignore", "ipc"] },
        );
        await markUp(mark, count);
        return server;
      };
      const ways: Record<string, (server: ChildProcess, mark: string) => unknown> = {
        killed: (server) => server.kill("SIGKILL"),
        "told to end": (server) => server.kill("SIGTERM"),
        "ended by an exception": (server) => server.send("throw"),
      };

      test.each(Object.entries(ways))("when the server is %s; the command may tidy up", async (_, end) => {
        const mark = aMark();
        const server = await serverWith(`${TIDY}; sleep ${mark} & wait`, mark);
        end(server, mark);
        await once(server, "exit");
        await markGone(mark);
        await expect.poll(() => readdirSync(home())).toContain("tidy");
      });

      test("when the runner receives SIGTERM", async () => {
        const mark = aMark();
        const server = await serverWith(`${TIDY}; sleep ${mark} & wait`, mark);
        process.kill(runnerOf(pidsOf(mark)[0] ?? 0), "SIGTERM");
        await markGone(mark);
        await expect.poll(() => readdirSync(home())).toContain("tidy");
        server.kill("SIGKILL");
      });

      test("when server and runner are killed at once; with a namespace this includes processes outside the group", async () => {
        const mark = aMark();
        const script = `${sandboxed ? `setsid nohup sleep ${mark} >/dev/null 2>&1 &` : ":"}\nsleep ${mark}; true`;
        const server = await serverWith(script, mark, sandboxed ? 2 : 1);
        const [pid = 0] = pidsOf(mark);
        const leader = parentOf(pid);
        await noted();
        const runner = runnerOf(pid);
        // Stopped first, the runner cannot notice the end of the server before it is killed.
        process.kill(runner, "SIGSTOP");
        // What starts the commands would end them, too.
        const between: number[] = [];
        for (let at = parentOf(leader); !sandboxed && at !== runner; at = parentOf(at)) between.push(at);
        for (const victim of [server.pid ?? 0, ...between, runner]) process.kill(victim, "SIGKILL");
        await once(server, "exit");
        if (!sandboxed) {
          expect(isAlive(pid)).toBe(true);
          expect(await endLeftoverGroups(running(), 200)).toEqual([{ pid: leader, ended: true }]);
        }
        await markGone(mark);
      });
    });
  });
});

test("a runner that replaces a lost one kills when that one would have", async () => {
  const setup = aRunnerSetup({ running_dir: running() });
  runner = createCommandRunner(baseEnvironment({ home: "/" }), setup);
  const mark = aMark();
  const began = performance.now();
  runner.lives(3_000);
  const rejected = expect(runner.runCommand(command(`sleep ${mark}`), never)).rejects.toThrow("was lost");
  await markUp(mark);
  process.kill(runnerOf(pidsOf(mark)[0] ?? 0), "SIGKILL");
  await rejected;
  await sleep(2_400 - (performance.now() - began));
  expect(await runner.runCommand(command("sleep 20"), never)).toMatchObject({ ran: true, stopped: "abort" });
  expect(performance.now() - began).toBeLessThan(5_200);
});
