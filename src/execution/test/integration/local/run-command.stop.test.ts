// The end of a command: by itself, at its time limit, on request. None of its processes is left.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { IN_PIDS } from "../../../../../test/support/sandboxes.ts";
import { signalGroup, stopGroup } from "../../../sandbox/processes.ts";
import { PLAIN_STEP } from "../../../sandbox/sandbox.ts";
import {
  aMark,
  canSandbox,
  commandsIn,
  inEachContainment,
  isAlive,
  markGone,
  pidsIn,
  pidsOf,
  timed,
} from "./a-command.ts";

/** A background job, a job of a subshell in a pipeline, a grandchild, and the foreground job. */
const FAMILY = `sleep MARK & (sleep MARK & wait) | cat &
bash -c 'sleep MARK & wait' &
bash -c 'exec sleep MARK'`;

inEachContainment(({ ran, sandboxed }) => {
  describe("a process that a command leaves running", () => {
    test("is ended with the command, also when it is the job of a job, and does not delay it with an open pipe", async () => {
      const mark = aMark();
      const leave = `sleep ${mark} & bash -c 'nohup sleep ${mark} >/dev/null 2>&1 &'; echo up`;
      const { end, ms } = await timed(ran(leave));
      expect(end).toMatchObject({ exit_code: 0, stdout: { text: "up\n" } });
      expect(ms).toBeLessThan(5_000);
      await markGone(mark);
    });

    test("may still write its last lines", async () => {
      expect((await ran("exec > >(sleep 0.05; sed s/a/b/); echo a")).stdout.text).toBe("b\n");
    });

    test("leaves no pipe of this process open", async () => {
      const pipes = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap");
      const before = pipes().length;
      await ran("setsid sleep 0.7 & true");
      // One of an earlier test may be closed meanwhile.
      await expect.poll(() => pipes().length).toBeLessThanOrEqual(before);
    });
  });

  const killed = { exit_code: null, signal: "SIGKILL" };
  const ended = { exit_code: null, signal: "SIGTERM" };
  const child = "trap 'sleep 0.3; echo tidy; exit 0' TERM; echo up; while :; do sleep 0.05; done";
  test.each<[string, string, { limit_ms: number; grace_ms?: number }, object]>([
    ["ends a command with all its descendants", FAMILY, { limit_ms: 500 }, ended],
    ["ends a command that writes without end", "sleep MARK & yes", { limit_ms: 500, grace_ms: 200 }, ended],
    ["kills what ignores SIGTERM", "trap '' TERM; sleep MARK & wait", { limit_ms: 200, grace_ms: 300 }, killed],
    ["leaves a child its grace", `bash -c "${child}"; true`, { limit_ms: 400 }, { stdout: { text: "up\ntidy\n" } }],
    [
      "lets a trap run, and keeps its exit code",
      "trap 'sleep 0.2; echo tidy; exit 0' TERM; sleep MARK & wait",
      { limit_ms: 300 },
      { exit_code: 0, stdout: { text: "tidy\n" } },
    ],
  ])("the time limit %s", async (_what, script, limits, expected) => {
    const mark = aMark();
    const { end, ms } = await timed(ran(script.replaceAll("MARK", mark), limits));
    expect(end).toMatchObject({ stopped: "time_limit", ...expected });
    expect(ms).toBeGreaterThan(limits.limit_ms - 10 + (expected === killed ? 300 : 0));
    expect(ms).toBeLessThan(5_000);
    await markGone(mark);
  });

  test("an abort ends a command with all its descendants, and is noticed before the start", async () => {
    const mark = aMark();
    expect((await ran(FAMILY.replaceAll("MARK", mark), {}, AbortSignal.timeout(500))).stopped).toBe("abort");
    await markGone(mark);
    expect((await ran("sleep 60", {}, AbortSignal.abort())).stopped).toBe("abort");
  });

  describe.runIf(sandboxed)("a process that left the process group", () => {
    test.each([
      ["a session of its own", "setsid sleep MARK </dev/null >/dev/null 2>&1 &"],
      ["a double fork", "(setsid bash -c 'nohup sleep MARK >/dev/null 2>&1 &') >/dev/null 2>&1; true"],
    ])("by %s is ended with its step, and at the time limit", async (_, script) => {
      const mark = aMark();
      const leave = script.replace("MARK", mark);
      const end = await ran(`${leave}\nsleep 0.3; ps -eo args | grep -c "^sleep ${mark}"`);
      expect(end).toMatchObject({ exit_code: 0, stdout: { text: "1\n" } });
      expect(pidsOf(mark)).toEqual([]);
      expect((await ran(`${leave}\nsleep 60`, { limit_ms: 400 })).stopped).toBe("time_limit");
      expect(pidsOf(mark)).toEqual([]);
    });
  });
});

