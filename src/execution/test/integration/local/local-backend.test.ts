// The local backend beyond the common contract: directory, waits, tool calls, redaction, measures.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { AT, aContract, check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { IN_PIDS } from "../../../../../test/support/sandboxes.ts";
import { anObserver, aRequest } from "../../../../../test/support/step-run.ts";
import type { RunRequest } from "../../../../domain/run-request.ts";
import type { Step, StepResult } from "../../../../domain/step.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { createLocalBackend, type LocalBackendOptions } from "../../../local/local-backend.ts";
import { createRunCommand } from "../../../local/run-command.ts";
import { canSandbox } from "./a-command.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "orch-local-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const run = (steps: readonly Step[], options: Partial<LocalBackendOptions> = {}, over: Partial<RunRequest> = {}) =>
  createLocalBackend({ clock: () => new Date(), home: directory, ...options }).run(
    aRequest(steps, over),
    anObserver().observer,
    new AbortController().signal,
  );

const runOne = async (step: Step, options?: Partial<LocalBackendOptions>, over?: Partial<RunRequest>) => {
  const [result] = (await run([step], options, over)).step_results;
  return result as StepResult;
};

describe("the directory", () => {
  test("is compose_dir, else home", async () => {
    const task_contract = aContract({ target: { compose_dir: directory } });
    expect((await runOne(cmd("pwd"), { home: "/tmp" }, { task_contract })).stdout).toBe(`${directory}\n`);
    expect((await runOne(cmd("pwd; echo $HOME"), { home: "/tmp" })).stdout).toBe("/tmp\n/tmp\n");
  });

  test("that is missing fails the step with a message, and the command does not run", async () => {
    const task_contract = aContract({ target: { compose_dir: join(directory, "gone") } });
    const output = await run([wait("1ms"), cmd(`touch ${directory}/ran`)], {}, { task_contract });
    expect(output.step_results).toMatchObject([{ status: "passed" }, { status: "failed", exit_code: 1 }]);
    expect(output.step_results[1]?.stderr).toContain("compose_dir");
    expect(output.evidence.executed_commands).toEqual([]);
    expect((await runOne(check(`test -e ${directory}/ran`))).status).toBe("failed");
  });

  test("is named in the failure when it is a missing home", async () => {
    const home = join(directory, "no-home");
    expect(await runOne(cmd("true"), { home })).toMatchObject({
      status: "failed",
      exit_code: 1,
      stderr: expect.stringContaining(home),
    });
  });
});

describe("a wait", () => {
  const hours = (n: number) => () => new Date(Date.parse(AT) + n * 3_600_000);
  const busyClock = () => {
    const until = performance.now() + 30;
    while (performance.now() < until);
    return new Date();
  };

  test.each<[string, string, () => Date, string | undefined, number]>([
    ["lasts as long as it says", "120ms", () => new Date(), undefined, 119],
    ["is measured from its start, however busy this process is then", "50ms", busyClock, undefined, 49],
    ["that was interrupted continues where it was", "1h", () => new Date(Date.parse(AT) + 3_599_950), AT, 3_599_950],
    ["whose end has passed while the server was down ends at once", "1h", hours(2), AT, 0],
    ["does not last longer than its duration when the clock was set back", "10ms", hours(-2), AT, 0],
  ])("%s", async (_what, value, clock, started_at, least_ms) => {
    const given = started_at === undefined ? {} : { started_at };
    const result = await runOne(wait(value), { clock }, given);
    expect(result).toMatchObject({ status: "passed", exit_code: 0, ...given });
    expect(result.duration_ms).toBeGreaterThanOrEqual(least_ms);
  });

  test("that is not the first of the given steps ignores started_at", async () => {
    const clock = hours(2);
    const output = await run([cmd("true"), wait("100ms")], { clock }, { started_at: AT });
    expect(output.step_results[1]?.duration_ms).toBeGreaterThanOrEqual(99);
    expect(output.step_results[1]?.duration_ms).toBeLessThan(60_000);
    expect(output.step_results[0]?.started_at).toBe(clock().toISOString());
  });
});

test("a tool call fails with a sentence where there are no tool servers", async () => {
  const output = await run([mcpCall()]);
  expect(output.step_results).toMatchObject([
    { status: "failed", exit_code: 1, stderr: expect.stringContaining("no tool server notes") },
  ]);
  expect(output.evidence.executed_commands).toEqual([]);
});

test("a tool call may take max_minutes, and has an unknown outcome unless it may be repeated [8.max_minutes.tool_call]", async () => {
  const limits: number[] = [];
  const toolServers = (mayRepeat: boolean): NonNullable<LocalBackendOptions["toolServers"]> => ({
    call: async (_call, { limit_ms }) => {
      limits.push(limit_ms);
      return { ok: false, stderr: "no answer", executed: "unknown", timed_out: true };
    },
    mayRepeat: async () => mayRepeat,
  });
  const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 7 };
  const over = { task_contract: aContract({ constraints }) };
  const once = await runOne(mcpCall(), { toolServers: toolServers(false) }, over);
  expect(once).toMatchObject({ status: "outcome_unknown", exit_code: 1, stderr: "no answer", timed_out: true });
  expect(await runOne(mcpCall(), { toolServers: toolServers(true) }, over)).toMatchObject({ status: "failed" });
  expect(limits).toEqual([420_000, 420_000]);
});

