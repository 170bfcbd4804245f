// What a step may use, when the operator limits it.
import { describe, expect, test } from "vitest";
import { anAgentSandbox, aRunnerSetup } from "../../../../../test/support/sandboxes.ts";
import { baseEnvironment } from "../../../local/environment.ts";
import { createCommandRunner } from "../../../local/runner/command-runner.ts";
import { DEFAULT_LIMITS, limited, NO_LIMITS } from "../../../sandbox/sandbox.ts";
import { commandsIn, inEachContainment } from "./a-command.ts";

test("a command without limits is started as it is", () => {
  expect(limited(["/bin/bash", "-c", "true"], NO_LIMITS)).toEqual(["/bin/bash", "-c", "true"]);
});

test("the default limits hold for every command and cost no further process; one of an agent has half of the processes", async () => {
  const limits = DEFAULT_LIMITS;
  const argv = ["/bin/bash", "-c", "true"] as const;
  expect(limited(argv, limits)).toEqual(argv);
  const commands = createCommandRunner(baseEnvironment({ home: "/" }), aRunnerSetup({ limits }));
  const script = "ulimit -d; ulimit -f; ulimit -u";
  const command = {
    script,
    strict: true,
    cwd: "/",
    env: baseEnvironment({ home: "/" }),
    limit_ms: 30_000,
    grace_ms: 0,
  };
  const end = await commands.runCommand(command, new AbortController().signal);
  const confined = { ...command, sandbox: anAgentSandbox({ limits }) };
  const agents = await commands.runCommand(confined, new AbortController().signal);
  commands.close();
  const [memory, file, processes] = [8_192 * 1_024, 32_768 * 1_024, 4_096];
  expect(end).toMatchObject({ stdout: { text: `${memory}\n${file}\n${processes}\n` } });
  // So that steps start beside it.
  expect(agents).toMatchObject({ stdout: { text: `${memory}\n${file}\n${processes / 2}\n` } });
});

inEachContainment(({ sandbox, sandboxed, ran }) => {
  const all = { memory_mb: 512, file_mb: 3, processes: 4_000 };
  const under = commandsIn(sandbox, all);

  test("they hold for the command and all it starts", async () => {
    const { stdout } = await under.ran("ulimit -d; ulimit -f; ulimit -u; bash -c 'ulimit -d'");
    expect(stdout.text).toBe(`${512 * 1024}\n${3 * 1024}\n4000\n${512 * 1024}\n`);
  });

  test("memory: a process that takes more fails, and the step with it", async () => {
    const { exit_code, stderr } = await under.ran("head -c 900000000 /dev/zero | tail -c 900000000 > /dev/null");
    expect(exit_code).not.toBe(0);
    expect(stderr.text).toContain("memory");
  });

  test("a file above the limit is not written", async () => {
    const end = await under.ran("head -c 4000000 /dev/zero > big; echo written");
    expect(end).toMatchObject({ exit_code: 153, stdout: { text: "" } }); // 128 + SIGXFSZ
    expect((await ran("stat -c %s big")).stdout.text).toBe(`${3 * 1024 * 1024}\n`);
  });

  describe("a command under limits", () => {
    test.each([
      ["its name, options and level", 'echo "$0 $- $SHLVL $#"; env | sort'],
      ["the line of an error", "true\nno_such_command"],
      ["the end at the first failure", "false; echo on"],
      ["the text it was given", 'echo "$BASH_EXECUTION_STRING"'],
    ])("keeps %s", async (_, script) => {
      const plain = await ran(script, { strict: true });
      const held = await under.ran(script, { strict: true });
      expect({ ...held, stdout: held.stdout.text }).toEqual({ ...plain, stdout: plain.stdout.text });
    });

    test("is no process more", async () => {
      const { stdout } = await under.ran(
        "ps -o ppid= -p $$ | tr -d ' '; echo $PPID; cut -d' ' -f4 /proc/$PPID/stat; wait",
      );
      const [parent, told, above] = stdout.text.split("\n");
      expect(parent).toBe(told);
      // Between this process and the command is the launcher.
      if (!sandboxed) expect(above).toBe(String(process.pid));
      else expect(told).toBe("1");
    });
  });

  test("a limit that cannot be set fails the command before anything of it runs", async () => {
    const end = await commandsIn(sandbox, { ...NO_LIMITS, processes: 2 ** 62 }).ran("echo ran");
    expect(end).toMatchObject({
      exit_code: 1,
      stdout: { text: "" },
      stderr: { text: expect.stringContaining("ulimit") },
    });
  });
});
