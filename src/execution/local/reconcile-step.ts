// Runs the reconcile command of a step on this machine (D-299), as its check would run. What the step had started has ended before:
// the journal says whether that is certain.
import { RECONCILE_MS } from "../../domain/reconcile.ts";
import type { ExecutionBackend } from "../../ports.ts";
import { createRedactor } from "../../redact/redact.ts";
import { createRunContexts, type LocalBackendOptions } from "./run-context.ts";
import { runStep } from "./run-step.ts";

/**
 * `curl -s URL | grep -q done` also exits with 1 when curl got no answer, so that 1 means nothing. 141 is no failure: the reader had
 * stopped.
 */
const FAILED_WRITER_SAYS_NOTHING = `trap 'orch_ended=("$?" "\${PIPESTATUS[@]}")
if ((orch_ended[0] == 1)); then
  for orch_status in "\${orch_ended[@]:1:\${#orch_ended[@]}-2}"; do
    if ((orch_status > 1 && orch_status != 141)); then
      echo "orch: a command of its pipeline failed with exit code $orch_status" >&2
      exit 2
    fi
  done
fi' EXIT
`;

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
    const step = { kind: "check", value: `${FAILED_WRITER_SAYS_NOTHING}${command}` } as const;
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
