// Asks the routing model the questions of labelled cases (spec section 4, Routing gate).

import type { Gate } from "../ports.ts";
import type { NumberedCase } from "./case.ts";
import { type Answered, answered } from "./score-routing.ts";

export type RoutingOrder = {
  readonly cases: readonly NumberedCase[];
  /** Hears how many questions are done. */
  readonly told: (done: number) => void;
};

/** One after the other until `stop`; the question that is cut off by it does not count. */
export async function askCases(gate: Gate, { cases, told }: RoutingOrder, stop: AbortSignal): Promise<Answered[]> {
  const all: Answered[] = [];
  for (const one of cases) {
    const reply = await ask(gate, one, stop);
    if (stop.aborted) break;
    all.push(answered(one, reply));
    told(all.length);
  }
  return all;
}

const ask = (gate: Gate, { asked }: NumberedCase, stop: AbortSignal) =>
  asked.question === "error" ? gate.classifyError(asked, stop) : gate.matchCategory(asked, stop);
