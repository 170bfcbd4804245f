// What every execution backend must do with a check that has `within`: it is polled until it passes or its time is over.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aContract, check, cmd, polled } from "../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../test/support/step-run.ts";
import type { Target } from "../../../domain/contract.ts";
import { FlowOutput } from "../../../domain/run-request.ts";
import type { Step } from "../../../domain/step.ts";
import type { ExecutionBackend } from "../../../ports.ts";

type Backend = Pick<ExecutionBackend, "run"> & { readonly close?: () => Promise<void> };

export function pollingSuite(create: () => Backend | Promise<Backend>): void {
  describe("a check with within", () => {
    let directory: string;
    let backend: Backend;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), "orch-polling-"));
      backend = await create();
    });
    afterEach(async () => {
      await backend.close?.();
      await rm(directory, { recursive: true, force: true });
    });

    const trace = () => readFile(join(directory, "trace"), "utf8").catch(() => "");
    const tries = async () => (await trace()).length;
    /** Counts its tries, and fails in the ones before the given one. */
    const passesAt = (nth: number, exit_code = 1) =>
      `printf x >> '${directory}/trace'; [ "$(wc -c < '${directory}/trace')" -ge ${nth} ] || exit ${exit_code}`;
    const run = async (
      steps: readonly Step[],
      target: Target = {},
      max_minutes = 1,
      signal = new AbortController().signal,
    ) => {
      const log = anObserver();
      const { constraints, ...contract } = aContract({ target });
      const task_contract = { ...contract, constraints: { ...constraints, max_minutes } };
      const output = await backend.run(aRequest(steps, { task_contract }), log.observer, signal);
      return { ...FlowOutput.parse(output), lines: log.lines };
    };

    test.each([
      ["exits with 1", 1],
      ["exits with another code", 7],
      ["is not found", 127],
      ["ends itself by a time limit", 124],
    ])("runs again while it %s, and the steps after it run once it passes: promises 1.6", async (_what, exit_code) => {
      const output = await run([polled(passesAt(2, exit_code), "60s"), cmd(`test -e '${directory}/trace'`)]);
      const [first, second] = output.step_results;
      expect(output.ok).toBe(true);
      expect(first).toMatchObject({ kind: "check", status: "passed", attempt: 1, exit_code: 0, timed_out: false });
      expect(first?.tries).toMatchObject({
        count: 2,
        first: [
          { nth: 1, exit_code, timed_out: false },
          { nth: 2, exit_code: 0, timed_out: false },
        ],
        last: [],
      });
      expect(first?.tries?.first[1]?.after_ms).toBeGreaterThanOrEqual(999);
      expect(second).not.toHaveProperty("tries");
      expect(await tries()).toBe(2);
    });

    test("that passes at once has one try", async () => {
      const { step_results } = await run([polled("true", "1h")]);
      expect(step_results).toMatchObject([{ status: "passed", tries: { count: 1, first: [{ exit_code: 0 }] } }]);
    });

    test("that never passes fails with its last answer when its time is over, and stops the run", async () => {
      const output = await run([polled(`echo no >&2; ${passesAt(99, 3)}`, "2s"), cmd(`touch '${directory}/after'`)]);
      expect(output.ok).toBe(false);
      expect(output.step_results).toMatchObject([{ status: "failed", exit_code: 3, stderr: "no\n", timed_out: false }]);
      expect(output.step_results[0]?.tries?.count).toBe(await tries());
      expect(await tries()).toBe(2);
    });

    test("is cut at the end of its time when a try hangs", async () => {
      const { step_results } = await run([polled("sleep 600", "1s")]);
      expect(step_results).toMatchObject([
        { status: "failed", exit_code: null, timed_out: true, tries: { count: 1, first: [{ timed_out: true }] } },
      ]);
      expect(step_results[0]?.stderr).toBe("orch: stopped at the end of its 1 s");
    });

    test("is not polled where it cannot be started", async () => {
      const { step_results } = await run([polled("true", "1h")], { compose_dir: join(directory, "none") });
      expect(step_results).toMatchObject([{ status: "failed", exit_code: 1, tries: { count: 1 } }]);
    });

    test("is polled for no longer than max_minutes", async () => {
      const { step_results } = await run([polled("exit 1", "1h")], {}, 0.02);
      expect(step_results).toMatchObject([{ status: "failed" }]);
      // A try each second. A machine on which the first one takes long has time for no other.
      expect([1, 2]).toContain(step_results[0]?.tries?.count);
    });

    test.each([
      ["between two tries", "exit 1"],
      ["while it tries", "sleep 600"],
    ])("ends at once when the run is stopped %s", async (_when, text) => {
      const stopped = new AbortController();
      const running = run([polled(`${passesAt(1)}; ${text}`, "1h")], {}, 1, stopped.signal);
      await expect.poll(tries, { timeout: 30_000 }).toBe(1);
      stopped.abort();
      const { step_results } = await running;
      expect(step_results).toMatchObject([{ status: "failed", exit_code: null, timed_out: false }]);
      expect(await tries()).toBe(1);
    });

    test("is one step to the observer", async () => {
      const { lines } = await run([polled(passesAt(2), "60s")]);
      expect(lines.filter((line) => !line.startsWith("ended"))).toEqual(["started 0/1", "finished 0/1 passed"]);
    });

    test("without within runs once", async () => {
      const { step_results } = await run([check(passesAt(2))]);
      expect(step_results).toMatchObject([{ status: "failed", exit_code: 1 }]);
      expect(await tries()).toBe(1);
    });
  });
}
