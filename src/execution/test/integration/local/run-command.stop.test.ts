// The end of a command: by itself, at its time limit, on request. None of its processes is left.

import { describe, expect, test } from "vitest";
import { IN_PIDS } from "../../../../../test/support/sandboxes.ts";
import { PLAIN_STEP } from "../../../sandbox/sandbox.ts";
import { canSandbox, commandsIn, home, inEachContainment, isAlive, pidsIn, pidsOf, timed } from "./a-command.ts";

let marks = 0;
/** A sleep duration by which the processes of one test are found, also from outside their namespace. */
const aMark = () => `60.${process.pid}${++marks}`;
const markGone = (mark: string) => expect.poll(() => pidsOf(mark), { timeout: 5_000 }).toEqual([]);

// A background job, a job of a subshell in a pipeline, a grandchild, and the foreground job.
const family = (mark: string) => `sleep ${mark} & (sleep ${mark} & wait) | cat &
bash -c 'sleep ${mark} & wait' &
bash -c 'exec sleep ${mark}'`;

inEachContainment(({ ran, sandboxed }) => {
  describe("a process that a command leaves running", () => {
    test("is ended with the command, also when it is the job of a job", async () => {
      const mark = aMark();
      const { exit_code } = await ran(`sleep ${mark} >/dev/null 2>&1 &
bash -c 'nohup sleep ${mark} >/dev/null 2>&1 &'`);
      expect(exit_code).toBe(0);
      await markGone(mark);
    });

    test("does not delay the command's end with an open pipe", async () => {
      const mark = aMark();
      const { end, ms } = await timed(ran(`sleep ${mark} & echo up`));
      expect(end).toMatchObject({ exit_code: 0, stdout: { text: "up\n" } });
      expect(ms).toBeLessThan(5_000);
      await markGone(mark);
    });

    test("may still write its last lines", async () => {
      const { stdout } = await ran("exec > >(sleep 0.05; sed s/a/b/); echo a");
      expect(stdout.text).toBe("b\n");
    });

    test("leaves no pipe of this process open", async () => {
      const pipes = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap");
      const before = pipes().length;
      await ran("setsid sleep 0.7 & true");
      // One of an earlier test may be closed meanwhile.
      await expect.poll(() => pipes().length).toBeLessThanOrEqual(before);
    });
  });

  describe("the time limit", () => {
    test("ends a command with all its descendants", async () => {
      const mark = aMark();
      const { end, ms } = await timed(ran(family(mark), { limit_ms: 500 }));
      expect(end).toMatchObject({ stopped: "time_limit", exit_code: null, signal: "SIGTERM" });
      expect(ms).toBeGreaterThan(490);
      expect(ms).toBeLessThan(5_000);
      await markGone(mark);
    });

    test("kills a command that ignores SIGTERM, after its grace period", async () => {
      const mark = aMark();
      const script = `trap '' TERM; sleep ${mark} & wait`;
      const { end, ms } = await timed(ran(script, { limit_ms: 200, grace_ms: 300 }));
      expect(end).toMatchObject({ stopped: "time_limit", exit_code: null, signal: "SIGKILL" });
      expect(ms).toBeGreaterThan(490);
      await markGone(mark);
    });

    test("leaves a child its grace period when bash has ended", async () => {
      const child = "trap 'sleep 0.3; echo tidy; exit 0' TERM; echo up; while :; do sleep 0.05; done";
      const { stdout } = await ran(`bash -c "${child}"; true`, { limit_ms: 400 });
      expect(stdout.text).toBe("up\ntidy\n");
    });

    test("lets a trap run on SIGTERM, and keeps the exit code of a command that tidies up", async () => {
      const end = await ran("trap 'sleep 0.2; echo tidy; exit 0' TERM; sleep 60 & wait", { limit_ms: 300 });
      expect(end).toMatchObject({ stopped: "time_limit", exit_code: 0, stdout: { text: "tidy\n" } });
    });
  });

  describe("an abort", () => {
    test("ends a command with all its descendants", async () => {
      const mark = aMark();
      const end = await ran(family(mark), {}, AbortSignal.timeout(500));
      expect(end.stopped).toBe("abort");
      await markGone(mark);
    });

    test("that comes after the end changes nothing", async () => {
      const controller = new AbortController();
      const end = await ran("true", {}, controller.signal);
      controller.abort();
      expect(end).toMatchObject({ stopped: null, exit_code: 0 });
    });

    test("that came before the start is noticed", async () => {
      expect((await ran("sleep 60", {}, AbortSignal.abort())).stopped).toBe("abort");
    });
  });

  describe("an ending", () => {
    test.each([0, 1, 2, 77, 126, 127, 128, 129, 130, 137, 141, 143, 255])("with exit code %i is kept", async (code) => {
      expect(await ran(`exit ${code}`)).toMatchObject({ exit_code: code, signal: null, stopped: null });
    });

    test.each(["HUP", "ILL", "ABRT", "FPE", "KILL", "SEGV", "TERM", "USR1", "ALRM"])(
      "by SIG%s is reported",
      async (name) => {
        expect(await ran(`kill -${name} $$; sleep 5`)).toMatchObject({
          exit_code: null,
          signal: `SIG${name}`,
          stopped: null,
        });
      },
    );

    test.each([
      ["INT", 130],
      ["PIPE", 141],
    ])("by SIG%s is reported as in a shell, by exit code %i", async (name, exit_code) => {
      expect(await ran(`kill -${name} $$; sleep 5`)).toMatchObject({ exit_code, signal: null, stopped: null });
    });

    test("is the same when bash was replaced by another program", async () => {
      expect(await ran("exec perl -e 'kill 9, $$'")).toMatchObject({ exit_code: null, signal: "SIGKILL" });
      expect(await ran("exec /no/such/program")).toMatchObject({ exit_code: 127, signal: null });
      expect(await ran("exec /etc/passwd")).toMatchObject({ exit_code: 126, signal: null });
    });
  });

  const ways = {
    "a session of its own": (mark: string) => `setsid sleep ${mark} </dev/null >/dev/null 2>&1 &`,
    "a double fork": (mark: string) => `(setsid bash -c 'nohup sleep ${mark} >/dev/null 2>&1 &') >/dev/null 2>&1; true`,
  };
  describe.runIf(sandboxed)("a process that left the process group", () => {
    test.each(Object.entries(ways))("by %s is ended with its step", async (_, leave) => {
      const mark = aMark();
      const end = await ran(`${leave(mark)}\nsleep 0.3; ps -eo args | grep -c "^sleep ${mark}"`);
      expect(end).toMatchObject({ exit_code: 0, stdout: { text: "1\n" } });
      expect(pidsOf(mark)).toEqual([]);
    });

    test.each(Object.entries(ways))("by %s is ended at the time limit", async (_, leave) => {
      const mark = aMark();
      const end = await ran(`${leave(mark)}\nsleep 60`, { limit_ms: 400 });
      expect(end.stopped).toBe("time_limit");
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
  const { ran, run } = commandsIn(IN_PIDS);

  test("shows only the processes of the step, and no environment of this process", async () => {
    const { stdout } = await ran("echo $PPID; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c ^VITEST || true");
    expect(process.env["VITEST"]).toBeDefined();
    expect(stdout.text).toBe("1\n0\n");
    expect((await commandsIn(PLAIN_STEP).ran(`grep -c VITEST /proc/${process.pid}/environ`)).stdout.text).not.toBe(
      "0\n",
    );
  });

  test("does not change the file system, the account and the start of programs", async () => {
    const facts = `id -u; umask; pwd; echo ~; ulimit -a; env | sort; echo "$0 $# $-"
grep -E '^(Sig(Blk|Ign)|Cap(Inh|Prm|Eff|Amb))' /proc/self/status; ls /proc/self/fd | wc -l; stat -c %t:%T /dev/null; stat -c %d:%i / /tmp ~`;
    const outside = await commandsIn(PLAIN_STEP).ran(facts);
    const inside = await ran(facts);
    expect(inside.stderr.text).toBe(outside.stderr.text);
    expect(inside.stdout.text).toBe(outside.stdout.text);
  });

  test("that cannot be made is reported with the reason", async () => {
    const cwd = `${home()}/gone`;
    expect(await run("true", { cwd })).toEqual({ ran: false, reason: expect.stringContaining(cwd) });
  });

  test("ends a command that writes without end", async () => {
    const mark = aMark();
    const { end, ms } = await timed(ran(`sleep ${mark} & yes`, { limit_ms: 500, grace_ms: 200 }));
    expect(end).toMatchObject({ stopped: "time_limit", signal: "SIGTERM" });
    expect(ms).toBeLessThan(5_000);
    await markGone(mark);
  });

  test("survives a command that kills every process it can", async () => {
    const end = await ran("echo up; kill -KILL 1; sleep 0.1; kill -KILL -1; sleep 60");
    expect(end).toMatchObject({ stopped: null, stdout: { text: "up\n" } });
    expect([end.exit_code, end.signal]).not.toEqual([0, null]);
  });
});
