// Runs the reconcile command of a step on this machine (D-299), in the same way as a check. The processes of the step have ended
// before; the journal records whether that is certain.
import { RECONCILE_MS } from "../../domain/step-run.ts";
import type { ExecutionBackend } from "../../ports.ts";
import { createRedactor } from "../../redact/find-secrets.ts";
import { programIn } from "./containment/launcher.ts";
import { createRunContexts, type LocalBackendOptions, runStep } from "./local-backend.ts";

/**
 * Turns exit code 1 into 2 if an earlier command of the pipeline failed: `curl -s URL | grep -q done` also exits with 1 when curl got
 * no answer. 141 is not a failure: the reader stopped first.
 */
const EXIT_2_AFTER_FAILED_WRITER = programIn(import.meta.dirname, "exit-2-after-failed-writer.sh");

export function createReconcile(options: LocalBackendOptions): NonNullable<ExecutionBackend["reconcile"]> {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, command, leaving }, signal) => {
    const shared = contextOf(task_contract);
    const bounds = { limit_ms: Math.min(RECONCILE_MS, shared.limit_ms), grace_ms: 0, waited_ms: 0, repeatable: true };
    const begun = performance.now();
    const step = { kind: "check", value: `${EXIT_2_AFTER_FAILED_WRITER}${command}` } as const;
    const end = await runStep(step, { ...shared, ...bounds }, AbortSignal.any([signal, leaving]));
    const { executed, exit_code, timed_out, stdout, stderr } = end;
    return {
      exit_code: executed ? exit_code : null,
      timed_out,
      stdout: redact(stdout),
      stderr: redact(stderr),
      duration_ms: Math.round(performance.now() - begun),
      may_run: null,
    };
  };
}
