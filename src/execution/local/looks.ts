// Looks on this machine in the same way as a check of a step: at the checks of a plan before the change (D-194), and with the reconcile command
// of a step (D-299), whose processes have ended before.
import type { BeforeLook } from "../../domain/proof.ts";
import { isPolled, isRed, RECONCILE_MS } from "../../domain/step-run.ts";
import type { ExecutionBackend } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact/find-secrets.ts";
import { programIn } from "../sandbox/programs.ts";
import type { StepEnd } from "./call-tool.ts";
import { createRunContexts, type LocalBackendOptions, runStep } from "./local-backend.ts";

const AT_ONCE = 4;

const ALL_MS = 30_000;

const ONE_MS = 10_000;

const MAX_PRINTED = 4096;

export function createLook(options: LocalBackendOptions): NonNullable<ExecutionBackend["look"]> {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, checks }, signal) => {
    const shared = contextOf(task_contract);
    const limit_ms = Math.min(ONE_MS, shared.limit_ms);
    const context = { ...shared, limit_ms, grace_ms: 0, waited_ms: 0, repeatable: true };
    const until = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]);
    return someAtOnce(AT_ONCE, checks, async ({ step_index, step }) => {
      const begun = performance.now();
      const once = isPolled(step) ? ({ kind: "check", value: step.value } as const) : step;
      const end = await runStep(once, context, until);
      const duration_ms = Math.round(performance.now() - begun);
      return { step_index, ...answerOf(end), duration_ms, ...printedBy(end, redact) };
    });
  };
}

function answerOf({
  status,
  exit_code,
  executed,
  timed_out,
}: StepEnd): Pick<BeforeLook, "answer" | "exit_code" | "reason"> {
  if (status === "passed") return { answer: "green", exit_code, reason: null };
  if (executed === true && !timed_out && exit_code !== null && isRed(exit_code))
    return { answer: "red", exit_code, reason: null };
  const reason = timed_out ? "it reached its time limit" : "it could not be run";
  return { answer: "cannot_tell", exit_code, reason };
}

/** A text that redaction changes could never be equal to the output of the run after. */
function printedBy({ stdout, truncated }: StepEnd, redact: Redact): Pick<BeforeLook, "printed"> {
  const printed = stdout.trim();
  const isKept = !truncated && printed.length <= MAX_PRINTED && redact(printed) === printed;
  return { printed: isKept ? printed : null };
}

/** The results are in the order of the items. */
export async function someAtOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const work = async () => {
    // All workers share one iterator.
    for (const [position, item] of rest) results[position] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

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
