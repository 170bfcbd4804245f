// Runs the reconcile command of a step on this machine (D-299), as its check would run. What the step had started has ended before:
// the journal says whether that is certain.
import { RECONCILE_MS } from "../../domain/reconcile.ts";
import type { ExecutionBackend } from "../../ports.ts";
import { createRedactor } from "../../redact/redact.ts";
import { createRunContexts, type LocalBackendOptions } from "./run-context.ts";
import { runStep } from "./run-step.ts";

export function createReconcile(
  options: LocalBackendOptions,
  limit_ms = RECONCILE_MS,
): NonNullable<ExecutionBackend["reconcile"]> {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, command, leaving }, signal) => {
    const shared = contextOf(task_contract);
    const bounds = { limit_ms: Math.min(limit_ms, shared.limit_ms), grace_ms: 0, waited_ms: 0, repeatable: true };
    const begun = performance.now();
    const step = { kind: "check", value: command } as const;
    const end = await runStep(step, { ...shared, ...bounds }, AbortSignal.any([signal, leaving]));
    const { executed, exit_code, timed_out, stdout, stderr } = end;
    return {
      exit_code: executed ? exit_code : null,
      ...{ timed_out, stdout: redact(stdout), stderr: redact(stderr) },
      duration_ms: Math.round(performance.now() - begun),
      may_run: null,
    };
  };
}
