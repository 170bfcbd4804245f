// What one judgement may cost. Work is the same on every machine; the time of the processor covers what work does not count.
import { cpuMs } from "./cpu-ms.ts";
import { noteCut } from "./plan-time.ts";

/** Thrown where the budget is spent: the interpretation ends there. */
export class Exhausted extends Error {
  readonly code: "cap.count" | "cap.time";

  constructor(code: Exhausted["code"], reason: string) {
    super(reason);
    this.code = code;
  }
}

const FIX = "split it into steps, or put it into a file that the step runs";

export type Budget = {
  /** Throws `Exhausted`. */
  readonly spend: (cost: number) => void;
};

/** `work`: simple commands, and what costs as much. `cpu_ms`: time of the processor, of this thread alone. */
export type Limits = { readonly work: number; readonly cpu_ms: number };

export const LIMITS: Limits = { work: 30_000, cpu_ms: 50 };

/** The clock costs as much as a simple command. */
const LOOK_EVERY = 32;

export function createBudget({ work, cpu_ms }: Limits): Budget {
  const start = cpuMs();
  let spent = 0;
  let calls = 0;
  return {
    spend: (cost) => {
      spent += cost;
      calls += 1;
      if (spent > work) throw new Exhausted("cap.count", `the command expands to more than ${work} commands; ${FIX}`);
      if (calls % LOOK_EVERY !== 0 || cpuMs() - start <= cpu_ms) return;
      noteCut();
      throw new Exhausted("cap.time", `the command takes more than ${cpu_ms} ms to judge; ${FIX}`);
    },
  };
}
