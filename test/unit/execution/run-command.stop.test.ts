// How a command ends: by itself, at its time limit, on request; and that nothing of it is left.
import { describe, expect, test } from "vitest";
import { expectGone, isAlive, pidsIn, ran, timed } from "./a-command.ts";

// A background job, a job of a subshell in a pipeline, a grandchild, and the foreground job; each says who it is.
const FAMILY = `sleep 61 & echo $!
(sleep 62 & echo $!; wait) | cat &
bash -c 'sleep 63 & echo $!; wait' &
bash -c 'echo $$; exec sleep 64'`;

describe("what a command leaves behind", () => {
  test("is ended with it, jobs of jobs too", async () => {
    const { stdout, exit_code } = await ran(`sleep 61 >/dev/null 2>&1 & echo $!
bash -c 'nohup sleep 62 >/dev/null 2>&1 & echo $!'`);
    expect(exit_code).toBe(0);
    const pids = pidsIn(stdout.text);
    expect(pids).toHaveLength(2);
    await expectGone(pids);
  });

  test("does not hold it up by its pipes", async () => {
    const { end, ms } = await timed(ran("sleep 60 & echo $!"));
    expect(end.exit_code).toBe(0);
    expect(ms).toBeLessThan(5_000);
    await expectGone(pidsIn(end.stdout.text));
  });

  test("may still write its last lines", async () => {
    const { stdout } = await ran("exec > >(sed s/a/b/); echo a");
    expect(stdout.text).toBe("b\n");
  });

  test("survives in a session of its own, and does not hold it up either", async () => {
    const pipes = process.getActiveResourcesInfo().filter((name) => name === "PipeWrap");
    const { end, ms } = await timed(ran("setsid sleep 60 & echo $!"));
    const [pid = 0] = pidsIn(end.stdout.text);
    try {
      expect(ms).toBeLessThan(5_000);
      expect(isAlive(pid)).toBe(true);
      await expect.poll(() => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap")).toEqual(pipes);
    } finally {
      process.kill(pid, "SIGKILL");
    }
  });
});

describe("the time limit", () => {
  test("ends a command with all its descendants", async () => {
    const { end, ms } = await timed(ran(FAMILY, { limit_ms: 500 }));
    expect(end).toMatchObject({ stopped: "time_limit", exit_code: null, signal: "SIGTERM" });
    expect(ms).toBeLessThan(5_000);
    const pids = pidsIn(end.stdout.text);
    expect(pids).toHaveLength(4);
    await expectGone(pids);
  });

  test("kills what ignores SIGTERM, after its grace", async () => {
    const script = "trap '' TERM; echo $$; sleep 60 & echo $!; wait";
    const { end, ms } = await timed(ran(script, { limit_ms: 100, grace_ms: 300 }));
    expect(end).toMatchObject({ stopped: "time_limit", signal: "SIGKILL" });
    expect(ms).toBeGreaterThan(390);
    await expectGone(pidsIn(end.stdout.text));
  });

  test("leaves a child its grace though bash has ended", async () => {
    const child = "trap 'sleep 0.3; echo tidy; exit 0' TERM; echo up; while :; do sleep 0.05; done";
    const { stdout } = await ran(`bash -c "${child}"; true`, { limit_ms: 300 });
    expect(stdout.text).toBe("up\ntidy\n");
  });

  test("keeps the exit code of a command that tidied up", async () => {
    const end = await ran("trap 'exit 0' TERM; sleep 60 & wait", { limit_ms: 200 });
    expect(end).toMatchObject({ stopped: "time_limit", exit_code: 0 });
  });
});

describe("an abort", () => {
  test("ends a command with all its descendants", async () => {
    const end = await ran(FAMILY, {}, AbortSignal.timeout(500));
    expect(end.stopped).toBe("abort");
    const pids = pidsIn(end.stdout.text);
    expect(pids).toHaveLength(4);
    await expectGone(pids);
  });

  test("that comes after the end changes nothing", async () => {
    const controller = new AbortController();
    const end = await ran("true", {}, controller.signal);
    controller.abort();
    expect(end).toMatchObject({ stopped: null, exit_code: 0 });
  });

  test("that came before is seen", async () => {
    expect((await ran("sleep 60", {}, AbortSignal.abort())).stopped).toBe("abort");
  });
});
