// The thread that judges: one text or plan at a time, each within the budget of one plan.
import { serialize } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { asOnePlan, isPlanCutOff, protectPaths } from "../guard/guard.ts";
import { judgedBy } from "./judgements.ts";

export type JudgeOrder = { readonly name: string; readonly given: readonly unknown[] };
/** `value` is serialized. `is_cut`: it may be another one the next time. */
export type JudgedValue = { readonly value: Uint8Array; readonly is_cut: boolean };
export type JudgeAnswer = JudgedValue | { readonly error: unknown };
export type ThreadData = { readonly protected_paths: readonly string[] };

protectPaths((workerData as ThreadData).protected_paths);

function answerTo({ name, given }: JudgeOrder): JudgeAnswer {
  try {
    const { answer, is_cut } = asOnePlan(() => ({ answer: judgedBy(name, given), is_cut: isPlanCutOff() }));
    return { value: serialize(answer), is_cut };
  } catch (error) {
    return { error };
  }
}

parentPort?.on("message", (order: JudgeOrder) => parentPort?.postMessage(answerTo(order)));
