// The thread that judges: one text or plan at a time, each within the budget of one plan.
import { serialize } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { asOnePlan, isPlanCutOff, protectPaths } from "../guard/guard.ts";
import { judgedBy } from "./judgements.ts";
import { type Withheld, watchedTask } from "./withheld-task.ts";

export type JudgeOrder = Withheld & { readonly name: string };
/** `value` is serialized. `reads_task`: it may be another one for another `task_id`. `is_cut`: it may be another one the next time. */
export type JudgedValue = { readonly value: Uint8Array; readonly reads_task: boolean; readonly is_cut: boolean };
export type JudgeAnswer = JudgedValue | { readonly error: unknown };
export type ThreadData = { readonly protected_paths: readonly string[] };

protectPaths((workerData as ThreadData).protected_paths);

function answerTo({ name, ...withheld }: JudgeOrder): JudgeAnswer {
  const { given, hasRead } = watchedTask(withheld);
  try {
    const { answer, is_cut } = asOnePlan(() => ({ answer: judgedBy(name, given), is_cut: isPlanCutOff() }));
    const value = serialize(answer);
    // Only now: the answer may hold what it was given.
    return { value, reads_task: hasRead(), is_cut };
  } catch (error) {
    return { error };
  }
}

parentPort?.on("message", (order: JudgeOrder) => parentPort?.postMessage(answerTo(order)));
