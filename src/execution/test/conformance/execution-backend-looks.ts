// How every execution backend looks at checks before the first step (D-194), by itself or in its run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aContract, check, cmd } from "../../../../test/support/builders.ts";
import { anObserver, aRequest } from "../../../../test/support/step-run.ts";
import type { TaskContract } from "../../../domain/contract.ts";
import type { BeforeLook } from "../../../domain/proof.ts";
import type { Step } from "../../../domain/step.ts";
import { printedBefore } from "../../../domain/step-run.ts";
import type { ExecutionBackend } from "../../../ports.ts";

type Backend = ExecutionBackend & { readonly close?: () => Promise<void> };
type Plan = { readonly steps: readonly Step[]; readonly look_at: readonly number[]; readonly contract: TaskContract };

/** As run_steps does it: the looks, and the output of the run after them. */
async function looked(backend: Backend, { steps, look_at, contract }: Plan) {
  const looks: BeforeLook[] = [];
  const never = new AbortController().signal;
  const observer = { ...anObserver().observer, looked: (found: readonly BeforeLook[]) => void looks.push(...found) };
  const request = aRequest(steps, { task_contract: contract });
  if (backend.look === undefined) {
    expect(backend.looks_in_run).toBe(true);
    return { looks, output: await backend.run({ ...request, look_at }, observer, never) };
  }
  const checks = look_at.map((step_index) => ({ step_index, step: steps[step_index] ?? cmd("false") }));
  looks.push(...(await backend.look({ task_contract: contract, checks }, never)));
  const before = printedBefore(new Map(looks.map((look) => [look.step_index, look])), steps);
  return { looks, output: await backend.run({ ...request, before }, observer, never) };
}

export function looksSuite(create: () => Backend | Promise<Backend>): void {
  describe("its looks", () => {
    test("are made once, before the first step, and each check that compares is given what it printed", async () => {
      const directory = await mkdtemp(join(tmpdir(), "orch-looks-"));
      const mark = (word: string) => `echo ${word} >> '${directory}/trace'`;
      const compares = check(`${mark("look")}; wc -l < '${directory}/trace'; test -n "$ORCH_BEFORE"`);
      const steps = [cmd(mark("step")), compares, check("sleep 0.05; exit 7")];
      const backend = await create();
      const { looks, output } = await looked(backend, { steps, look_at: [1, 2], contract: aContract() });
      const trace = await readFile(join(directory, "trace"), "utf8");
      await backend.close?.();
      await rm(directory, { recursive: true });
      expect(looks).toMatchObject([
        { step_index: 1, answer: "red", exit_code: 1, printed: "1", reason: null },
        { step_index: 2, answer: "red", exit_code: 7, printed: "", reason: null },
      ]);
      expect(looks.every(({ duration_ms }) => duration_ms > 0)).toBe(true);
      expect(output.step_results.map(({ status }) => status)).toEqual(["passed", "passed", "failed"]);
      expect(trace).toBe("look\nstep\nlook\n");
    });

    test("end at the time limit of the step, and say so", async () => {
      const backend = await create();
      const contract = aContract();
      const constraints = { ...contract.constraints, max_minutes: 0.02 };
      const steps = [cmd("true"), check("sleep 5"), check("echo $$; kill -KILL $$")];
      const { looks, output } = await looked(backend, {
        steps,
        look_at: [1, 2],
        contract: { ...contract, constraints },
      });
      await backend.close?.();
      expect(looks).toMatchObject([
        { answer: "cannot_tell", reason: "it reached its time limit" },
        { answer: "cannot_tell", reason: "it could not be run" },
      ]);
      expect(output.step_results).toMatchObject([{ status: "passed" }, { status: "failed", timed_out: true }]);
    });
  });
}
