import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type CommandRunner, createCommandRunner } from "../../../src/execution/command-runner.ts";
import { baseEnvironment } from "../../../src/execution/environment.ts";
import { home } from "./a-command.ts";

let runner: CommandRunner | undefined;
afterEach(() => runner?.close());

const command = (script: string) => {
  const cwd = home();
  return { script, strict: true, cwd, env: baseEnvironment({ home: cwd }), limit_ms: 30_000, grace_ms: 200 };
};
const start = () => {
  runner = createCommandRunner(baseEnvironment({ home: "/" }));
  return runner;
};
const never = new AbortController().signal;

const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.startsWith("Z") === false;
  } catch {
    return false;
  }
};

const pidIn = async (file: string): Promise<number> => {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, "utf8"));
      if (pid > 0) return pid;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const gone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);

describe("the command runner", () => {
  test("tells how a command ended and what it wrote", async () => {
    const end = await start().runCommand(command("echo out; echo err >&2; exit 3"), never);
    expect(end).toMatchObject({ ran: true, exit_code: 3, stdout: { text: "out\n" }, stderr: { text: "err\n" } });
  });

  test("runs several at once and answers each its own", async () => {
    const { runCommand } = start();
    const ends = await Promise.all(
      [3, 1, 2].map((code) => runCommand(command(`sleep 0.0${code}; exit ${code}`), never)),
    );
    expect(ends.map((end) => end.ran && end.exit_code)).toEqual([3, 1, 2]);
  });

  test("kills the command when it is aborted", async () => {
    const abort = new AbortController();
    const ending = start().runCommand(command("echo $$ > pid; sleep 60"), abort.signal);
    const pid = await pidIn(join(home(), "pid"));
    abort.abort();
    expect(await ending).toMatchObject({ ran: true, stopped: "abort" });
    await gone(pid);
  });

  test("rejects what was under way when its process is lost, and starts another for what comes next", async () => {
    const { runCommand } = start();
    const ending = runCommand(command("echo $PPID > pid; sleep 1"), never);
    process.kill(await pidIn(join(home(), "pid")), "SIGKILL");
    await expect(ending).rejects.toThrow("the process that runs commands was lost");
    expect(await runCommand(command("exit 0"), never)).toMatchObject({ exit_code: 0 });
  });

  test("leaves no command behind when the server is killed", async () => {
    const server = fork(join(import.meta.dirname, "../../support/runner-owner-process.ts"), [home()]);
    const pid = await pidIn(join(home(), "pid"));
    server.kill("SIGKILL");
    await once(server, "exit");
    await gone(pid);
  });
});
