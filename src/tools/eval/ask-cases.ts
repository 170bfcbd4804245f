// Asks the routing model the questions of labelled cases.

import type { Gate } from "../../ports.ts";
import type { NumberedCase } from "./case.ts";
import { type Answered, answered } from "./score-routing.ts";

type FormatOrder = {
  readonly cases: readonly NumberedCase[];
  /** Receives the number of answered questions after each one. */
  readonly onProgress: (done: number) => void;
};

/** Asks one question after the other until `stop`. The result leaves out the question that `stop` interrupts. */
export async function askCases(gate: Gate, { cases, onProgress }: FormatOrder, stop: AbortSignal): Promise<Answered[]> {
  const all: Answered[] = [];
  for (const one of cases) {
    const reply = await ask(gate, one, stop);
    if (stop.aborted) break;
    all.push(answered(one, reply));
    onProgress(all.length);
  }
  return all;
}

const ask = (gate: Gate, { asked }: NumberedCase, stop: AbortSignal) =>
  asked.question === "error" ? gate.classifyError(asked, stop) : gate.matchCategory(asked, stop);