test("a stop while the observer is called prevents the start of the command", async () => {
  const controller = new AbortController();
  const { observer } = anObserver(() => {
    controller.abort();
    return true;
  });
  const backend = createLocalBackend({ clock: () => new Date(), home: directory });
  const output = await backend.run(aRequest([cmd("true")]), observer, controller.signal);
  expect(output.step_results).toMatchObject([{ status: "failed", exit_code: null }]);
  expect(output.evidence.executed_commands).toEqual([]);
});

test("output of a step is redacted in every result, and cut after that", async () => {
  const secret = "0123456789-the-secret-9876543210";
  const redact = createRedactor([secret]);
  const zeros = (count: number) => `printf '%0${count}d' 0`;
  const shown = 32 * 1024 - 8;
  const script = [zeros(shown), `printf ${secret}`, zeros(100_000), `printf ${secret}`, zeros(shown)].join("; ");
  const steps = [cmd(script), cmd(`echo ${secret}; (${script}) >&2; echo ${secret} >&2; exit 1`)];
  const { step_results, evidence } = await run(steps, { redact });
  const cut = /^0{32760}\[redacted\]\n\[\.\.\. \d+ bytes left out \.\.\.\]\n(\[redacted\])?0+(\[redacted\]\n)?$/;
  expect(step_results).toMatchObject([
    { stdout: expect.stringMatching(cut), stdout_bytes: 165_584, truncated: true },
    { stdout: "[redacted]\n", stderr: expect.stringMatching(cut), stderr_bytes: 165_617, truncated: true },
  ]);
  expect(evidence.key_outputs.join()).not.toContain("the-secret");
});

test("a step reports when it began and how long it took", async () => {
  const result = await runOne(cmd("sleep 0.1"), { clock: () => new Date(AT) });
  expect(result.started_at).toBe(AT);
  expect(result.duration_ms).toBeGreaterThanOrEqual(99);
});

describe("a step that fails because of missing rights", () => {
  const runCommand = createRunCommand({ plain: IN_PIDS });
  const sudo = "echo 'sudo: The \"no new privileges\" flag is set, which prevents sudo from running as root.' >&2";
  const ssh = "echo 'Bad owner or permissions on /etc/ssh/ssh_config.d/10.conf' >&2";
  const hint = /\norch: [^\n]+ORCH_SANDBOX=off[^\n]+$/;

  test.skipIf(!canSandbox).each([sudo, ssh])("in a pid namespace gets a hint at ORCH_SANDBOX: %s", async (says) => {
    expect((await runOne(cmd(`${says}; exit 1`), { runCommand })).stderr).toMatch(hint);
    expect((await runOne(cmd(`${says}; exit 0`), { runCommand })).stderr).not.toContain("orch:");
    expect((await runOne(cmd("echo something else >&2; exit 1"), { runCommand })).stderr).toBe("something else\n");
  });

  test("in a process group gets no hint, which would not help", async () => {
    expect((await runOne(cmd(`${sudo}; exit 1`))).stderr).not.toContain("orch:");
  });
});

test("a compose_dir outside of the roots fails the step with a message, and the command does not run", async () => {
  const task_contract = aContract({ target: { compose_dir: directory } });
  const result = await runOne(cmd("touch ran"), { compose_roots: [join(directory, "stacks")] }, { task_contract });
  expect(result).toMatchObject({ status: "failed", stderr: expect.stringContaining("ORCH_COMPOSE_ROOTS") });
  expect((await runOne(check(`test -e ${directory}/ran`))).status).toBe("failed");
});

describe("a step whose start is being made durable", () => {
  const within = (options: Partial<LocalBackendOptions>, started: () => Promise<boolean>, signal: AbortSignal) =>
    createLocalBackend({ clock: () => new Date(), home: directory, ...options }).run(
      aRequest([cmd("touch made")]),
      { ...anObserver().observer, started },
      signal,
    );

  test("has an unknown end when what runs commands is lost meanwhile, and this process goes on", async () => {
    const lost = async () => Promise.reject(new Error("lost"));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const end = within({ runCommand: lost }, () => sleep(50, true), new AbortController().signal);
    await expect(end).rejects.toThrow("lost");
    expect(unhandled).toEqual([]);
  });

  test("runs nothing when the task is cancelled meanwhile", async () => {
    const cancel = new AbortController();
    const started = () => sleep(50, true).finally(() => cancel.abort());
    const { step_results, evidence } = await within({}, started, cancel.signal);
    expect(step_results).toMatchObject([{ status: "failed", exit_code: null, stderr: "orch: stopped on request" }]);
    expect(evidence.executed_commands).toEqual([]);
  });
});
