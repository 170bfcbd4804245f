// What launches a step is started while the start of the step is made durable: never while another command of the task runs, and without
// effect until then (D-310).

import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { check, cmd, wait } from "../../../../../test/support/builders.ts";
import { aRunnerSetup } from "../../../../../test/support/sandboxes.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import type { RunRequest } from "../../../../domain/run-request.ts";
import type { StepObserver } from "../../../../ports.ts";
import { createLocalBackend, type LocalBackendOptions } from "../../../local/local-backend.ts";
import { createRunCommand, type RunCommand } from "../../../local/run-command.ts";
import { createCommandRunner } from "../../../local/runner/command-runner.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "orch-starts-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

type Given = { readonly observer?: StepObserver; readonly options?: Partial<LocalBackendOptions> };

async function run(steps: RunRequest["steps"], { observer = anObserver().observer, options = {} }: Given = {}) {
  const backend = createLocalBackend({ clock: () => new Date(), home, ...options });
  const { step_results } = await backend.run(aRequest(steps), observer, new AbortController().signal);
  return step_results;
}

const isThere = (name: string): Promise<boolean> =>
  access(join(home, name)).then(
    () => true,
    () => false,
  );

/** Counts the processes that show the text of the next step; it does not contain that text itself. */
const countMarks = `sleep 0.3; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c "the_[m]ark" || true`;

test("no shell of a step is there while the step before it runs", async () => {
  const [first, second] = await run([cmd(countMarks), cmd("echo the_mark")]);
  expect(first).toMatchObject({ status: "passed", stdout: "0\n" });
  expect(second).toMatchObject({ status: "passed", stdout: "the_mark\n" });
});

test("what launches a step is started while the start of the step is made durable, and not before", async () => {
  const log: string[] = [];
  const runCommand = createRunCommand();
  const noted: RunCommand = async (command, abort) => {
    log.push(`given ${command.script}`);
    const end = await runCommand(command, abort);
    log.push(`ended ${command.script}`);
    return end;
  };
  const { observer } = anObserver();
  const started: StepObserver["started"] = async (index) => {
    log.push(`asked ${index}`);
    await sleep(50);
    log.push(`started ${index}`);
    return true;
  };
  const steps = [cmd("sleep 0.1"), check("true"), wait("1ms"), cmd(":")];
  await run(steps, { observer: { ...observer, started }, options: { runCommand: noted } });
  const expected = "asked 0, given sleep 0.1, started 0, ended sleep 0.1, asked 1, given true, started 1, ended true";
  expect(log.join()).toBe(
    `${expected}, asked 2, started 2, asked 3, given :, started 3, ended :`.replaceAll(", ", ","),
  );
});

test("the step after one that failed, or that may not start, has no effect", async () => {
  const failed = await run([cmd("exit 3"), cmd("touch after-failure")]);
  expect(failed).toMatchObject([{ status: "failed", exit_code: 3 }]);
  const { observer } = anObserver((index) => sleep(50, index === 0));
  expect(await run([cmd("true"), cmd("touch refused")], { observer })).toMatchObject([{ status: "passed" }]);
  await sleep(100);
  expect([await isThere("after-failure"), await isThere("refused")]).toEqual([false, false]);
});

test("each step finds what the step before it has left, also its directory", async () => {
  const results = await run([
    cmd('cd / && rm -rf -- "$HOME" && mkdir -- "$HOME" && echo one > "$HOME/file"'),
    cmd('cat file && stat -c %i . && stat -c %i "$HOME"'),
  ]);
  const [word, here, named] = (results[1]?.stdout ?? "").trim().split("\n");
  expect([results[1]?.status, word]).toEqual(["passed", "one"]);
  expect(here).toBe(named);
});

test("a launcher that was lost while the start of its step was made durable has run nothing, and another runs the step", async () => {
  const setup = aRunnerSetup();
  const { runCommand, close } = createCommandRunner({ PATH: process.env["PATH"] ?? "" }, setup);
  onTestFinished(close);
  const options = { runCommand };
  const { observer } = anObserver();
  let asked = 0;
  const started: StepObserver["started"] = async () => {
    if (++asked < 2) return true;
    // The parent of the launcher is the process that runs all commands.
    const [end] = await run([cmd("cut -d' ' -f4 /proc/$PPID/stat")], { options });
    process.kill(Number(end?.stdout), "SIGKILL");
    return sleep(200, true);
  };
  const steps = [cmd("true"), cmd("echo ran >> file; cat file")];
  const results = await run(steps, { observer: { ...observer, started }, options });
  expect(results).toMatchObject([{ status: "passed" }, { status: "passed", stdout: "ran\n" }]);
});
