// What one judgement may cost. Work is the same on every machine; the time of the processor covers what work does not count.

/** Thrown where the budget is spent: the interpretation ends there. */
export class Exhausted extends Error {
  readonly code: "cap.count" | "cap.time";

  constructor(code: Exhausted["code"], why: string) {
    super(`the command ${why}; split it into steps, or put it into a file that the step runs`);
    this.code = code;
  }
}

export type Budget = {
  /** Throws `Exhausted`. */
  readonly spend: (cost: number) => void;
};

/** `work`: simple commands, and what costs as much. `cpu_ms`: time of the processor, of this thread alone. */
export type Limits = { readonly work: number; readonly cpu_ms: number };

export const LIMITS: Limits = { work: 20_000, cpu_ms: 50 };

/** The clock costs as much as a simple command. */
const LOOK_EVERY = 16;

export function createBudget({ work, cpu_ms }: Limits): Budget {
  const start = cpuMs();
  let spent = 0;
  let calls = 0;
  return {
    spend: (cost) => {
      spent += cost;
      calls += 1;
      if (spent > work) throw new Exhausted("cap.count", `expands to more than ${work} commands`);
      if (calls % LOOK_EVERY === 0 && cpuMs() - start > cpu_ms)
        throw new Exhausted("cap.time", `takes more than ${cpu_ms} ms to judge`);
    },
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
