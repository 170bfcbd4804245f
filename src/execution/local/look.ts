// Runs checks of a plan once on the real target before the change (D-194), a few at a time and briefly.
import { isPolled } from "../../domain/polling.ts";
import type { BeforeLook } from "../../domain/proof.ts";
import { isRed } from "../../domain/step-run.ts";
import type { ExecutionBackend } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact/find-secrets.ts";
import type { StepEnd } from "./call-tool.ts";
import { createRunContexts, type LocalBackendOptions } from "./run-context.ts";
import { runStep } from "./run-step.ts";

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
