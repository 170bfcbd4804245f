// The thread that judges: one text or plan at a time, each within the budget of one plan.
import { parentPort, workerData } from "node:worker_threads";
import { asOnePlan, protectPaths } from "../guard/guard.ts";
import { judgedBy } from "./judgements.ts";

export type JudgeOrder = { readonly name: string; readonly given: readonly unknown[] };
export type JudgeAnswer = { readonly value: unknown } | { readonly error: unknown };
export type ThreadData = { readonly protected_paths: readonly string[] };

protectPaths((workerData as ThreadData).protected_paths);

function answerTo({ name, given }: JudgeOrder): JudgeAnswer {
  try {
    return { value: asOnePlan(() => judgedBy(name, given)) };
  } catch (error) {
    return { error };
  }
}

parentPort?.on("message", (order: JudgeOrder) => parentPort?.postMessage(answerTo(order)));
