// How every execution backend runs the reconcile command of a step (D-299): where its steps run, and with what became of it.
import { describe, expect, test } from "vitest";
import { aContract } from "../../../../test/support/builders.ts";
import type { ReconcileRequest } from "../../../domain/run-request.ts";
import type { ExecutionBackend } from "../../../ports.ts";

type Backend = ExecutionBackend & { readonly close?: () => Promise<void> };

export function reconcileSuite(create: () => Backend | Promise<Backend>): void {
  const looked = async (
    command: string,
    over: Partial<ReconcileRequest> = {},
    signal = new AbortController().signal,
  ) => {
    const backend = await create();
    const leaving = new AbortController().signal;
    const request = { task_contract: aContract(), index: 2, attempt: 1, command, leaving, ...over };
    const look = await backend.reconcile?.(request, signal);
    await backend.close?.();
    return look;
  };

  describe("its reconcile commands", () => {
    test.each([
      ["exit 0", 0],
      ["exit 1", 1],
      ["exit 5", 5],
    ])("%s gives its exit code and what it wrote, with the variables of its task", async (command, exit_code) => {
      const look = await looked(`echo "$ORCH_TARGET_SERVICE"; ${command}`);
      expect(look).toMatchObject({ exit_code, timed_out: false, stdout: "web\n", may_run: null });
    });

    test("have no exit code where nothing was run, so that a missing directory does not say that a step is not done", async () => {
      const task_contract = aContract({ target: { compose_dir: "/no/such/directory" } });
      expect(await looked("exit 0", { task_contract })).toMatchObject({ exit_code: null, timed_out: false });
    });

    test("have no exit code when they are cut off", async () => {
      const cancel = new AbortController();
      setTimeout(() => cancel.abort(), 200);
      expect(await looked("sleep 20", {}, cancel.signal)).toMatchObject({ exit_code: null, timed_out: false });
    });

    test("say that they were out of time", async () => {
      const contract = aContract();
      const task_contract = { ...contract, constraints: { ...contract.constraints, max_minutes: 0.01 } };
      expect(await looked("sleep 20", { task_contract })).toMatchObject({ timed_out: true });
    });
  });
}
