// A launched command waits until it may begin: nothing runs before (D-310).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { home, inEachContainment } from "../a-command.ts";

const ROOT = join(import.meta.dirname, "../../../../../..");
const directory = mkdtempSync(join(tmpdir(), "orch-begin-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

inEachContainment(({ run, ran }) => {
  describe("a command that waits", () => {
    const made = () => existsSync(join(home(), "made"));
    const waiting = async (script: string, over: Parameters<typeof run>[1] = {}, abort?: AbortSignal) => {
      await ran("true");
      const { promise: allowed, resolve: allow } = Promise.withResolvers<boolean>();
      return { allow, end: run(script, { allowed, ...over }, abort) };
    };

    test("runs nothing before it is allowed, and its time begins then", async () => {
      const { allow, end } = await waiting("touch made; echo $SECONDS; sleep 0.2", { limit_ms: 1_500 });
      await sleep(1_600);
      expect(made()).toBe(false);
      allow(true);
      expect(await end).toMatchObject({ ran: true, stopped: null, exit_code: 0, stdout: { text: "0\n" } });
      expect(made()).toBe(true);
    });

    test.each(["not allowed", "stopped before", "stopped while it is allowed"])(
      "runs nothing when it is %s",
      async (when) => {
        const abort = new AbortController();
        // The command ignores SIGTERM, so it would run until the grace period ends.
        const { allow, end } = await waiting("trap '' TERM; touch made", {}, abort.signal);
        await sleep(100);
        if (when === "stopped before") abort.abort();
        allow(when !== "not allowed");
        if (when !== "not allowed") abort.abort();
        expect(await end).toEqual({ ran: false, reason: "it was not allowed to run" });
        await sleep(100);
        expect(made()).toBe(false);
      },
    );

    test("is stopped like any other", async () => {
      const { allow, end } = await waiting("sleep 30", { limit_ms: 200, grace_ms: 100 });
      allow(true);
      expect(await end).toMatchObject({ ran: true, stopped: "time_limit" });
    });
  });
});

test("a launcher that waits ends with the process that would let its command begin, and has run nothing", async () => {
  const module = (path: string) => JSON.stringify(join(ROOT, "src/execution/local", path));
  const program = `
    const { createRunCommand } = await import(${module("run-command.ts")});
    const order = { script: "touch made", strict: true, cwd: ${JSON.stringify(directory)}, env: { PATH: "/usr/bin:/bin" } };
    const never = new Promise(() => {});
    void createRunCommand()({ ...order, limit_ms: 9000, grace_ms: 100, allowed: never }, new AbortController().signal);
    setTimeout(() => console.log("waits"), 500);
    setTimeout(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const shells = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  expect(shells).toHaveLength(1);
  child.kill("SIGKILL");
  await expect
    .poll(() => existsSync(`/proc/${shells[0]}/cmdline`) && readFileSync(`/proc/${shells[0]}/cmdline`, "utf8"))
    .toBeFalsy();
  expect(existsSync(join(directory, "made"))).toBe(false);
});