test("without a namespace, a process that left the process group survives, and does not delay the step", async () => {
  const { end, ms } = await timed(commandsIn(PLAIN_STEP).ran("setsid sleep 60 & echo $!"));
  const [pid = 0] = pidsIn(end.stdout.text);
  try {
    expect(ms).toBeLessThan(5_000);
    expect(isAlive(pid)).toBe(true);
  } finally {
    process.kill(pid, "SIGKILL");
  }
});

describe.skipIf(!canSandbox)("a pid namespace", () => {
  const { ran } = commandsIn(IN_PIDS);

  test("shows only the processes of the step, and no environment of this process", async () => {
    const { stdout } = await ran("echo $PPID; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c ^VITEST || true");
    expect(process.env["VITEST"]).toBeDefined();
    expect(stdout.text).toBe("1\n0\n");
    const outside = await commandsIn(PLAIN_STEP).ran(`grep -c VITEST /proc/${process.pid}/environ`);
    expect(outside.stdout.text).not.toBe("0\n");
  });

  test("survives a command that kills every process it can", async () => {
    const end = await ran("echo up; kill -KILL 1; sleep 0.1; kill -KILL -1; sleep 60");
    expect(end).toMatchObject({ stopped: null, stdout: { text: "up\n" } });
    expect([end.exit_code, end.signal]).not.toEqual([0, null]);
  });
});

test("a group that has already ended is no error", async () => {
  const { pid = 0, stdout } = spawn("/bin/bash", ["-c", "echo up; sleep 60"], { detached: true });
  await once(stdout, "data");
  for (const _ of [1, 2]) await stopGroup(pid, 1_000);
  // It is gone once Node has waited for it.
  await expect.poll(() => signalGroup(pid, "SIGKILL")).toBe(false);
});

// A subreaper adopts orphans as PID 1 does. Node never waits for them, so a dead background job stays in its group, as
// in a container without an init.
test("zombies in a group are not waited for", async () => {
  const group = new URL("../../../sandbox/processes.ts", import.meta.url);
  const script = `
    import { spawn } from "node:child_process";
    import { once } from "node:events";
    import { signalGroup, stopGroup } from "${group}";
    const stdio = ["ignore", "pipe", "ignore"];
    const child = spawn("/bin/bash", ["-c", "sleep 60 & echo up; exec sleep 61"], { detached: true, stdio });
    await once(child.stdout, "data");
    const begun = performance.now();
    await stopGroup(child.pid, 60_000);
    console.log(JSON.stringify({ ms: performance.now() - begun, has_members: signalGroup(child.pid, 0) }));`;
  const prctl = process.arch === "arm64" ? 167 : 157;
  const asSubreaper = `syscall(${prctl}, 36, 1, 0, 0, 0) == 0 or die; exec @ARGV`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("perl", ["-e", asSubreaper, ...node], { timeout: 60_000 });
  const { ms, has_members } = JSON.parse(stdout);
  expect(has_members).toBe(true);
  expect(ms).toBeLessThan(10_000);
});
